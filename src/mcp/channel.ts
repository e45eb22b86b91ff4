// How does what an agent started reach the orch that runs its session, and leave it unharmed?

import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { isAbsolute, join } from "node:path";
import { once } from "node:events";

import { writeFileAtomic } from "../adapters/files/atomic-file.ts";
import { isObject, jsonIn, numberAt, textAt } from "../core/model/json.ts";

/** Tells an agent, and everything it starts, where the control folder of its session is. */
export const FOLDER_VARIABLE = "ORCH_SESSION_DIR";

/** In the control folder. */
export const SOCKET = "orch.socket";
const CLIENT_FILE = "channel.json";

/**
 * What the session's own clients are told as it starts; orch never reads it back.
 *
 * "defer": the agent's program puts a question off and ends, and the tool only delivers answers.
 * "hold": the call itself waits. "none": there is no way to ask.
 */
export interface ChannelFile {
  readonly asks: "defer" | "hold" | "none";
}

/** All that can be said over a session's channel. Nothing in it answers, allows or ends anything. */
export type AgentRequest =
  | {
      readonly verb: "ask";
      readonly question: unknown;
      /** How long the caller can wait; null: as long as orch likes. */
      readonly holdMs: number | null;
      /** The call of the tool that asks, by its id; null: a command asks. "": a call without one. */
      readonly call: string | null;
    }
  | { readonly verb: "report"; readonly report: unknown };

/** null: no request. */
export function parseRequest(line: string): AgentRequest | null {
  const request = jsonIn(line);
  if (!isObject(request)) return null;
  const { verb, question, report } = request;
  if (verb === "report") return { verb, report };
  const asker = { holdMs: numberAt(request, "holdMs"), call: textAt(request, "call") };
  return verb === "ask" ? { verb, question, ...asker } : null;
}

/** What orch says; null: it cannot be reached. Never rejects. */
export type CallOrch = (request: AgentRequest, signal: AbortSignal) => Promise<string | null>;

/** orch, as a tool server sees it: over the channel, or in the same process. */
export interface OrchSide {
  readonly asks: ChannelFile["asks"];
  readonly call: CallOrch;
  /** Leaves a report that is in order. Throws where it cannot. */
  readonly leave: (path: string, text: string) => void;
}

/** The side of a process that an agent started: with no more rights than the agent has. */
export function sideOf(folder: string): OrchSide {
  return {
    asks: readChannel(folder)?.asks ?? "none",
    call: (request, signal) => callOrch(folder, request, signal),
    leave: writeFileAtomic,
  };
}

/** The session this process belongs to; null: none. */
export function sessionFolderIn(env: Readonly<Record<string, string | undefined>>): string | null {
  const folder = env[FOLDER_VARIABLE] ?? "";
  return isAbsolute(folder) ? folder : null;
}

export function channelFile(folder: string): string {
  return join(folder, CLIENT_FILE);
}

/** null: no session's folder, or not as orch left it. */
export function readChannel(folder: string): ChannelFile | null {
  try {
    return JSON.parse(readFileSync(channelFile(folder), "utf8"));
  } catch {
    return null;
  }
}

/** What orch says; null: it cannot be reached, does not listen, or was cut off. Never rejects. */
export function callOrch(
  folder: string,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve) => {
    try {
      const socket = insideFolder(folder, () => connect(SOCKET)).setEncoding("utf8");
      let reply = "";
      socket.on("data", (text) => (reply += text));
      const leave = (): unknown => socket.destroy();
      socket.on("error", () => {}); // "close" follows.
      socket.on("close", () => {
        signal.removeEventListener("abort", leave);
        // A whole reply ends its line: half of one is none, and none permits nothing.
        resolve(reply.endsWith("\n") ? reply.slice(0, -1) : null);
      });
      signal.addEventListener("abort", leave);
      if (signal.aborted) leave();
      else socket.write(`${JSON.stringify(request)}\n`);
    } catch {
      resolve(null);
    }
  });
}

/**
 * The path of a socket is at most 104 bytes long, and a session's folder lies deeper: it is used from
 * there. Nothing else happens meanwhile, because nothing is waited for.
 */
export function insideFolder<T>(folder: string, use: () => T): T {
  const before = workingFolder() ?? folder;
  process.chdir(folder);
  try {
    return use();
  } finally {
    process.chdir(before);
  }
}

/** null: it is gone. */
function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

const CONNECTIONS_MAX = 64;
const REQUEST_BYTES_MAX = 1024 * 1024;
/** For a request to arrive, and for its reply to be taken. */
const TRANSFER_MS_MAX = 10_000;

/** One line of text. `signal` aborts when the caller goes. A rejection leaves the caller without one. */
export type AnswerRequest = (request: AgentRequest, signal: AbortSignal) => Promise<string>;

/**
 * Listens in the session's control folder, which only the user's own programs can open. Whoever comes
 * with too much gets no reply, and with what is no request no more than a word. The returned function ends it.
 */
export async function serveChannel(
  folder: string,
  asks: ChannelFile["asks"],
  answer: AnswerRequest,
): Promise<() => void> {
  const channel: ChannelFile = { asks };
  writeFileSync(channelFile(folder), JSON.stringify(channel), { mode: 0o600, flag: "wx" });
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const gone = new AbortController();
    open.add(socket);
    socket.on("error", () => {}); // "close" follows.
    socket.on("close", () => {
      open.delete(socket);
      gone.abort();
    });
    readLine(socket, (line) => {
      const request = parseRequest(line);
      if (request === null) void reply(socket, Promise.resolve(NO_REQUEST));
      else void reply(socket, answer(request, gone.signal));
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  insideFolder(folder, () => server.listen(SOCKET));
  await once(server, "listening");
  // A connection that cannot be taken up is the caller's loss.
  server.on("error", () => {});
  return () => {
    for (const socket of open) socket.destroy();
    try {
      // The socket is removed by its name, which means something only there.
      insideFolder(folder, () => server.close());
    } catch {
      server.close(); // An agent may have removed the folder.
    }
  };
}

const NO_REQUEST = JSON.stringify({ refused: "an agent can ask and report; a person answers" });

/** The one line that a caller sends. */
function readLine(socket: Socket, onLine: (line: string) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const late = setTimeout(() => socket.destroy(), TRANSFER_MS_MAX);
  const finish = (): void => {
    clearTimeout(late);
    socket.off("data", listen).resume();
  };
  const listen = (chunk: Buffer): void => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > REQUEST_BYTES_MAX) socket.destroy();
    if (socket.destroyed || chunk.at(-1) !== NEWLINE) return;
    finish();
    onLine(Buffer.concat(chunks).toString("utf8"));
  };
  socket.on("data", listen).on("close", finish);
}

const NEWLINE = 0x0a;

async function reply(socket: Socket, answer: Promise<string>): Promise<void> {
  try {
    const line = await answer;
    socket.setTimeout(TRANSFER_MS_MAX, () => socket.destroy()).end(`${line}\n`);
  } catch {
    socket.destroy();
  }
}
