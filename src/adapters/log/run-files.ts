// Where are the files of a run, and which runs are there?

import { join } from "node:path";

import { idFrom, idOf, isSafeId, slug, type RunId } from "../../core/model/ids.ts";
import { OrchError } from "../../errors.ts";
import { makeFolderDurable, requireFolder, writeFileAtomic } from "../files/atomic-file.ts";
import { systemDisk, type Disk } from "../files/disk.ts";
import { entriesIn, entryKind } from "../files/small-file.ts";

const SUFFIX_CHARS = 4;
const SUFFIX_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const NAME_CHARS_MAX = 40;

export type RunFiles = Readonly<ReturnType<typeof runFiles>>;

/** All paths are absolute when `root`, the repository's root, is. */
export function runFiles(root: string, id: RunId) {
  const folder = join(runsFolder(root), id);
  // Asked for of every run there is, and `join` would read each path again.
  return {
    id,
    folder,
    log: `${folder}/events.jsonl`,
    /** Projection for people and tools. */
    state: `${folder}/state.json`,
    result: `${folder}/result.json`,
    questions: `${folder}/questions`,
    inbox: `${folder}/inbox`,
    attempts: `${folder}/attempts`,
  };
}

/** In the folder of a run that a fleet works on: what this checkout knows of it. */
export const FLEET_FOLDER = "fleet";

export function isOfFleet({ folder }: Pick<RunFiles, "folder">): boolean {
  return entryKind(join(folder, FLEET_FOLDER)) !== "absent";
}

export function orchFolder(root: string): string {
  return join(root, ".orch");
}

/** The folder of one attempt. Throws on names that are not one path segment. */
export function attemptFolder(
  files: RunFiles,
  task: string,
  step: string,
  attempt: number,
): string {
  return join(files.attempts, segment(task), `${segment(step)}-${attempt}`);
}

export function questionFile(files: RunFiles, question: string): string {
  return join(files.questions, `${segment(question)}.json`);
}

/** Throws on text that could lead anywhere else. */
export function segment(name: string): string {
  if (isSafeId(name)) return name;
  throw new Error(`not a path segment: ${JSON.stringify(name)}`);
}

/** Newest first. Anything that is not a run's folder is passed over. */
export function listRuns(root: string): readonly RunId[] {
  return entriesIn(runsFolder(root))
    .flatMap((entry) => (entry.isDirectory() ? (idFrom<RunId>(entry.name) ?? []) : []))
    .sort()
    .reverse();
}

/** "20261120-121436-add-login-k3f9": sorts by time (UTC), and tells people what it was about. */
export function newRunId(nowMs: number, name: string, dice: () => number): RunId {
  const [day = "", time = ""] = new Date(nowMs).toISOString().split("T");
  const stamp = `${day.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}`;
  const letters = Array.from({ length: SUFFIX_CHARS }, () =>
    SUFFIX_ALPHABET.charAt(Math.floor(dice() * SUFFIX_ALPHABET.length)),
  );
  return idOf<RunId>(`${stamp}-${slug(name, NAME_CHARS_MAX)}-${letters.join("")}`);
}

/** Creates `.orch/`, which ignores itself, and `.orch/runs/`. Safe to repeat. */
export function ensureOrchFolder(root: string, disk: Disk = systemDisk): void {
  const folder = orchFolder(root);
  makeRealFolder(folder, disk);
  const ignore = join(folder, ".gitignore");
  if (entryKind(ignore) === "absent") writeFileAtomic(ignore, "*\n", disk);
  makeRealFolder(runsFolder(root), disk);
}

/**
 * Creates a new run's folders, durable before this returns. Throws when the run exists: an id is
 * never used twice.
 */
export function createRunFolder(root: string, id: RunId, disk: Disk = systemDisk): RunFiles {
  ensureOrchFolder(root, disk);
  const files = runFiles(root, id);
  if (!makeFolderDurable(files.folder, disk))
    throw new OrchError(
      "run-claimed",
      `a run with the id ${JSON.stringify(id)} exists already`,
      "start the run again: it gets another id",
    );
  ensureRunFolders(files, disk);
  return files;
}

/** The folders inside a run: made when it starts, and again should a crash have come in between. */
export function ensureRunFolders(files: RunFiles, disk: Disk = systemDisk): void {
  for (const folder of [files.questions, files.inbox, files.attempts]) makeRealFolder(folder, disk);
}

function runsFolder(root: string): string {
  return join(orchFolder(root), "runs");
}

function makeRealFolder(path: string, disk: Disk): void {
  if (!makeFolderDurable(path, disk)) requireFolder(path);
}
