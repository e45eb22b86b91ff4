// How does orch listen to what one session started, and stay unharmed by it?

import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";

import { channelFile, insideFolder, SOCKET, type ChannelFile } from "./channel.ts";
import { parseRequest, type AgentRequest } from "../schema/channel-request.ts";

const CONNECTIONS_MAX = 64;
const REQUEST_BYTES_MAX = 1024 * 1024;
/** For a request to arrive, and for its reply to be taken. */
const TRANSFER_MS_MAX = 10_000;

/** One line of text. `signal` aborts when the caller goes. A rejection leaves the caller without one. */
export type AnswerRequest = (request: AgentRequest, signal: AbortSignal) => Promise<string>;

/**
 * Listens in the session's control folder, which only the user's own programs can open. Whoever comes
 * with what is no request, or with too much, gets no reply. The returned function ends it.
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
      if (request === null) socket.destroy();
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
