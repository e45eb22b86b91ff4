// What is the same for all agents that take one prompt, print JSON lines and end?

import type { AgentSpec } from "../core/model/settings.ts";
import type { DriverAbilities } from "../core/model/event.ts";
import { excerpt } from "../core/model/excerpt.ts";
import { refusedBy } from "../core/model/machine.ts";
import { priced } from "../core/model/prices.ts";
import { NO_USAGE, silentEnd } from "../core/model/session.ts";
import type { SessionEnd, SessionEnding, Usage } from "../core/model/session.ts";
import type { AgentDriver, SessionRequest } from "../engine/ports.ts";
import type { StreamExit } from "./ending.ts";
import { channelEnvironment, withQuestionChannel, writeToolServers } from "./question-channel.ts";
import type { OwnProgram, QuestionChannel } from "./question-channel.ts";
import { endingOf, runSession } from "./session-run.ts";
import { sessionEnvironment, type DriverDeps, type SessionProgram } from "./session-run.ts";

export type StreamDeps = DriverDeps & OwnProgram;

/** All that orch knows of one such program: how it is started, and what its lines mean. */
export interface StreamAgent<S extends AgentSpec> {
  readonly name: S["driver"];
  readonly abilities: DriverAbilities;
  /** What names of its conversations look like; others are not handed to it. */
  readonly conversation: RegExp;
  /** How long its call of a tool may wait for a person; without it, as long as orch lets it. */
  holdMs?(spec: S): number;
  /** Answers to calls that its program put off; without it a call of the tool waits. */
  deferred?(request: SessionRequest): ReadonlyMap<string, string>;
  /** For one process; an ending: none is to be started. Throws where the disk does. */
  open(session: StreamSession<S>): StreamProgram | SessionEnding;
}

export interface StreamSession<S extends AgentSpec = AgentSpec> {
  readonly spec: S;
  readonly request: SessionRequest;
  readonly deps: StreamDeps;
  /** null: the program's own default. */
  readonly model: string | null;
  /** In the words of most providers; null: the agent's own. */
  readonly effort: string | null;
  /** With everything by which the agent finds its session. */
  readonly env: Readonly<Record<string, string>>;
  readonly channel: QuestionChannel;
  /** Aborts where orch ends the session. */
  readonly signal: AbortSignal;
}

export interface StreamProgram extends SessionProgram {
  /** Aborts once all is done that the program was started for; without it, it ends by itself. */
  readonly over?: AbortSignal;
  end(exit: StreamExit): StreamEnd | Promise<StreamEnd>;
}

/** What is left out, the agent does not tell. */
export interface StreamEnd extends Partial<Omit<SessionEnd, "unasked">> {
  /** It had come to this before its process was ended; else what orch did to that outranks it. */
  readonly isOver?: boolean;
}

/** Questions wait in the agent's own call of the tool; one that waits too long ends the session. */
export function createStreamDriver<S extends AgentSpec>(
  agent: StreamAgent<S>,
  spec: S,
  deps: StreamDeps,
): AgentDriver {
  const { name, abilities, conversation } = agent;
  const run: AgentDriver["run"] = async (given, signal) => {
    const holdMs = Math.min(given.holdMs, agent.holdMs?.(spec) ?? Infinity);
    const onUsage = (usage: Usage): void => given.onUsage(priced(usage, deps.prices));
    const request = { ...given, holdMs, onUsage };
    const { start } = request;
    if (start.kind !== "fresh" && !conversation.test(start.sessionId)) {
      const detail = `${excerpt(start.sessionId, 80)} is no conversation of ${name}`;
      return silentEnd({ kind: "not-started", reason: "conversation-unknown", detail });
    }
    const answers = agent.deferred?.(request) ?? null;
    const asking =
      answers === null ? { asks: "hold" as const } : { asks: "defer" as const, answers };
    const work = (channel: QuestionChannel): Promise<SessionEnd> => {
      const variables = sessionEnvironment(request, deps.env(request.cwd), spec.env);
      const env = {
        ...channelEnvironment(channel.folder, variables),
        ORCH_MCP: writeToolServers(channel.folder, deps),
      };
      const choice = modelChoice(request.model ?? spec.model);
      return runAgent(agent, { spec, request, deps, signal, ...choice, env, channel });
    };
    try {
      const options = { request, program: deps, redact: deps.redact, ...asking };
      return await withQuestionChannel(options, work);
    } catch (error) {
      // A full disk, a folder that is gone: nothing was started.
      const detail = error instanceof Error ? error.message : String(error);
      const ending = { reason: refusedBy(detail), detail: excerpt(detail, 500) };
      return silentEnd({ kind: "not-started", ...ending }, conversationOf(request));
    }
  };
  return { name, abilities, run };
}

async function runAgent<S extends AgentSpec>(
  agent: StreamAgent<S>,
  session: StreamSession<S>,
): Promise<SessionEnd> {
  const { request, deps, signal } = session;
  const program = agent.open(session);
  if ("kind" in program) return silentEnd(program);
  const signals = program.over === undefined ? [signal] : [signal, program.over];
  const { end, errorTail } = await runSession({ request, program, deps }, AbortSignal.any(signals));
  const { exitCode, signal: killedBy } =
    end.kind === "ended" ? end : { exitCode: null, signal: null };
  const last = await program.end({ exitCode, signal: killedBy, detail: errorTail });
  const isLate = end.kind === "ended" && (end.cause === "timed-out" || end.cause === "idle");
  const stated = last.isOver === true && !isLate ? last.ending : null;
  const ending = stated ?? endingOf(end, last.ending ?? null, errorTail);
  const isGone = ending.kind === "not-started" && ending.reason === "conversation-unknown";
  return {
    ...silentEnd(ending, last.sessionId ?? (isGone ? null : conversationOf(request))),
    totals: last.totals ?? null,
    agentVersion: last.agentVersion ?? null,
    usage: priced(last.usage ?? NO_USAGE, deps.prices),
  };
}

/** One that was to be taken up is still there for another try. */
function conversationOf({ start }: SessionRequest): string | null {
  return start.kind === "fresh" ? null : start.sessionId;
}

const CHOICE = /^(.*?)(?:@(none|minimal|low|medium|high|xhigh|max))?$/;

/** "sonnet@high" is a model with an effort, and "@high" an effort alone. */
export function modelChoice(written: string | null): Pick<StreamSession, "model" | "effort"> {
  const [, model = "", effort = null] = CHOICE.exec(written ?? "") ?? [];
  return { model: model === "" ? null : model, effort };
}
