// How does `orch resume` go on where a run stopped?

import { environmentLevel } from "../../adapters/environment.ts";
import type { OpenRun } from "../../adapters/log/event-store.ts";
import { currentOwner, requireFree, type Ownership } from "../../adapters/log/owner.ts";
import { isOfFleet, runFiles } from "../../adapters/log/run-files.ts";
import { hasResult, pickRun, requireRuns, unfinishedRuns } from "../../adapters/log/run-reader.ts";
import type { RunsHere } from "../../adapters/log/run-reader.ts";
import { answersIn } from "../../adapters/people/inbox.ts";
import { changedSince, readPinned } from "../../adapters/project/pinned.ts";
import type { Pinned, PinPlace } from "../../adapters/project/pinned.ts";
import { taskSource } from "../../adapters/project/task-source.ts";
import type { RunEvent } from "../../core/model/event.ts";
import type { PinnedPolicy } from "../../core/model/settings.ts";
import type { RunId } from "../../core/model/ids.ts";
import { atLevel, underPolicyOf } from "../../core/run/resolve.ts";
import { isFinished } from "../../core/run/outcome.ts";
import { gitKey } from "../../core/run/scopes.ts";
import { fold } from "../../core/run/reduce.ts";
import { firstOf } from "../../core/model/excerpt.ts";
import type { RunState } from "../../core/model/state.ts";
import type { Task } from "../../core/model/task.ts";
import { OrchError, nullIfWorded } from "../../errors.ts";
import { changedSettings } from "../../workspace/git/pinned-settings.ts";
import { VERSION } from "../../version.ts";
import { claimFolder, drive } from "../running/drive.ts";
import { preparedAnswers, tellRejected } from "../running/people.ts";
import { isTaken } from "./pick.ts";
import { refuseInsideSession } from "./inside-session.ts";
import { levelGiven, type Command } from "../command-line/options.ts";
import type { RunPlace } from "../running/context.ts";
import { gitSettings, openLate, policyOfRun } from "../running/pinned-run.ts";
import type { Begun, Going, NewPolicy } from "../running/pinned-run.ts";
import { contextOf, readyTasks, requireAgents, sayBefore } from "../running/preflight.ts";
import type { ReadyTasks } from "../running/preflight.ts";

/** Config and tasks count as the run began with them, and so does what its own command line chose. */
export const resumeCommand: Command = async ([wanted = null], given, io) => {
  const here = requireRuns(io.cwd);
  const { root } = here;
  const run = wanted === null ? meantRun(here) : pickRun(here, wanted);
  // Its result.json tells of the end.
  const isOver = hasResult(runFiles(root, run));
  if (wanted === null && isOver) throw ended(run);
  refuseInsideSession(io.env, "orch resume", root);
  if (isOfFleet(runFiles(root, run)))
    return (await import("../fleet/submit.ts")).resumeOnFleet(runFiles(root, run), {
      given,
      io,
      root,
    });
  const claim = { takeOver: given.takeOver === true };
  requireFree(runFiles(root, run).folder, claim);
  const prepared = preparedAnswers(given, io);
  let tree: Ownership | null = null;
  try {
    const onRejected = tellRejected(io);
    const { store, redactAs } = openLate(root, run, io, { ...claim, onRejected });
    try {
      const state = fold(store.events);
      if (state.run === null) throw discarded(run, store);
      if (state.run.isolation === "none") tree = claimFolder(root, claim);
      // A process that died between the last task's end and the result still owes the result.
      if (isFinished(state) && isOver) throw ended(run);
      const level = newLevel(state.run, state, { given, io });
      const flags = level === null ? state.run.flags : { ...state.run.flags, level: level.level };
      const going = await goneOn({ ...state.run, flags }, state, { store, root, given, io });
      const place = redactAs(going.place);
      sayBefore(going, place, given, io);
      const source = taskSource(state.run.source, contextOf(flags, place), place.redact);
      const opening = [resumed(state), ...(level === null ? [] : [level]), ...going.opening];
      return await drive({ place, store, source, opening, flags: given, prepared }, io);
    } finally {
      store.release();
    }
  } finally {
    tree?.release();
  }
};

function resumed({ process }: RunState): RunEvent {
  const stopped = process === "live" ? "killed" : "in-order";
  return { type: "run-resumed", stopped, orch: VERSION };
}

/** The flag counts, else the variable as it is set now; null: all that goes on is at that level. */
function newLevel(
  { flags }: Begun,
  state: RunState,
  { given, io }: Pick<Going, "given" | "io">,
): Extract<RunEvent, { type: "level-changed" }> | null {
  const byFlag = levelGiven(given);
  const level = byFlag ?? (flags.level === null ? environmentLevel(io.env) : null);
  const steps = unended(state).flatMap(({ task }) => task.steps);
  if (level === null || steps.every((step) => step.level === level)) return null;
  return { type: "level-changed", level, by: byFlag === null ? "environment" : "flag" };
}

function unended({ tasks }: RunState): RunState["tasks"] {
  return tasks.filter(({ cursor }) => cursor.at !== "ended");
}

interface GoneOn extends ReadyTasks {
  readonly place: RunPlace;
  /** What this process adds to the log because a person had the files read again. */
  readonly opening: readonly RunEvent[];
}

async function goneOn(begun: Begun, state: RunState, going: Going): Promise<GoneOn> {
  const policy = await policyOfRun(begun, going);
  const { pinned, place } = policy;
  if ("keep" in policy) return reloaded(begun, state, { ...going, policy });
  const open = unended(state);
  const opening = open.flatMap(({ task, by, notHeeded }): RunEvent[] => {
    const { level } = begun.flags;
    if (level === null || level === state.run?.flags.level) return [];
    return [{ type: "task-defined", task: atLevel(task, level, place.settings), by, notHeeded }];
  });
  const tasks = open.map(({ task }) => task);
  requireAgents(tasks, place);
  const sources = state.tasks.map(({ task: { source } }) => source);
  const ofRun = new Set(sources.map((one) => (one.kind === "file" ? one.path : null)));
  const changed = changedSince(pinned, { source: begun.source, root: going.root }).filter(
    // What its tasks wrote is known to the run.
    (path) => path in pinned.files || !ofRun.has(path),
  );
  return { place, tasks, notes: changedNotes(changed, pinned), opening };
}

/** As far as it is known what git went by before. */
async function gitChanged({ git: before }: Pinned, at: PinPlace): Promise<readonly string[]> {
  const now = await gitSettings(at);
  return before === null || now === null ? [] : changedSettings(before, now).map(gitKey);
}

async function reloaded(
  begun: Begun,
  state: RunState,
  { root, io, store, policy }: Going & { readonly policy: NewPolicy },
): Promise<GoneOn> {
  const { source, flags, pinned } = begun;
  const { place } = policy;
  const ready = readyTasks(source, flags, place);
  policy.keep(store);
  const at = { root, env: io.env };
  const before = whatWas(store, pinned, at);
  const changed =
    before === null
      ? []
      : [...changedSince(before, { source, root }), ...(await gitChanged(before, at))];
  const taken: RunEvent = { type: "settings-pinned", pinned: policy.policy, changed };
  return { ...ready, place, opening: [taken, ...redefined(state, ready.tasks)] };
}

/** A task that another one wrote is held to that one's policy, as it is now. */
function redefined({ tasks: earlier }: RunState, tasks: readonly Task[]): readonly RunEvent[] {
  return tasks.flatMap((task): readonly RunEvent[] => {
    const old = earlier.find((one) => one.task.id === task.id);
    const by = old?.by ?? null;
    const author =
      tasks.find(({ id }) => id === by) ?? earlier.find((one) => one.task.id === by)?.task;
    const underAuthor = author === undefined ? task : underPolicyOf(author, task);
    if (JSON.stringify(underAuthor) === JSON.stringify(old?.task)) return [];
    return [{ type: "task-defined", by, task: underAuthor, notHeeded: old?.notHeeded ?? [] }];
  });
}

/** null: it is damaged, and what a person asks for is to go on without it. */
function whatWas(store: OpenRun, named: PinnedPolicy, at: PinPlace): Pinned | null {
  try {
    return readPinned(store.files, named, at);
  } catch (error) {
    return nullIfWorded(error);
  }
}

const CHANGED_NAMED_MAX = 5;

function changedNotes(changed: readonly string[], { config }: Pinned): readonly string[] {
  const others = changed.filter((path) => path !== config);
  const since = "changed since the run began";
  return [
    ...(changed.includes(config) ? [`the config ${since} (${config})`] : []),
    ...(others.length === 0
      ? []
      : [`tasks or prompts ${since}: ${firstOf(others, CHANGED_NAMED_MAX)}`]),
  ].map(
    (what) =>
      `${what}; the run keeps the settings it began with; \`orch resume --reload-config\` uses the new ones`,
  );
}

/** One that nobody works on: where an answer waits to be used, else the newest that can go on. */
function meantRun(here: RunsHere): RunId {
  const free = unfinishedRuns(here).filter(
    (run) => !isTaken(currentOwner(runFiles(here.root, run).folder)),
  );
  const answered = free.find((run) => answersIn(runFiles(here.root, run).inbox).length > 0);
  return answered ?? free[0] ?? pickRun(here, null);
}

/** The process died between making the run's folder and its first event: there is nothing to go on with. */
function discarded(run: RunId, store: OpenRun): OrchError {
  store.discard();
  return new OrchError(
    "run-unknown",
    `the run ${run} died before its first event; its empty folder is removed`,
    "start it again with `orch run`",
  );
}

function ended(run: RunId): OrchError {
  return new OrchError(
    "run-ended",
    `the run ${run} has ended; there is nothing to resume`,
    "`orch show` tells how it ended; start another with `orch run`",
  );
}
