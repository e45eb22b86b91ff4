// How does Claude Code carry out a session?

import { join } from "node:path";

import { writeFileAtomic } from "../adapters/files/atomic-file.ts";
import { excerpt } from "../core/model/excerpt.ts";
import { agentOf } from "../core/model/known-agents.ts";
import type { SessionEnding } from "../core/model/session.ts";
import type { SessionRequest } from "../engine/ports.ts";
import { claudeArguments, claudeEnvironment, systemPrompt } from "./claude-code/arguments.ts";
import type { ClaudeCodeSpec } from "./claude-code/arguments.ts";
import { answersFor, createControl } from "./claude-code/control.ts";
import { selfEnding, createLiveUsage, totalsOf, usageOf } from "./claude-code/ending.ts";
import type { StreamFacts } from "./claude-code/facts.ts";
import { createHooks } from "./claude-code/hooks.ts";
import { watchStream, type StreamWatch } from "./claude-code/watch.ts";
import { UUID } from "./session-run.ts";
import type { StreamAgent, StreamEnd, StreamProgram, StreamSession } from "./stream-agent.ts";

export interface Patience {
  /** How long a process may take to exit by itself after its last result. */
  readonly lingerMs: number;
  /** How long a call that was put off may take to be taken up again, once the program is there. */
  readonly takeUpMs: number;
}

const PATIENCE: Patience = { lingerMs: 5_000, takeUpMs: 20_000 };

/**
 * Drives `claude -p`. Questions and the report are held by hooks: `claude-code/control.ts`, `hooks.ts`. A
 * test may be in a hurry.
 */
export function claudeCode(patience = PATIENCE): StreamAgent<ClaudeCodeSpec> {
  return {
    name: "claude-code",
    abilities: { resumes: true, tellsSteps: true, asks: true, tellsCost: true },
    // What could be taken for an option is none.
    conversation: UUID,
    deferred: answersFor,
    open: (session) => open(session, patience),
  };
}

function open(
  session: StreamSession<ClaudeCodeSpec>,
  { lingerMs, takeUpMs }: Patience,
): StreamProgram {
  const { spec, model, effort, deps, request, channel, signal } = session;
  const { start } = request;
  // orch can die before the conversation's id is on disk; the token is on disk before it starts.
  const sessionId = start.kind === "fresh" ? request.token : start.sessionId;
  const env = claudeEnvironment(request, session.env);
  const hooks = createHooks({ ...request, home: env["HOME"] ?? null, redact: deps.redact });
  const { asks, questions } = channel;
  const expected = { hooks, asks, asking: questions.asking };
  const onResult = (): void => control.resultCame();
  const watch = watchStream({ expected, lingerMs, onResult }, signal);
  const onNoCall = (): void => watch.stop("call-unknown");
  const control = createControl({ request, channel, hooks, takeUpMs, onNoCall });
  const count = createLiveUsage((usage) => request.onUsage(usage));
  const system = join(channel.folder, "system.md");
  writeFileAtomic(system, systemPrompt(request.level));
  const [file = "claude", ...leading] = spec.command ?? [env["ORCH_CLAUDE_BIN"] ?? "claude"];
  return {
    file,
    args: [...leading, ...claudeArguments(request, sessionId, { model, effort, asks, system })],
    env,
    input: control.dialogue,
    preset: agentOf("claude-code"),
    over: watch.over,
    take: (event) => {
      count(event);
      return watch.take(event);
    },
    end: (exit) => {
      watch.close();
      control.close();
      return endOf(request, watch, selfEnding(watch.facts(), exit, questions.deferred));
    },
  };
}

/** Where orch ended the process, what orch did it for decides. */
function endOf(request: SessionRequest, watch: StreamWatch, declared: SessionEnding): StreamEnd {
  const facts = watch.facts();
  const why = watch.stopped();
  const isOver = why !== null && why !== "interrupted";
  const ending = stoppedFor(watch) ?? declared;
  return {
    ending,
    isOver,
    usage: usageOf(facts, request.totalsBefore),
    sessionId: ending.kind === "not-started" ? null : conversationIn(facts),
    totals: totalsOf(facts, request.totalsBefore),
    agentVersion: facts.version === null ? null : excerpt(facts.version, 40),
  };
}

/** null: it had ended by itself. */
function stoppedFor(watch: StreamWatch): SessionEnding | null {
  const { asked } = watch.facts();
  const why = watch.stopped();
  if (why === "asked" && asked !== null) return { kind: "asked", asked };
  if (why === "channel-missing")
    return { kind: "not-started", reason: why, detail: watch.channelTrouble() };
  return why === "call-unknown" ? { kind: "not-started", reason: why, detail: NO_CALL } : null;
}

const NO_CALL = "no call of the conversation waits for the answer";

/** Killed before its first answer, a conversation was not kept and cannot be taken up again. */
function conversationIn({ turns, result, sessionId }: StreamFacts): string | null {
  const isKept = turns > 0 || result !== null;
  return isKept && UUID.test(sessionId ?? "") ? sessionId : null;
}
