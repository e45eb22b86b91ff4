// What do orch and an agent say to each other in the Agent Client Protocol, from hello to the last answer?

import type { Writable } from "node:stream";

import type {
  AnyMessage,
  ClientContext,
  InitializeResponse,
  NewSessionResponse,
  PromptRequest,
} from "@agentclientprotocol/sdk";

import { isObject, type JsonObject } from "../../core/model/json.ts";
import { VERSION } from "../../version.ts";
import { permissionFor, type AcpSession } from "./permission.ts";
import type { Seen } from "./updates.ts";
import { toolServer } from "../question-channel.ts";
import type { Dialogue } from "../session-run.ts";
import { isWorthAsking, refusalToStop } from "../stopping.ts";
import { failureOf, type Outcome } from "./ending.ts";
import { createJoiner } from "./pieces.ts";

/** Of the protocol. Agents that know a later one are to speak this one. */
const PROTOCOL = 1;
/** How long a process may take to exit once its input is closed. */
const LINGER_MS = 3_000;
const REMINDERS_MAX = 2;

export function createConversation(session: AcpSession, seen: () => Seen) {
  const over = new AbortController();
  const joiner = createJoiner();
  const wire = createWire();
  const state: State = { outcome: null, sessionId: null, version: null };
  let talked = Promise.resolve();
  let isClosed = false;
  const finish = (outcome: Outcome): void => {
    // What fails for want of the process is told by how that ended.
    const isGone = isClosed && outcome.kind === "failed" && outcome.code === null;
    if (!isGone && !session.signal.aborted) state.outcome = outcome;
    wire.end();
    setTimeout(() => over.abort(), LINGER_MS).unref();
  };
  const dialogue: Dialogue = {
    begin: (input) => {
      wire.open(input);
      talked = talk(session, { wire, state, seen }).catch(failureOf).then(finish);
    },
    take: (message) => {
      if (!isObject(message)) return [message];
      wire.take(message);
      // A conversation that is taken up again is first told from its beginning.
      return isHistory(message, session, state) ? [] : joiner.add(message);
    },
    rest: joiner.rest,
  };
  /** What became of it, once the process is gone. */
  const closed = async (): Promise<Readonly<State>> => {
    isClosed = true;
    wire.close();
    await talked;
    return state;
  };
  /** Aborts where the process outlives its conversation. */
  const outlived: AbortSignal = over.signal;
  return { dialogue, over: outlived, closed };
}

interface State {
  outcome: Outcome | null;
  sessionId: string | null;
  version: string | null;
}

interface Talking {
  readonly wire: Wire;
  readonly state: State;
  readonly seen: () => Seen;
}

function isHistory({ method }: JsonObject, { request }: AcpSession, { sessionId }: State): boolean {
  return method === "session/update" && sessionId === null && request.start.kind !== "fresh";
}

/** Rejects where the agent answers with an error, or not as the protocol says. */
async function talk(session: AcpSession, { wire, state, seen }: Talking): Promise<Outcome> {
  const acp = await import("@agentclientprotocol/sdk");
  const refusals: string[] = [];
  const answer = permissionFor(session, (refusal) => refusals.push(refusal));
  const { agent } = acp
    .client({ name: "orch" })
    .onRequest("session/request_permission", ({ params }) => answer(params))
    .connect(wire.streams);
  const hello = await agent.request("initialize", {
    protocolVersion: PROTOCOL,
    clientInfo: { name: "orch", version: VERSION },
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  state.version = hello.agentInfo?.version ?? null;
  if (hello.protocolVersion !== PROTOCOL) {
    const detail = `it speaks version ${hello.protocolVersion} of the Agent Client Protocol, and orch speaks ${PROTOCOL}`;
    return { kind: "refused", reason: "refused", detail };
  }
  const opened = await openSession(agent, hello, session);
  if ("kind" in opened) return opened;
  const { sessionId } = opened;
  state.sessionId = sessionId;
  const refusal =
    (await choose(agent, opened, ["model", session.model])) ??
    (await choose(agent, opened, ["thought_level", session.effort]));
  if (refusal !== null) return { kind: "no-model", detail: refusal };
  const cancel = (): void => void agent.notify("session/cancel", { sessionId });
  session.signal.addEventListener("abort", cancel);
  const done = promptUntilDone(session, { agent, sessionId, refusals, seen, state });
  return done.finally(() => session.signal.removeEventListener("abort", cancel));
}

/** A new one, or the one of the request: taken up where the agent can, else told anew by it. */
async function openSession(
  agent: ClientContext,
  { agentCapabilities }: InitializeResponse,
  { request, channel, deps }: AcpSession,
): Promise<NewSessionResponse | Outcome> {
  const { start, cwd } = request;
  const { command, args } = toolServer(channel.folder, deps);
  const place = { cwd, mcpServers: [{ name: "orch", command, args, env: [] }] };
  if (start.kind === "fresh") return agent.request("session/new", place);
  const { sessionId } = start;
  const canResume = (agentCapabilities?.sessionCapabilities?.resume ?? null) !== null;
  const lost = { kind: "refused", reason: "conversation-unknown" } as const;
  if (!canResume && agentCapabilities?.loadSession !== true)
    return { ...lost, detail: "the agent cannot take up a conversation again" };
  try {
    const method = canResume ? "session/resume" : "session/load";
    return { ...(await agent.request(method, { ...place, sessionId })), sessionId };
  } catch (error) {
    const failure = failureOf(error);
    return failure.kind === "failed" ? { ...lost, detail: failure.message } : failure;
  }
}

/** Why it cannot; null: it is chosen. Some agents take more models than they offer. */
async function choose(
  agent: ClientContext,
  { sessionId, configOptions }: NewSessionResponse,
  [category, value]: readonly ["model" | "thought_level", string | null],
): Promise<string | null> {
  if (value === null) return null;
  const option = configOptions?.find((one) => one.category === category);
  try {
    // Older agents have a method of its own for it, which the library does not know.
    if (option === undefined)
      await agent.request(`session/set_${category}`, { sessionId, modelId: value });
    else
      await agent.request("session/set_config_option", { sessionId, configId: option.id, value });
    return null;
  } catch (error) {
    const offered = JSON.stringify(option ?? null).matchAll(/"value":"([^"]+)"/g);
    const names = [...offered].map(([, name]) => name).join(", ");
    const refused = `${JSON.stringify(value)} was refused: ${failureOf(error).message}`;
    return `${refused}${names === "" ? "" : `; it offers ${names}`}`;
  }
}

interface Turns extends Omit<Talking, "wire"> {
  readonly agent: ClientContext;
  readonly sessionId: string;
  /** Of what the agent asked for in the turn; it is told only that it may not. */
  readonly refusals: string[];
}

/** Sends the agent back where it stops without a report, and gives it what people say meanwhile. */
async function promptUntilDone(
  { request, channel }: AcpSession,
  { agent, sessionId, refusals, seen, state }: Turns,
): Promise<Outcome> {
  const { start, prompt: task, reportPath } = request;
  const next = [start.kind === "deliver" ? start.answer : task];
  request.followWords((words) => next.push(words));
  for (let reminders = 0; ;) {
    const prompt = [{ type: "text", text: next.splice(0).join("\n\n") } as const];
    const turn: PromptRequest = { sessionId, prompt };
    const { stopReason } = await agent.request("session/prompt", turn);
    const done: Outcome = { kind: "answered", stopReason };
    const { closing, didNothing } = seen();
    if (stopReason !== "end_turn" || didNothing || channel.questions.isWaiting) return done;
    if (next.length > 0) continue;
    const isAsked = isWorthAsking({ last_assistant_message: closing }, channel.questions);
    const refusal = isAsked || reminders === REMINDERS_MAX ? null : refusalToStop(reportPath);
    if (refusal === null) return done;
    // An agent that is gone by then has ended its turn all the same.
    state.outcome = done;
    reminders += 1;
    next.push(...refusals.splice(0), refusal.reason);
  }
}

type Wire = ReturnType<typeof createWire>;

/** The library's side of the program's standard streams. It gets what is for it, and nothing else. */
function createWire() {
  let input: Writable | null = null;
  const waiting = new Set<unknown>();
  const incoming = new TransformStream<AnyMessage, AnyMessage>();
  const writer = incoming.writable.getWriter();
  const writable = new WritableStream<AnyMessage>({
    write: (message) => {
      if ("method" in message && "id" in message) waiting.add(message.id);
      if (input?.writable === true) input.write(`${JSON.stringify(message)}\n`);
    },
  });
  return {
    streams: { readable: incoming.readable, writable },
    open: (standardInput: Writable): void => void (input = standardInput),
    /** What only tells is read by orch: the library drops what it does not know. */
    take: (message: JsonObject): void => {
      const isReply = !("method" in message) && waiting.delete(message["id"]);
      const isRequest = typeof message["method"] === "string" && "id" in message;
      if (!isReply && !isRequest) return;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The library checks all of it.
      writer.write({ ...message, jsonrpc: "2.0" } as AnyMessage).catch(() => {});
    },
    end: (): void => void input?.end(),
    /** Once what came before is read: then nothing more comes. */
    close: (): void => void writer.close().catch(() => {}),
  };
}
