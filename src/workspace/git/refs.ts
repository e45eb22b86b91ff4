// Under which refs does orch keep what it must find again?

import { join } from "node:path";

import { readSmallFile } from "../../adapters/files/small-file.ts";
import { gitFailure } from "./failure.ts";
import { gitAnswer, gitAsk, gitText, REFUSALS, type Git } from "./git.ts";

export interface OfTask {
  readonly run: string;
  readonly task: string;
}

/**
 * All refs of one task in one run, below `refs/orch/<run>/<task>/`:
 *
 * - `1`, `2`, …  checkpoints
 * - `base`       in place: the commit the task started from
 * - `start`      in place: a snapshot of what the user had when the task began
 * - `head`       the end of the task's own commits; its branch only shows it
 * - `work`       what was taken as the task's work last
 * - `agent`      what the agent had checked out in its repository
 * - `rescue-1`…  work that was about to leave the working tree, or to go with the agent's repository
 *
 * None is symbolic: what it points at may be deleted, and git calls what is left of it damage.
 */
export function taskRefs(run: string, task: string) {
  const prefix = taskPrefix(run, task);
  return {
    checkpoint: (n: number): string => `${prefix}${n}`,
    rescue: (n: number): string => `${prefix}rescue-${n}`,
    base: `${prefix}base`,
    start: `${prefix}start`,
    head: `${prefix}head`,
    work: `${prefix}work`,
    agent: `${prefix}agent`,
    /** Patterns. */
    all: `${prefix}*`,
    rescues: `${prefix}rescue-*`,
  };
}

/** The end of the run's merged work, which the next task starts from. No task id begins with "_". */
export function tipRef(run: string): string {
  return `${runPrefix(run)}/_tip`;
}

/** What the run started from, where that is a snapshot of the checkout. */
export function startRef(run: string): string {
  return `${runPrefix(run)}/_start`;
}

/** Below it, nobody but the run writes. */
export function runPrefix(run: string): string {
  return `refs/orch/${segment(run)}`;
}

export interface Numbered {
  readonly n: number;
  readonly ref: string;
  readonly commit: string;
}

export interface SeenHead {
  /** null: detached. */
  readonly ref: string | null;
  readonly commit: string;
}

/**
 * What is checked out, with its commit, as the files of git have it, read without starting git; null
 * where they have it in another way (packed), and then nobody relies on them.
 */
export function looseHead({
  gitDir,
  commonDir,
}: Pick<Git, "gitDir" | "commonDir">): SeenHead | null {
  const head = readSmallFile(join(gitDir, "HEAD"), REF_BYTES_MAX) ?? "";
  const [, ref = null] = /^ref: (refs\/[^\s]{1,1000})\n$/.exec(head) ?? [];
  const commit = ref === null ? commitIn(head) : looseRef({ commonDir }, ref);
  return commit === null ? null : { ref, commit };
}

/** As `looseHead`, of a ref by its full name. */
export function looseRef({ commonDir }: Pick<Git, "commonDir">, ref: string): string | null {
  if (ref.includes("..")) return null;
  return commitIn(readSmallFile(join(commonDir, ref), REF_BYTES_MAX) ?? "");
}

export const REF_BYTES_MAX = 4 * 1024;

/** Of a file of git's that holds nothing else. */
function commitIn(text: string): string | null {
  return /^([0-9a-f]{40,64})\n?$/.exec(text)?.[1] ?? null;
}

/** The newest of a task's checkpoints, or of its rescues; null: there is none. */
export async function lastOf(
  git: Git,
  series: "checkpoints" | "rescues",
  { run, task }: OfTask,
): Promise<Numbered | null> {
  const prefix = `${taskPrefix(run, task)}${series === "rescues" ? "rescue-" : ""}`;
  const rows = await refRows(git, ["refname", "objectname"], [taskPrefix(run, task)]);
  const all = rows.flatMap(([ref = "", commit = ""]): Numbered[] => {
    const n = /^[1-9]\d*$/.exec(ref.slice(prefix.length))?.[0];
    return n === undefined || !ref.startsWith(prefix) ? [] : [{ n: Number(n), ref, commit }];
  });
  return all.reduce<Numbered | null>((a, b) => (a === null || b.n > a.n ? b : a), null);
}

/** Creates the next ref of a series; a number is never used twice, and nothing is overwritten. */
export async function addNumbered(
  git: Git,
  commit: string,
  first: number,
  name: (n: number) => string,
): Promise<{ readonly n: number; readonly ref: string }> {
  for (let n = first; ; n++) {
    const ref = name(n);
    if (await moveRefs(git, [{ ref, from: null, to: commit }])) return { n, ref };
  }
}

export interface RefMove {
  readonly ref: string;
  /** null: there is none. Left out: whatever it is. */
  readonly from?: string | null;
  /** null: it is deleted. */
  readonly to: string | null;
}

/** All of them or none; false where one is not what it is to be moved from, or has no room for its name. */
export async function moveRefs(git: Git, moves: readonly RefMove[]): Promise<boolean> {
  const input = moves.map(moveLine).join("");
  const args = ["update-ref", "--no-deref", "--stdin"];
  const result = await gitAnswer(git, args, REFUSALS, { input });
  if (result.exitCode === 0) return true;
  const failure = gitFailure(git, args, result);
  if (failure.code !== "git-failed") throw failure;
  // git has one code for all that it refuses.
  for (const move of moves) if (await isInTheWay(git, move)) return false;
  throw failure;
}

function moveLine({ ref, from, to }: RefMove): string {
  if (to === null) return `delete ${ref} ${from ?? ""}\n`;
  if (from === null) return `create ${ref} ${to}\n`;
  return `update ${ref} ${to} ${from ?? ""}`.trimEnd() + "\n";
}

async function isInTheWay(git: Git, { ref, from }: RefMove): Promise<boolean> {
  const above = ref
    .split("/")
    .flatMap((_, at, parts) => (at < 2 ? [] : [parts.slice(0, at).join("/")]));
  const rows = await refRows(git, ["refname", "objectname"], [ref, ...above.slice(1)]);
  const is = rows.find(([name]) => name === ref)?.[1] ?? null;
  if (from !== undefined && is !== from) return true;
  return rows.some(([name = ""]) => name.startsWith(`${ref}/`) || above.includes(name));
}

/** Sets a ref; a symbolic ref of that name is replaced and not followed. */
export async function setRef(git: Git, ref: string, commit: string): Promise<void> {
  await gitText(git, ["update-ref", "--no-deref", ref, commit]);
}

/** Whether the newer commit, by its id, has the older one in its history: found once, for it stays so. */
export async function isAncestor(git: Git, older: string, newer: string): Promise<boolean> {
  if (older === newer || successions.has(`${older} ${newer}`)) return true;
  if (successions.has(`${newer} ${older}`)) return false;
  const is = (await gitAsk(git, ["merge-base", "--is-ancestor", older, newer])) !== null;
  if (is) successions.add(`${older} ${newer}`);
  return is;
}

const successions = new Set<string>();

/** A new commit with its tree and what it goes on from: facts that nobody has to ask git for. */
export function noteCommit(commit: string, tree: string, older: readonly string[]): void {
  trees.set(commit, tree);
  for (const one of older) successions.add(`${one} ${commit}`);
}

/** null: there is no such object. */
export function treeOf(git: Git, name: string): Promise<string | null> {
  return gitAsk(git, ["rev-parse", "--quiet", "--verify", `${name}^{tree}`]);
}

/** Of a commit or a tree by its id; asked for once, for it stays the same. */
export async function knownTree(git: Git, id: string): Promise<string | null> {
  const tree = trees.get(id) ?? (await treeOf(git, id));
  if (tree !== null) trees.set(id, tree);
  return tree;
}

const trees = new Map<string, string>();

/** The commit a ref or an expression stands for; null: none. */
export function commitOf(git: Git, name: string): Promise<string | null> {
  return gitAsk(git, ["rev-parse", "--quiet", "--verify", `${name}^{commit}`]);
}

/** What git knows of each ref of a kind: the fields that are asked for, by the names git has for them. */
export async function refRows(
  git: Git,
  fields: readonly string[],
  which: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const format = `--format=${fields.map((field) => `%(${field})`).join("%00")}`;
  const rows = await gitText(git, ["for-each-ref", format, ...which]);
  return rows.split("\n").flatMap((row) => (row === "" ? [] : [row.split("\0")]));
}

/** The in-place task that began last: its `start`, else null. */
export async function newestStart(git: Git, run: string): Promise<string | null> {
  const newest = ["--sort=-creatordate", "--count=1", `${runPrefix(run)}/*/start`];
  const [row] = await refRows(git, ["objectname"], newest);
  return row?.[0] ?? null;
}

function taskPrefix(run: string, task: string): string {
  return `${runPrefix(run)}/${segment(task)}/`;
}

/** git refuses a part that ends in ".lock"; a task file may well be named so. */
function segment(id: string): string {
  return id.replace(/(\.lock_*)$/i, "$1_");
}
