// What is a driver given to carry out one session, and what does orch see of it meanwhile?

import { waitForAnswerMaxMs } from "../core/decide/asking.ts";
import type { Reserved, SessionStart, StartedSession } from "../core/model/event.ts";
import type { TaskId } from "../core/model/ids.ts";
import { actionsIn } from "../core/model/irreversible.ts";
import { reserveSpent } from "../core/run/budget.ts";
import { remarkWords } from "../core/run/remarks.ts";
import { allSessions, taskOf, variablesOf } from "../core/run/select.ts";
import { fenceOf } from "../core/run/scopes.ts";
import {
  type SessionTotals,
  NO_USAGE,
  type SessionEnd,
  type SessionEnding,
  type SessionProgress,
  type SessionTrace,
  type Usage,
  type SessionEvent,
} from "../core/model/session.ts";
import type { TaskState } from "../core/model/state.ts";
import { askBeside, questionsLeft, situationOf } from "./ask.ts";
import type { Log, Place } from "./log.ts";
import type { Ports, SessionRequest } from "./ports.ts";
import { afterEvent, loopIn, NO_WATCH } from "../readers/loops.ts";

export type Prepared = Pick<
  SessionRequest,
  "token" | "start" | "model" | "prompt" | "reportPath" | "attemptDir"
> & { readonly watch: Watch; readonly reserved: Reserved };

export function requestFor(
  place: Place,
  { watch, reserved, ...prepared }: Prepared,
  log: Log,
  ports: Ports,
): SessionRequest {
  const { task, step, at, workspace } = place;
  const { turns, idleMs, sessionMs } = step.limits;
  return {
    ...prepared,
    cwd: workspace.root,
    variables: variablesOf(workspace),
    limits: { turns, idleMs, sessionMs: Math.min(sessionMs, reserved.timeMs ?? sessionMs) },
    costLeftUsd: reserved.costUsd,
    level: step.level,
    holdMs: holdMs(place, ports),
    history: task.interactionHistory,
    questionsLeft: questionsLeft(place, log),
    allowedActions: actionsIn(task.task.allow),
    fence: fenceOf(task),
    totalsBefore: totalsBefore(task, prepared.start),
    names: { ...at, run: log.state.run?.id ?? "", attempt: `${at.attempt}` },
    onSpawn: async (process, program) => {
      await log.append({ type: "session-spawned", ...at, token: prepared.token, process, program });
      // All that judges it afterwards is loaded while the agent starts.
      // A failure is reported where the module is needed.
      import("./prove.ts").catch(() => {});
    },
    onEvent: (event) => {
      watch.see(event);
      ports.view.activity(at.task, at.step, event);
    },
    onUsage: (usage) => watch.use(usage),
    followWords: (take) => followWords(at.task, take, { start: prepared.start, log }),
    onAsked: async (asked, signal) => {
      const rest = watch.pause();
      try {
        const outcome = await askBeside({ asked, signal }, place, log, ports);
        if (outcome.kind === "ended") watch.end();
        return outcome.kind === "answer" ? outcome.text : null;
      } finally {
        rest();
      }
    },
  };
}

/** More in one session would fill its context: the newest of them stand in the next prompt. */
const TAKEN_MAX = 100;

/** An answer goes alone: what was said since the session before began was in no prompt. */
function followWords(
  id: TaskId,
  take: (words: string) => void,
  { start, log }: { readonly start: SessionStart; readonly log: Log },
): void {
  const task = taskOf(log.state, id);
  const since = allSessions(task).at(start.kind === "deliver" ? -2 : -1)?.startedAt ?? "";
  let left = TAKEN_MAX;
  log.takers.set(id, (words) => {
    take(words);
    if ((left -= 1) === 0) log.takers.delete(id);
  });
  for (const { answer } of task.remarks) if (answer.at > since) take(remarkWords(answer.text));
}

function holdMs({ step }: Place, ports: Ports): number {
  if (step.level === 0 || situationOf(ports).asks === "never") return 0;
  return waitForAnswerMaxMs(step.limits.idleMs);
}

/** The newest totals of the conversation that is taken up again; a fresh one begins at nothing. */
export function totalsBefore(task: TaskState, start: SessionStart): SessionTotals | null {
  if (start.kind === "fresh") return null;
  const same = allSessions(task).filter((s) => s.ended?.sessionId === start.sessionId);
  return same.flatMap((s) => (s.ended?.totals ? [s.ended.totals] : [])).at(-1) ?? null;
}

export type Watch = ReturnType<typeof watchSession>;

type Watched = Pick<StartedSession, "abilities" | "reserved">;

const CLOSING_CHARS = 4_000;

/**
 * Only what a driver tells of steps can be watched for loops: what a program prints is none. One that does
 * not tell all of them may have made a call where none is seen.
 */
export function watchSession(session: Watched, stop: AbortSignal, nowMs: () => number) {
  const { abilities, reserved } = session;
  const ended = new AbortController();
  const work = workClock(nowMs);
  let watch = NO_WATCH;
  let stopped: SessionEnding | null = null;
  let toolCalls = 0;
  let closing = "";
  let hook: string | null = null;
  let usage = NO_USAGE;
  const endFor = (why: SessionEnding): void => {
    if (!ended.signal.aborted) stopped = why;
    ended.abort();
  };
  return {
    /** Aborts when the run is stopped, or the session goes round in circles or has spent what it may. */
    signal: AbortSignal.any([stop, ended.signal]),
    see: (event: SessionEvent): void => {
      // What a hook sent back is often repeated word for word.
      if (event.type === "text" && !closing.endsWith(`\n${event.text}`))
        closing = `${closing}\n${event.text}`.slice(-CLOSING_CHARS);
      if (event.type === "tool-call") toolCalls += 1;
      if (event.type === "hook") hook = event.text;
      if ((!abilities.tellsSteps && toolCalls === 0) || ended.signal.aborted) return;
      watch = afterEvent(watch, event);
      const loop = loopIn(watch);
      if (loop !== null) endFor({ kind: "looped", rule: loop.rule, detail: loop.evidence });
    },
    use: (now: Usage): void => {
      usage = now;
      const spent = reserveSpent(usage, reserved);
      if (spent !== null) endFor({ kind: "limit", limit: spent });
    },
    isSpent: (): boolean => stopped?.kind === "limit",
    /** A person is asked: until the returned function is called the session's time stands still. */
    pause: work.pause,
    /** What it used so far. */
    progress: (): SessionProgress => ({ usage, elapsedMs: work.ms() }),
    /** A person ended the task: the session is to stop. */
    end: () => ended.abort(),
    trace: (): SessionTrace => ({
      toolCalls: abilities.tellsSteps || toolCalls > 0 ? toolCalls : null,
      closing: closing.trim(),
      hook,
    }),
    /** The ending with the reason for a stop, which the driver does not know. */
    ending: ({ ending }: SessionEnd): SessionEnding =>
      ending.kind === "interrupted" && !stop.aborted ? (stopped ?? ending) : ending,
  };
}

/** Time stands still while a person is asked, however many questions wait at once. */
function workClock(nowMs: () => number): { readonly pause: () => () => void; ms(): number } {
  const beganMs = nowMs();
  let pausedMs = 0;
  let waiting = 0;
  let sinceMs = 0;
  return {
    pause: () => {
      if (waiting++ === 0) sinceMs = nowMs();
      return () => {
        if (--waiting === 0) pausedMs += Math.max(0, nowMs() - sinceMs);
      };
    },
    ms: () => Math.max(0, (waiting > 0 ? sinceMs : nowMs()) - beganMs - pausedMs),
  };
}
