// What is a driver given to carry out one session?

import { waitForAnswerMaxMs } from "../core/decide/asking.ts";
import type { Reserved, SessionStart } from "../core/model/event.ts";
import { actionsIn } from "../core/model/irreversible.ts";
import { allSessions } from "../core/run/select.ts";
import { fenceOf } from "../core/run/scopes.ts";
import type { SessionTotals } from "../core/model/session.ts";
import type { TaskState } from "../core/model/state.ts";
import { askBeside, questionsLeft, situationOf } from "./ask.ts";
import type { Log } from "./log.ts";
import type { Ports, SessionRequest } from "./ports.ts";
import { variablesOf, type Place } from "./place.ts";
import type { Watch } from "./watch.ts";

export type Prepared = Pick<
  SessionRequest,
  "token" | "start" | "prompt" | "reportPath" | "attemptDir"
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
    model: step.model,
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
      // A failure is told where it is needed.
      import("./gather.ts").catch(() => {});
    },
    onOutlived: (programs) =>
      log.append({ type: "session-outlived", ...at, token: prepared.token, programs }),
    onEvent: (event) => {
      watch.hear(event);
      ports.view.activity(at.task, at.step, event);
    },
    onUsage: (usage) => watch.use(usage),
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

function holdMs({ step }: Place, ports: Ports): number {
  if (step.level === 0 || situationOf(ports).asks === "never") return 0;
  return waitForAnswerMaxMs(step.asking.holdMs, step.limits.idleMs);
}

/** The newest totals of the conversation that is taken up again; a fresh one begins at nothing. */
export function totalsBefore(task: TaskState, start: SessionStart): SessionTotals | null {
  if (start.kind === "fresh") return null;
  const same = allSessions(task).filter((s) => s.ended?.sessionId === start.sessionId);
  return same.flatMap((s) => (s.ended?.totals ? [s.ended.totals] : [])).at(-1) ?? null;
}
