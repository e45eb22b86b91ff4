// How does a command carry a run to its end, and tell how it came out?

import { rmSync } from "node:fs";
import { join } from "node:path";

import { makeFolderDurable, writeFileAtomic } from "../adapters/atomic-file.ts";
import type { OpenRun } from "../adapters/event-store.ts";
import { takeOwnership, type Ownership } from "../adapters/owner.ts";
import { ensureOrchFolder, orchFolder } from "../adapters/run-files.ts";
import { systemClock } from "../adapters/system-clock.ts";
import { redactedActivity } from "../adapters/redact-activity.ts";
import { createTerminalHuman } from "../adapters/terminal-human.ts";
import { invariant } from "../core/assert.ts";
import type { Recorded, RunEvent } from "../core/event.ts";
import type { Question } from "../core/question.ts";
import { exitCodeOf } from "../core/outcome.ts";
import { projectResult, projectRun } from "../core/projection.ts";
import { fold } from "../core/reduce.ts";
import type { RunState } from "../core/state.ts";
import { Stop } from "../engine/interrupt.ts";
import { Log } from "../engine/log.ts";
import type { Outside } from "../engine/outside.ts";
import type { TaskSource, View } from "../engine/ports.ts";
import { run } from "../engine/run.ts";
import { OrchError } from "../errors.ts";
import { outsideOf, type RunPlace } from "./context.ts";
import { isInteractive, printErr, styleOf, type CliIo } from "./io.ts";
import type { FollowFlags } from "./options.ts";
import { renderPromptHelp, renderQuestion, renderWaiting } from "./render/question.ts";
import { createDisplay, type RunDisplay } from "./view.ts";

export interface Drive {
  readonly place: RunPlace;
  readonly store: OpenRun;
  readonly source: TaskSource;
  /** What this process adds to the log before it begins. */
  readonly opening: readonly RunEvent[];
  readonly flags: FollowFlags;
  /** Also told of every event; for `orch demo`, which answers from a file. */
  readonly watcher: ((events: readonly Recorded[]) => void) | null;
}

/** Runs until nothing more can be done, prints the result, and resolves to the exit code. */
export async function drive(plan: Drive, io: CliIo): Promise<number> {
  const { store, flags } = plan;
  const stop = new Stop();
  const unlisten = listen(stop);
  const display = createDisplay(io, { ...flags, run: store.files.id });
  const view = viewOf(plan, display);
  const teller = createTeller(plan, io);
  const log = new Log(fold(store.events), store, view);
  try {
    rmSync(store.files.result, { force: true });
    await log.append(...plan.opening);
    const state = await run(log, outside(plan, { display, view, stop, io, teller }));
    for (const { pendingQuestion } of state.tasks) teller.left(pendingQuestion);
    return finish(state, exitCodeOf(state, stop.cause), { store, display });
  } catch (error) {
    await partInOrder(error, log, store);
    throw error;
  } finally {
    unlisten();
    display.stop();
    store.release();
  }
}

interface Around {
  readonly display: RunDisplay;
  readonly view: View;
  readonly stop: Stop;
  readonly io: CliIo;
  readonly teller: Teller;
}

function outside(plan: Drive, { display, view, stop, io, teller }: Around): Outside {
  const style = styleOf(io, "stderr");
  const human = createTerminalHuman({
    input: io.stdin,
    output: io.stderr,
    present: canPrompt(io),
    screen: display.screen,
    words: {
      question: (question) => renderQuestion(question, style),
      help: (question) => renderPromptHelp(question, style),
    },
    now: () => new Date(systemClock.nowMs()).toISOString(),
  });
  const { store, ...world } = outsideOf(plan.place, plan.store);
  return {
    ...world,
    store: {
      ...store,
      publishQuestion: async (question, answer) => {
        await store.publishQuestion(question, answer);
        if (answer === null) teller.asked(question);
      },
    },
    human,
    source: plan.source,
    view,
    stop,
    waits: plan.flags.wait,
  };
}

function canPrompt(io: CliIo): boolean {
  return isInteractive(io) && io.env["CI"] !== "true";
}

/** Names `orch answer` to who cannot be prompted, once for each question. */
interface Teller {
  /** The process may be about to wait for the answer. */
  asked(question: Question): void;
  /** The process leaves; null: nothing was asked. */
  left(question: Question | null): void;
}

function createTeller({ flags, store }: Drive, io: CliIo): Teller {
  const told = new Set<string>();
  const tell = (question: Question, run: string | null): void => {
    if (canPrompt(io) || told.has(question.id)) return;
    told.add(question.id);
    printErr(io, renderWaiting(question, run, styleOf(io, "stderr")));
  };
  return {
    asked: (question) => (flags.wait ? tell(question, null) : undefined),
    left: (question) => (question === null ? undefined : tell(question, store.files.id)),
  };
}

/** Events go to the screen, to whoever watches, and into state.json. */
function viewOf({ store, watcher, place }: Drive, display: RunDisplay): View {
  let newest: RunState | null = null;
  const file = store.projection(store.files.state, () =>
    newest === null ? "" : `${JSON.stringify(projectRun(newest))}\n`,
  );
  return {
    recorded: (events, state) => {
      newest = state;
      display.view.recorded(events, state);
      watcher?.(events);
      if (events.some(isResting)) file.flush();
      else file.changed();
    },
    activity: (task, step, event) => {
      display.view.activity(task, step, redactedActivity(event, place.redact));
    },
  };
}

/** At these the file is made current at once: a person or a program may look now. */
function isResting({ event: { type } }: Recorded): boolean {
  return type === "question-asked" || type === "run-ended" || type === "run-interrupted";
}

function finish(
  state: RunState,
  exitCode: number,
  { store, display }: { store: OpenRun; display: RunDisplay },
): number {
  const view = projectRun(state);
  invariant(view !== null, "a run that ended had begun");
  const result = projectResult(view, exitCode);
  writeFileAtomic(store.files.result, `${JSON.stringify(result, null, 2)}\n`);
  display.end(result);
  return exitCode;
}

/**
 * What the user can mend stopped the run. Where no task had begun there is nothing to go on with,
 * and the run leaves no trace; else its log says that the process left in order.
 */
async function partInOrder(error: unknown, log: Log, store: OpenRun): Promise<void> {
  if (!(error instanceof OrchError)) return;
  if (log.state.tasks.every((task) => task.startedAt === null)) {
    store.release();
    rmSync(store.files.folder, { recursive: true, force: true });
    return;
  }
  try {
    await log.append({ type: "run-ended", exitCode: 2 });
  } catch {
    // The log itself is what failed; the first error is the one to tell.
  }
}

/** The first signal ends the run in order; the third ends the process, and the guards do the rest. */
function listen(stop: Stop): () => void {
  let heard = 0;
  const handlers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const handler = (): void => {
      heard += 1;
      stop.trigger(signal);
      if (heard >= 3) process.exit(signal === "SIGINT" ? 130 : 143);
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => {
    for (const off of handlers) off();
  };
}

/** One run at a time works in a tree: two would judge each other's changes. */
export function claimTree(root: string): Ownership {
  ensureOrchFolder(root);
  const folder = join(orchFolder(root), "tree");
  makeFolderDurable(folder);
  try {
    return takeOwnership(folder);
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    throw new OrchError(
      error.code,
      `another run works in this tree: ${error.message}`,
      "wait for it, stop it with Ctrl+C, or work in a second clone",
      { cause: error },
    );
  }
}
