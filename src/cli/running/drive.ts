// How does a command carry a run to its end, and tell how it came out?

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";

import { makeFolderDurable, writeFileAtomic } from "../../adapters/files/atomic-file.ts";
import { machineRemedy } from "../../core/model/machine.ts";
import { noRoom, systemCode, writeFailure } from "../../adapters/files/disk.ts";
import type { OpenRun } from "../../adapters/log/event-store.ts";
import { forgetRecord, noteRecord } from "../../adapters/log/run-index.ts";
import { viewText } from "../../adapters/log/run-view-file.ts";
import { takeOwnership, type Ownership } from "../../adapters/log/owner.ts";
import { ensureOrchFolder, listRuns, orchFolder } from "../../adapters/log/run-files.ts";
import type { RunFiles } from "../../adapters/log/run-files.ts";
import type { Recorded, RunEvent } from "../../core/model/event.ts";
import { shortener } from "../../core/model/ids.ts";
import { exitMeaning } from "../../core/model/exit-code.ts";
import { exitCodeOf } from "../../core/run/outcome.ts";
import { projectResult, projectRun } from "../../core/views/projection.ts";
import { fold } from "../../core/run/reduce.ts";
import type { RunResult } from "../../core/views/run-view.ts";
import type { RunState } from "../../core/model/state.ts";
import { takeAnswers } from "../../engine/answer.ts";
import { Stop } from "../../engine/interrupt.ts";
import { Log } from "../../engine/log.ts";
import type { PreparedAnswers, Ports, TaskSource, View } from "../../engine/ports.ts";
import { run as runLoop } from "../../engine/run.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";
import { isFullAt } from "../../workspace/git/failure.ts";
import { realPorts, type RunPlace } from "./context.ts";
import { personAt } from "./at-terminal.ts";
import { canPrompt, type CliIo, exitNow, isGithubJob } from "../io.ts";
import { renderError, type Shown as CiEnd } from "../render/error.ts";
import { requireRoom } from "./preflight.ts";
import type { Given } from "../command-line/options.ts";
import { createAnswerHint, createExternalNotifier } from "./people.ts";
import { createDisplay, type RunDisplay } from "./view.ts";
import { invariant } from "../../core/model/assert.ts";

export interface Drive {
  readonly place: RunPlace;
  readonly store: OpenRun;
  readonly source: TaskSource;
  /** What this process adds to the log before it begins. */
  readonly opening: readonly RunEvent[];
  readonly flags: Given;
  /** Answers that were given in advance; null: none were. */
  readonly prepared: PreparedAnswers | null;
}

/** Runs until nothing more can be done, prints the result, and resolves to the exit code. */
export async function drive(plan: Drive, io: CliIo): Promise<number> {
  const { store, flags, place } = plan;
  const run = store.files.id;
  const stop = new Stop();
  const display = createDisplay(io, { ...flags, run, short: shortener(listRuns(place.root))(run) });
  const shown = { plan, io, ...display };
  const unlisten = listen(stop);
  const hint = createAnswerHint(run, io);
  const { places, ...real } = realPorts(place, store);
  let people: ReturnType<typeof createExternalNotifier> = null;
  const traces = await openTraces(plan, display);
  const view = everyone(plan, display, traces, (events) => people?.recorded(events));
  const log = new Log(fold(store.events), store, view);
  try {
    await clearTheWay(plan, io);
    await log.append(...plan.opening);
    people = createExternalNotifier(place, { run, prepared: plan.prepared }, log, stop.signal);
    const { inbox } = store.files;
    const ports: Ports = {
      ...real,
      human: personAt(io, display.screen, { present: canPrompt(io), rings: true, inbox }),
      prepared: plan.prepared,
      source: plan.source,
      view,
      stop,
      waits: flags.wait === true,
    };
    const telling = withHint(ports, () => flags.wait === true && hint(log.state, false));
    // Whatever state the run was in: what waits for a person comes first.
    await takeAnswers(log, telling);
    hint(log.state, flags.wait !== true);
    const state = await runLoop(log, telling);
    await people?.flush();
    hint(state, true);
    const result = await finish(state, exitCodeOf(state, stop.cause), shown);
    // People who wait for the end are not told of a pause: that is told as a question, or was theirs.
    if (result.finished || ![4, 130, 143].includes(result.exitCode)) await people?.ended(result);
    return result.exitCode;
  } catch (error) {
    const fault = await endAfterUserError(error, log, store);
    await tellCi(log.state, renderError(fault), shown);
    throw fault;
  } finally {
    unlisten();
    display.stop();
    await places.close();
    store.release();
    await traces?.end(stop.cause !== null);
  }
}

/** Before anything is spent; what a result said of this run holds no more. */
async function clearTheWay({ place, flags, store: { files } }: Drive, io: CliIo): Promise<void> {
  requireRoom(place);
  if (flags.junit !== undefined) (await import("./ci.ts")).requireJunitFolder(flags, io);
  if (existsSync(files.result)) forgetRecord(files);
  rmSync(files.result, { force: true });
}

/** Loaded only where somebody wants traces: nobody else's start takes longer. */
async function openTraces({ place: { env }, store }: Drive, { screen }: RunDisplay) {
  const isAsked = env["OTEL_EXPORTER_OTLP_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
  if (!isAsked || env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return null;
  const { createTraces } = await import("../../adapters/otlp.ts");
  const tell = (why: string) => screen.line(`traces are not complete: ${why}`);
  return createTraces(env, store.events, tell);
}

function withHint(ports: Ports, hint: () => void): Ports {
  const publishQuestion: Ports["store"]["publishQuestion"] = async (question, answer) => {
    await ports.store.publishQuestion(question, answer);
    if (answer === null) hint();
  };
  return { ...ports, store: { ...ports.store, publishQuestion } };
}

/** Who hears of every event: the screen, state.json, and, by `tellOutside`, people elsewhere. */
function everyone(
  { store }: Drive,
  display: RunDisplay,
  traces: Awaited<ReturnType<typeof openTraces>>,
  tellOutside: (events: readonly Recorded[]) => void,
): View {
  let newest: RunState | null = null;
  const file = store.projection(store.files.state, () => {
    const view = newest === null ? null : projectRun(newest);
    return view === null ? "" : viewText(view);
  });
  return {
    recorded: (events, state) => {
      newest = state;
      display.view.recorded(events, state);
      tellOutside(events);
      traces?.recorded(events);
      if (events.some(isResting)) file.flush();
      else file.changed();
    },
    activity: (task, step, event) => display.view.activity(task, step, event),
  };
}

/** At these the file is made current at once: a person or a program may look now. */
function isResting({ event: { type } }: Recorded): boolean {
  return type === "question-asked" || type === "run-ended" || type === "run-interrupted";
}

type Shown = RunDisplay & { readonly plan: Drive; readonly io: CliIo };

async function finish(state: RunState, exitCode: number, shown: Shown): Promise<RunResult> {
  await tellCi(state, { exitCode, text: exitMeaning(exitCode) }, shown);
  const { view, result } = writeResult(state, exitCode, shown.plan.store.files);
  shown.end(view, exitCode);
  return result;
}

/** Where no CI system reads on, nothing is loaded for it. */
async function tellCi(state: RunState, how: CiEnd, { plan, io, stop }: Shown): Promise<void> {
  stop();
  const { junit = "" } = plan.flags;
  if (junit !== "" || isGithubJob(io))
    (await import("./ci.ts")).tellCi(projectRun(state), how, { ...plan.place, junit }, io);
}

/**
 * What the user can fix stopped the run. Where no tree was even planned there is nothing to go on with,
 * and the run leaves no trace; else its log says that the process left in order. What can be mended and
 * resumed puts the run off. Resolves to the error to tell.
 */
async function endAfterUserError(cause: unknown, log: Log, store: OpenRun): Promise<unknown> {
  const error = ofTheMachine(cause);
  if (!(error instanceof OrchError)) return error;
  if (log.state.tasks.every((task) => task.startedAt === null && task.workspace === null)) {
    store.discard();
    const hint = error.hint.replace(THEN_RESUME, "then run the command again; nothing was begun");
    const later = error.exitCode === 75 ? { exitCode: 75 as const } : {};
    return new OrchError(error.code, error.message, hint, { cause: error, ...later });
  }
  const reason = putOff(error);
  try {
    await log.append({ type: "run-ended", exitCode: reason.exitCode });
  } catch {
    // The log itself is what failed; the first error is the one to tell.
  }
  return reason;
}

/** It can meet any call of any port. */
function ofTheMachine(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const path = "path" in error && typeof error.path === "string" ? error.path : null;
  const code = systemCode(error);
  if (code === "ENOENT" && path !== null && isFullAt(path)) return writeFailure(path, noRoom(0, 1));
  if (code === "ENOSPC" || code === "EDQUOT") return writeFailure(path ?? "a file", error);
  const closed = path !== null && NOT_OPEN.has(code) ? "check who may read and write it" : null;
  const remedy = machineRemedy(code) ?? closed;
  if (remedy === null) return error;
  return new OrchError(
    "machine-fault",
    `the operating system refused what orch needs: ${error.message}`,
    `${remedy}, ${THEN_RESUME}`,
    { cause: error },
  );
}

/** Of a file or folder in which orch works, and which somebody closed or replaced. */
const NOT_OPEN: ReadonlySet<string> = new Set(["EACCES", "EPERM", "ENOTDIR", "ELOOP"]);

/** Where a resume helps: the error says so, or the system refused something that is still there. */
function putOff(error: OrchError): OrchError {
  const { code, message, hint, cause } = error;
  if (systemCode(cause) === "ENOENT") return error; // Somebody removed what would go on.
  if (hint.includes(THEN_RESUME))
    return new OrchError(code, message, hint, { cause, exitCode: 75 });
  if (systemCode(cause) === "") return error;
  return new OrchError(code, message, `${hint}, ${THEN_RESUME}`, { cause, exitCode: 75 });
}

/**
 * The first signal ends the run in order; the third ends the process, and the guards do the rest. The
 * second is no third one: a program that started orch may hand on what the terminal sent to both.
 */
export function listen(stop: Stop): () => void {
  let signals = 0;
  const handlers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => {
    const handler = (): void => {
      signals += 1;
      stop.trigger(signal);
      if (signals >= 3) exitNow(signal === "SIGINT" ? 130 : 143);
    };
    process.on(signal, handler);
    return () => process.off(signal, handler);
  });
  return () => handlers.forEach((off) => off());
}

/** One run at a time works in a tree: two would take each other's changes for their own. */
export function claimFolder(root: string, { takeOver = false } = {}): Ownership {
  ensureOrchFolder(root);
  const folder = join(orchFolder(root), "tree");
  makeFolderDurable(folder);
  return takeOwnership(folder, { of: "tree", takeOver });
}

/** For people and programs to read without the log: state.json and result.json. */
export function writeResult(state: RunState, exitCode: number, files: RunFiles) {
  const view = projectRun(state);
  invariant(view !== null, "a run that ended had begun");
  const result = projectResult(view, exitCode);
  writeFileAtomic(files.state, viewText(view));
  writeFileAtomic(files.result, `${JSON.stringify(result, null, 2)}\n`);
  noteRecord(files, view);
  return { view, result };
}
