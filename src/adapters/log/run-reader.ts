// Which run does a person mean, and how does it stand?

import { dirname, join } from "node:path";

import { idsMeant, type RunId } from "../../core/model/ids.ts";
import { type RunHead, type RunView, haltedView, stoppedView } from "../../core/views/run-view.ts";
import { OrchError, nullIfWorded, type ErrorCode } from "../../errors.ts";
import { bytesAt, readingFile } from "../files/disk.ts";
import { entryKind, hasDotGit } from "../files/small-file.ts";
import { currentOwner, type Owner } from "./owner.ts";
import { listRuns, runFiles, type RunFiles } from "./run-files.ts";
import { sealIn, viewIn } from "./run-view-file.ts";

/** The repository's root as far as runs go, and its runs, newest first. */
export interface RunsHere {
  readonly root: string;
  readonly runs: readonly RunId[];
}

export interface OpenedRun {
  readonly files: RunFiles;
  readonly view: RunView;
  readonly owner: Owner;
}

/** Enough of result.json to see whether it tells the end. */
const RESULT_HEAD_BYTES = 400;
const LINE_HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 1024 * 1024;
const VIEW_BYTES_MAX = 64 * 1024 * 1024;

/** Looks for `.orch` upwards, and not beyond the repository. Needs no config. */
export function findRuns(cwd: string): RunsHere {
  for (let folder = cwd; ; folder = dirname(folder)) {
    // What may not be looked at is there, and is told of.
    if (entryKind(join(folder, ".orch", "runs")) !== "absent")
      return { root: folder, runs: listRuns(folder) };
    if (hasDotGit(folder) || dirname(folder) === folder) return { root: cwd, runs: [] };
  }
}

/** As `findRuns`, where there must be one. */
export function requireRuns(cwd: string): RunsHere {
  const here = findRuns(cwd);
  if (here.runs.length > 0) return here;
  throw new OrchError(
    "run-unknown",
    `no run was started in ${JSON.stringify(cwd)} or above it`,
    'start one with `orch run <task.md>` or `orch run "what is to be done"`',
  );
}

/**
 * Runs that can be resumed, newest first: those that began, and whose result does not say that they
 * finished. A process that died before its first event left nothing to go on with.
 */
export function unfinishedRuns(here: RunsHere): readonly RunId[] {
  return here.runs.filter((run) => isUnfinished(here, run));
}

function isUnfinished({ root }: RunsHere, run: RunId): boolean {
  const files = runFiles(root, run);
  return !hasResult(files) && hasBegun(files.log);
}

/** Whether a run may still go on; "never-began": nothing is recorded, and nobody is about to. */
export function standingOf(root: string, run: RunId): "needed" | "over" | "never-began" {
  const files = runFiles(root, run);
  if (!isGone(currentOwner(files.folder))) return "needed";
  if (hasResult(files)) return "over";
  return hasBegun(files.log) ? "needed" : "never-began";
}

/** The run whose id is, ends with, begins with, or alone contains what was written. null: no run does. */
export function matchRun(here: RunsHere, wanted: string): RunId | null {
  return oneMeant(here.runs, wanted, { code: "run-unknown", all: "runs" });
}

const CANDIDATES_MAX = 5;

/** null: none of them is meant. */
export function oneMeant<T extends string>(
  ids: readonly T[],
  wanted: string,
  { code, all }: { readonly code: ErrorCode; readonly all: string },
): T | null {
  const meant = idsMeant(ids, wanted);
  if (meant.length <= 1) return meant[0] ?? null;
  const more = meant.length > CANDIDATES_MAX ? ", …" : "";
  throw new OrchError(
    code,
    `${JSON.stringify(wanted)} could be any of ${meant.length} ${all}`,
    `write more of one: ${meant.slice(0, CANDIDATES_MAX).join(", ")}${more}`,
  );
}

/** The named run, else the newest unfinished one, else the newest that began, else the newest. */
export function pickRun(here: RunsHere, wanted: string | null): RunId {
  const run = wanted === null ? likeliestRun(here) : matchRun(here, wanted);
  if (run !== null && run !== undefined) return run;
  throw new OrchError(
    "run-unknown",
    `there is no run ${JSON.stringify(wanted)} in ${JSON.stringify(here.root)}`,
    "`orch list` shows the runs there are",
  );
}

const LIKELY_MAX = 500;

function likeliestRun(here: RunsHere): RunId | undefined {
  // Nobody means one that hundreds came after.
  const newest = here.runs.slice(0, LIKELY_MAX);
  const begun = newest.find((run) => hasBegun(runFiles(here.root, run).log));
  return newest.find((run) => isUnfinished(here, run)) ?? begun ?? here.runs[0];
}

/** state.json where it is whole and as new as the log; the log itself otherwise. */
export async function openRun(root: string, run: RunId): Promise<OpenedRun> {
  const files = runFiles(root, run);
  const owner = currentOwner(files.folder);
  const text = readUpTo(files.state, VIEW_BYTES_MAX);
  const view = text === null ? null : viewIn(text);
  const isFresh = view !== null && view.run === run && view.seq >= lastSeq(files.log);
  return { files, owner, view: isFresh ? view : await replayed(files) };
}

/** What a list needs; null: the run cannot be read, and `orch show` says why. */
export async function openHead(root: string, run: RunId): Promise<RunHead | null> {
  const opened = await openRun(root, run).catch(nullIfWorded);
  if (opened === null) return null;
  const { tasks: _tasks, ...stands } = asItStands(opened.view, opened.owner);
  return stands;
}

export function asItStands(view: RunView, owner: Owner): RunView {
  if (owner.kind === "live" && owner.suspended) return haltedView(view, "suspended");
  return isGone(owner) ? stoppedView(view) : view;
}

/** Whether an owner on another machine is alive cannot be checked from here. */
function isGone({ kind }: Owner): boolean {
  return kind !== "live" && kind !== "other-place";
}

/** The replay is loaded only where it is needed: reading state.json is the fast path. */
async function replayed(files: RunFiles): Promise<RunView> {
  const [{ readLog, requireLog }, { fold }, { projectRun }] = await Promise.all([
    import("./event-log.ts"),
    import("../../core/run/reduce.ts"),
    import("../../core/views/projection.ts"),
  ]);
  const { events } = requireLog(files.log, readLog(files.log));
  const view = projectRun(fold(events));
  if (view !== null) return view;
  throw new OrchError(
    "run-unknown",
    `the run ${files.id} has no first event yet`,
    "it died before it began, or is starting right now: try again, or start another run",
  );
}

/** The number of the last whole line of the log; 0 where there is none, infinite where somebody has to look. */
function lastSeq(path: string): number {
  const tail = readIfThere(path, (fd, size) => {
    const at = Math.max(0, size - TAIL_BYTES);
    return { text: bytesAt(fd, at, size - at).toString("utf8"), isAll: at === 0 };
  });
  if (tail === null) return 0;
  const whole = tail.text.slice(0, tail.text.lastIndexOf("\n")).split("\n");
  const lines = tail.isAll ? whole : whole.slice(1);
  // Of damage, and of a line that is longer than that, the real reader knows more.
  const isDamaged = lines.some((line) => sealIn(line) === "broken");
  return isDamaged ? Number.MAX_SAFE_INTEGER : seqIn(lines.at(-1) ?? "unknown");
}

function seqIn(line: string): number {
  const match = /^\{"v":\d+,"seq":(\d+),/.exec(line);
  // A line of another form needs the real reader: larger than any number in state.json.
  return match?.[1] === undefined ? (line === "" ? 0 : Number.MAX_SAFE_INTEGER) : Number(match[1]);
}

/** False also where the process died before it could write the result of a finished run. */
export function hasResult({ result }: Pick<RunFiles, "result">): boolean {
  return /"finished":\s*true/.test(readUpTo(result, RESULT_HEAD_BYTES) ?? "");
}

/** A line longer than this has begun, whatever it says. Whoever opens an unreadable log says so. */
function hasBegun(logPath: string): boolean {
  // Killed after making the folder and before making the log.
  if (entryKind(logPath) === "absent") return false;
  const head = readUpTo(logPath, LINE_HEAD_BYTES);
  return head === null || head.length === LINE_HEAD_BYTES || head.includes("\n");
}

function readUpTo(path: string, bytes: number): string | null {
  return readIfThere(path, (fd, size) => bytesAt(fd, 0, Math.min(size, bytes)).toString("utf8"));
}

function readIfThere<T>(path: string, read: (fd: number, size: number) => T): T | null {
  try {
    return readingFile(path, read);
  } catch {
    return null; // Not there, or not to be read: the log decides what is known.
  }
}
