// What was set aside, and how does it come back without touching anything else?

import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { OrchError } from "../errors.ts";
import { branchRef, statusOf } from "./branch.ts";
import { byUser, commitTree } from "./commits.ts";
import { entriesBetween, type Entry, type Version } from "./entries.ts";
import { gitAnswer, gitList, gitText, gitTry, type Git } from "./git.ts";
import { entryAt } from "./entry-at.ts";
import { commitOf, refRows } from "./refs.ts";
import { joinTrees, type JoinedTrees } from "./task-commits.ts";

export interface RescueEntry {
  readonly ref: string;
  readonly commit: string;
  readonly run: string;
  readonly task: string;
  /** Epoch seconds. */
  readonly madeAtS: number;
  readonly why: string;
}

/** All rescues of every run, oldest first. */
export async function listRescues(git: Git): Promise<readonly RescueEntry[]> {
  const fields = ["refname", "objectname", "creatordate:unix", "contents:subject"];
  const oldestFirst = ["--sort=refname", "--sort=creatordate", "refs/orch/*/*/rescue-*"];
  const rows = await refRows(git, fields, oldestFirst);
  return rows.map(([ref = "", commit = "", made = "", subject = ""]) => {
    const [, , run = "", task = ""] = ref.split("/");
    const why = subject.replace(/^orch: /, "");
    return { ref, commit, run, task, madeAtS: Number(made), why };
  });
}

/** How many files each of them holds that the task's commits do not, with one look for all. */
export async function rescuedFiles(
  git: Git,
  rescues: readonly RescueEntry[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(rescues.map(({ commit }) => [commit, 0]));
  if (rescues.length === 0) return counts;
  const how = ["log", "--no-walk=unsorted", "--first-parent", "-m", "--name-only", "--no-renames"];
  const listed = await gitList(git, [...how, "-z", "--format=%x00%H", ...counts.keys(), "--"]);
  let current = "";
  for (const part of listed) {
    const name = part.replace(/^\n+/, "");
    if (counts.has(name)) current = name;
    else if (name !== "") counts.set(current, (counts.get(current) ?? 0) + 1);
  }
  return counts;
}

/**
 * Brings the work into the files of the checkout, as uncommitted changes: index, branch and stash stay
 * as they are. Where anything uncommitted or ignored is in the way, or both sides changed the same
 * lines, nothing is touched. Resolves to the paths that changed.
 */
export async function restoreIntoCheckout(
  git: Git,
  { commit }: Pick<RescueEntry, "commit">,
): Promise<readonly string[]> {
  const joined = await joinedChange(git, { base: `${commit}^1`, ours: "HEAD", theirs: commit });
  if (joined.kind === "conflict")
    throw inTheWay("conflicts with what is checked out, in", joined.paths);
  if (joined.kind === "contained") return [];
  const entries = await entriesBetween(git, ["HEAD", joined.tree]);
  const blocked = await pathsInTheWay(git, entries);
  if (blocked.length > 0) throw inTheWay("would change uncommitted files:", blocked);
  if (entries.length > 0) await applyBetween(git, joined.tree);
  return entries.map(({ path }) => path);
}

/** Makes a branch of the work, on the task's own commits; nothing is checked out. Returns its commit. */
export async function restoreAsBranch(
  git: Git,
  { commit, why, run, task }: Omit<RescueEntry, "madeAtS">,
  name: string,
): Promise<string> {
  const format = ["check-ref-format", "--branch"];
  if ((await gitTry(git, [...format, name], [...format, "main"])) !== name)
    throw new OrchError(
      "usage",
      `${JSON.stringify(name)} cannot be the name of a branch`,
      "for example `--branch rescued`",
    );
  if ((await commitOf(git, branchRef(name))) !== null)
    throw new OrchError(
      "branch-in-use",
      `there is a branch ${JSON.stringify(name)} already, and no branch is ever reset`,
      "choose another name, or rename that branch",
    );
  const note = await byUser(git, `${why}\n\nOrch-Run: ${run}\nOrch-Task: ${task}`);
  const made = await commitTree(git, `${commit}^{tree}`, [`${commit}^1`], note);
  await gitText(git, ["update-ref", "--no-deref", branchRef(name), made, ""]);
  return made;
}

/** What `theirs` changed since `base`, on top of `ours`: as commits that no ref ever holds. */
async function joinedChange(
  git: Git,
  { base, ours, theirs }: Readonly<Record<"base" | "ours" | "theirs", string>>,
): Promise<JoinedTrees> {
  const bottom = await commitTree(git, `${base}^{tree}`, [], "orch: base\n");
  const side = (name: string): Promise<string> =>
    commitTree(git, `${name}^{tree}`, [bottom], "orch: side\n");
  return joinTrees(git, await side(ours), await side(theirs));
}

/** Files that are not as the last commit has them, and whatever stands where a file is to be made. */
async function pathsInTheWay(git: Git, entries: readonly Entry[]): Promise<readonly string[]> {
  const dirty = new Set((await statusOf(git)).dirty.map(({ path }) => path));
  const removed = new Set(entries.flatMap(({ path, after }) => (isAbsent(after) ? [path] : [])));
  const found = entries.flatMap(({ path, before }) => {
    if (dirty.has(path)) return [path];
    if (!isAbsent(before)) return [];
    const above = foldersOf(path).filter((one) => !removed.has(one) && !isFolder(git, one));
    return entryAt(join(git.root, path)) === null ? above : [path];
  });
  return [...new Set(found)];
}

function isAbsent({ kind }: Version): boolean {
  return kind === "absent";
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_part, at) => parts.slice(0, at + 1).join("/"));
}

/** Or nothing yet; a link is none. */
function isFolder(git: Git, path: string): boolean {
  return entryAt(join(git.root, path))?.isDirectory() !== false;
}

/** git looks at what it changes and removes before it writes the first file. */
async function applyBetween(git: Git, tree: string): Promise<void> {
  const file = join(tmpdir(), `orch-restore-${randomUUID()}.patch`);
  const how = ["-r", "-p", "--binary", "--full-index", "--no-renames", "--no-color"];
  const plainly = ["--no-ext-diff", "--no-textconv", `--output=${file}`];
  const asIs = ["-c", "apply.whitespace=nowarn", "-c", "apply.ignoreWhitespace=no"];
  try {
    await gitText(git, ["diff-tree", ...how, ...plainly, "HEAD", tree]);
    const { exitCode, stderr } = await gitAnswer(git, [...asIs, "apply", file], [0, 1, 128]);
    if (exitCode !== 0) throw inTheWay("does not fit the files that are there:", [stderr.trim()]);
  } finally {
    rmSync(file, { force: true });
  }
}

const PATHS_NAMED_MAX = 5;

function inTheWay(what: string, paths: readonly string[]): OrchError {
  const named = paths.slice(0, PATHS_NAMED_MAX).join(", ");
  const more = paths.length - PATHS_NAMED_MAX;
  return new OrchError(
    "files-in-the-way",
    `the rescued work ${what} ${named}${more > 0 ? ` and ${more} more` : ""}`.trim(),
    "nothing was touched; commit or stash those files, or make a branch of it with `--branch <name>`",
  );
}

/** The one that is meant by its number, counted from the oldest, or by its ref; null: the newest. */
export function pickRescue<T extends Pick<RescueEntry, "ref" | "commit">>(
  rescues: readonly T[],
  wanted: string | null,
): T {
  const named = (ref: string): boolean => ref === wanted || ref === `refs/orch/${wanted}`;
  const found =
    wanted === null
      ? rescues.at(-1)
      : /^\d{1,6}$/.test(wanted)
        ? rescues[Number(wanted) - 1]
        : rescues.find(({ ref, commit }) => named(ref) || isAbbreviation(wanted, commit));
  if (found !== undefined) return found;
  const none = rescues.length === 0;
  throw new OrchError(
    "rescue-unknown",
    none ? "no work was set aside in this repository" : `there is no rescue ${wanted ?? ""}`,
    none
      ? "it is set aside before a tree with unfinished work goes"
      : "`orch rescue list` shows them",
  );
}

function isAbbreviation(wanted: string, commit: string): boolean {
  return wanted.length >= 7 && commit.startsWith(wanted);
}
