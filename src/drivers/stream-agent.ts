// What is the same for all agents that take one prompt, print JSON lines and end?

import type { AgentSpec } from "../core/model/settings.ts";
import type { DriverAbilities } from "../core/model/event.ts";
import { excerpt } from "../core/model/excerpt.ts";
import { isObject, type JsonObject } from "../core/model/json.ts";
import { NO_USAGE, type SessionEvent, type TokenCounts } from "../core/model/session.ts";
import type { SessionEnd, SessionEnding } from "../core/model/session.ts";
import type { AgentDriver, SessionRequest } from "../engine/ports.ts";
import { withQuestionChannel, writeToolServers } from "./question-channel.ts";
import type { OwnProgram, QuestionChannel } from "./question-channel.ts";
import { conversationLeft, driverOf, endingOf, notStarted, runSession } from "./session-run.ts";
import { sessionEnvironment, type DriverDeps, type SessionProgram } from "./session-run.ts";
import { allTokens, tokensSince } from "./usage.ts";

export type StreamDeps = DriverDeps & OwnProgram;

/** All that orch knows of one such program: how it is started, and what its lines mean. */
export interface StreamAgent<S extends AgentSpec> {
  readonly name: S["driver"];
  readonly abilities: DriverAbilities;
  /** What names of its conversations look like; others are not handed to it. */
  readonly conversation: RegExp;
  /** Throws where the disk does. */
  program(session: StreamSession<S>): StreamProgram;
  /** For the output of one process. */
  reader(): StreamReader;
}

export interface StreamSession<S extends AgentSpec> {
  readonly spec: S;
  readonly request: SessionRequest;
  readonly deps: StreamDeps;
  /** null: the program's own default. */
  readonly model: string | null;
  /** With everything by which the agent finds its session. */
  readonly env: Readonly<Record<string, string>>;
  readonly channel: QuestionChannel;
}

export interface StreamProgram extends SessionProgram {
  /** Of the program, as far as its files tell. */
  readonly version: string | null;
}

export interface StreamReader {
  take(event: JsonObject): readonly SessionEvent[];
  end(exit: StreamExit): StreamEnd;
}

/** How the process left; `detail` is the tail of its error output. */
export interface StreamExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly detail: string;
}

export interface StreamEnd {
  /** As the agent itself tells it; what orch did to the process outranks it. */
  readonly ending: SessionEnding;
  readonly sessionId: string | null;
  /** Used by the conversation from its beginning; null: it did not say. */
  readonly tokens: TokenCounts | null;
}

/** Questions wait in the agent's own call of the tool; one that waits too long ends the session. */
export function createStreamDriver<S extends AgentSpec>(
  agent: StreamAgent<S>,
  spec: S,
  deps: StreamDeps,
): AgentDriver {
  return driverOf(agent, async (request, signal) => {
    const { start } = request;
    if (start.kind !== "fresh" && !agent.conversation.test(start.sessionId)) {
      const detail = `${excerpt(start.sessionId, 80)} is no conversation of ${agent.name}`;
      return notStarted(request, "conversation-unknown", detail);
    }
    return withQuestionChannel(
      { request, program: deps, redact: deps.redact, asks: "hold" },
      (channel) => runAgent(agent, sessionOf({ spec, deps, request }, channel), signal),
    );
  });
}

function sessionOf<S extends AgentSpec>(
  { spec, deps, request }: Pick<StreamSession<S>, "spec" | "deps" | "request">,
  channel: QuestionChannel,
): StreamSession<S> {
  const model = request.model ?? spec.model;
  const env = {
    ...channel.environment(sessionEnvironment(request, deps.env(request.cwd), spec.env)),
    ORCH_MCP: writeToolServers(channel.folder, deps),
  };
  return { spec, request, deps, model, env, channel };
}

async function runAgent<S extends AgentSpec>(
  agent: StreamAgent<S>,
  session: StreamSession<S>,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const { request, deps } = session;
  const program = agent.program(session);
  const reader = agent.reader();
  const { end, errorTail } = await runSession(
    { request, program, deps },
    (emit) => ({
      onJson: (value) => {
        if (isObject(value)) for (const event of reader.take(value)) emit(event);
      },
      onText: (text) => {
        if (text.trim() !== "") emit({ type: "note", text });
      },
    }),
    signal,
  );
  const { exitCode, signal: killedBy } =
    end.kind === "ended" ? end : { exitCode: null, signal: null };
  const last = reader.end({ exitCode, signal: killedBy, detail: errorTail });
  const ending = endingOf(end, last.ending, errorTail);
  return {
    ending,
    ...usedBy(last.tokens, { request, model: session.model ?? agent.name }),
    sessionId: last.sessionId ?? conversationLeft(request, ending),
    agentVersion: program.version,
    unasked: [],
  };
}

/** Which of its models a conversation used before is not told: all its tokens are one sum. */
function usedBy(
  tokens: TokenCounts | null,
  { request, model }: { readonly request: SessionRequest; readonly model: string },
): Pick<SessionEnd, "usage" | "totals"> {
  const before = request.totalsBefore;
  if (tokens === null) return { usage: NO_USAGE, totals: before };
  const used = tokensSince(tokens, allTokens(before));
  return {
    usage: { ...NO_USAGE, byModel: { [model]: used } },
    totals: { byModel: { [model]: tokens }, costUsd: 0 },
  };
}
