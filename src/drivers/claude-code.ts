// How does Claude Code carry out a session?

import { homedir } from "node:os";
import { join } from "node:path";

import { excerpt } from "../core/model/excerpt.ts";
import type { DriverAbilities } from "../core/model/event.ts";
import type { SessionEnding, SessionEnd } from "../core/model/session.ts";
import type { AgentDriver, SessionRequest } from "../engine/ports.ts";
import { claudeArguments, claudeEnvironment, writeSystemPrompt } from "./claude-code/arguments.ts";
import type { ClaudeCodeSpec } from "./claude-code/arguments.ts";
import { answersFor, createControl } from "./claude-code/control.ts";
import { selfEnding, createLiveUsage, totalsOf, usageOf } from "./claude-code/ending.ts";
import type { StreamFacts } from "./claude-code/facts.ts";
import { createHooks, type Hooks } from "./claude-code/hooks.ts";
import { watchStream, type StreamWatch } from "./claude-code/watch.ts";
import type { Deferred } from "../mcp/open-questions.ts";
import { withQuestionChannel, type QuestionChannel, type OwnProgram } from "./question-channel.ts";
import {
  conversationLeft,
  driverOf,
  endingOf,
  notStarted,
  runSession,
  UUID,
} from "./session-run.ts";
import type { DriverDeps, ProgramEnd } from "./session-run.ts";

export interface ClaudeCodeDeps extends DriverDeps, OwnProgram {
  /** `PATIENCE`, unless a test is in a hurry. */
  readonly patience: Patience;
}

interface Patience {
  /** How long a process may take to exit by itself after its last result. */
  readonly lingerMs: number;
  /** How long a call that was put off may take to be taken up again, once the program is there. */
  readonly takeUpMs: number;
}

export const PATIENCE: Patience = { lingerMs: 5_000, takeUpMs: 20_000 };

const ABILITIES: DriverAbilities = {
  resumes: true,
  tellsSteps: true,
  asks: true,
  tellsCost: true,
};

/** Drives `claude -p`. Questions and the report are held by hooks: `claude-code/control.ts`, `hooks.ts`. */
export function createClaudeCode(spec: ClaudeCodeSpec, deps: ClaudeCodeDeps): AgentDriver {
  return driverOf({ name: "claude-code", abilities: ABILITIES }, (request, signal) =>
    runConversation({ spec, deps, request }, signal),
  );
}

interface Session {
  readonly spec: ClaudeCodeSpec;
  readonly deps: ClaudeCodeDeps;
  readonly request: SessionRequest;
}

async function runConversation(session: Session, signal: AbortSignal): Promise<SessionEnd> {
  const { spec, deps, request } = session;
  const { start } = request;
  // orch can die before the conversation's id is on disk; the token is on disk before it starts.
  const sessionId = start.kind === "fresh" ? request.token : start.sessionId;
  // Another agent's name, and what could be taken for an option.
  if (!UUID.test(sessionId))
    return notStarted(
      request,
      "conversation-unknown",
      `${excerpt(sessionId, 80)} is no session id`,
    );
  const env = claudeEnvironment(request, deps.env(request.cwd), spec.env);
  const { redact } = deps;
  const hooks = createHooks({ ...request, home: env["HOME"] ?? null, redact });
  const channel = { request, program: deps, redact, answers: answersFor(request) };
  return withQuestionChannel({ ...channel, asks: "defer" }, (channel) =>
    runClaude(session, { sessionId, env, channel, hooks }, signal),
  );
}

interface Conversation {
  readonly sessionId: string;
  readonly channel: QuestionChannel;
  readonly hooks: Hooks;
  /** Of the agent, but for the channel. */
  readonly env: Readonly<Record<string, string>>;
}

async function runClaude(
  { spec, deps, request }: Session,
  { sessionId, env, channel, hooks }: Conversation,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const { asks } = channel;
  const { lingerMs, takeUpMs } = deps.patience;
  const onResult = (): void => control.resultCame();
  const watch = watchStream(
    { expected: { hooks, asks, asking: channel.questions.asking }, lingerMs, onResult },
    signal,
  );
  const onNoCall = (): void => watch.stop("call-unknown");
  const control = createControl({ request, channel, hooks, takeUpMs, onNoCall });
  const system = writeSystemPrompt(channel.folder, request.level);
  const [file = "claude", ...leading] = spec.command ?? [
    deps.env(request.cwd)["ORCH_CLAUDE_BIN"] ?? "claude",
  ];
  const program = {
    file,
    args: [...leading, ...claudeArguments(request, sessionId, { spec, asks, system })],
    env: channel.environment(env),
    input: control.dialogue,
    needs: ownFolder(deps.env(request.cwd)),
  };
  const end = await runSession(
    { request, program, deps },
    (emit) => {
      const lines = watch.listen(emit);
      const count = createLiveUsage((usage) => request.onUsage(usage));
      return {
        ...lines,
        onJson: (value, text) => {
          count(value);
          lines.onJson(value, text);
        },
      };
    },
    watch.signal,
  );
  watch.close();
  control.close();
  const ending = endingFor(end, watch, channel.questions.deferred);
  return sessionEnd(request, ending, watch.facts());
}

/** Where it keeps its sign-in and its conversations; what it is told to do there is the user's alone. */
function ownFolder(env: Readonly<Record<string, string>>) {
  const home = env["HOME"] ?? homedir();
  const folder = env["CLAUDE_CONFIG_DIR"] ?? join(home, ".claude");
  const keep = ["settings.json", "settings.local.json", "CLAUDE.md", ...OWN_FOLDERS];
  return {
    write: [folder, join(home, ".claude.json")],
    keep: keep.map((name) => join(folder, name)),
  };
}

const OWN_FOLDERS = ["agents", "commands", "hooks", "output-styles", "plugins", "skills"];

/** What ended the process decides; where orch did, what orch did it for. */
function endingFor(
  { end, errorTail }: ProgramEnd,
  watch: StreamWatch,
  deferred: Deferred | null,
): SessionEnding {
  const facts = watch.facts();
  const { exitCode, signal } = end.kind === "ended" ? end : { exitCode: null, signal: null };
  const ending = selfEnding(facts, { exitCode, signal, detail: errorTail }, deferred);
  const isLate = end.kind === "ended" && (end.cause === "timed-out" || end.cause === "idle");
  const stopped = isLate ? null : watch.stopped();
  const { asked } = facts;
  if (stopped === "asked" && asked !== null) return { kind: "asked", asked };
  if (stopped === "channel-missing")
    return { kind: "not-started", reason: "channel-missing", detail: watch.channelTrouble() };
  if (stopped === "call-unknown") return { kind: "not-started", reason: stopped, detail: NO_CALL };
  return stopped === "ended-before" ? ending : endingOf(end, ending, errorTail);
}

const NO_CALL = "no call of the conversation waits for the answer";

function sessionEnd(
  request: SessionRequest,
  ending: SessionEnding,
  facts: StreamFacts,
): SessionEnd {
  // Killed before its first answer, a conversation was not kept and cannot be taken up again.
  const kept = facts.turns > 0 || facts.result !== null;
  const begun = kept && ending.kind !== "not-started" && UUID.test(facts.sessionId ?? "");
  return {
    ending,
    usage: usageOf(facts, request.totalsBefore),
    sessionId: begun ? facts.sessionId : conversationLeft(request, ending),
    totals: totalsOf(facts, request.totalsBefore),
    agentVersion: facts.version === null ? null : excerpt(facts.version, 40),
    unasked: [],
  };
}
