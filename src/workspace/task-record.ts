// Which branch did a task of this run get, from where, and beside what?

import type { Workspace } from "../core/model/event.ts";
import { OrchError } from "../errors.ts";
import { branchRef } from "./branch.ts";
import { commitTree, commitUnder } from "./commits.ts";
import { gitAsk, gitText } from "./git.ts";
import type { Git } from "./git.ts";
import { commitOf, setRef, targetOf, taskOfBase, taskRefs } from "./refs.ts";

export type BranchWorkspace = Extract<Workspace, { kind: "branch" }>;

/**
 * A commit whose subject says it: no symbolic ref, for the branches it would point at are deleted
 * one day, and git calls a ref that points nowhere damage.
 */
interface TaskRecord extends Pick<BranchWorkspace, "base" | "branch" | "from"> {
  readonly task: string;
}

/** What an earlier `open` of the same task recorded; null: none, or orch died before the end of it. */
export async function recorded(
  git: Git,
  run: string,
  task: string,
): Promise<BranchWorkspace | null> {
  const refs = taskRefs(run, task);
  const found = (await recordsBelow(git, [refs.base, refs.record]))[0];
  if (found === undefined) return null;
  const { branch, base, from } = found;
  return { kind: "branch", root: git.root, branch, base, from };
}

/** Set before the branch is made. */
export async function record(git: Git, run: string, { task, ...made }: TaskRecord): Promise<void> {
  const refs = taskRefs(run, task);
  const { base } = made;
  await setRef(git, refs.base, base);
  const parts = { tree: `${base}^{tree}`, parents: [base], message: subjectOf({ task, ...made }) };
  if ((await commitUnder(git, refs.record, parts)) !== null) return;
  // There is one that cannot be read, or something is wrong and git says what.
  const commit = await commitTree(git, parts.tree, parts.parents, parts.message);
  await setRef(git, refs.record, commit);
}

/** For a task that did not begin after all. Never rejects. */
export async function forget(git: Git, run: string, task: string): Promise<void> {
  const { base, record } = taskRefs(run, task);
  // What is left of it changes nothing, and why it did not begin is what has to be told.
  for (const ref of [record, base])
    await gitAsk(git, ["update-ref", "--no-deref", "-d", ref]).catch(() => null);
}

/** The task of this run whose branch it is, also while the branch does not exist; null: nobody's. */
export async function ownerOf(git: Git, run: string, branch: string): Promise<string | null> {
  const { base, record } = taskRefs(run, "*");
  const all = await recordsBelow(git, [base, record]);
  return all.find((one) => one.branch === branch)?.task ?? null;
}

/**
 * The task of a branch whose record is gone: refs are anybody's to delete, and the log still says
 * which branch it was. Throws OrchError where that branch cannot be the task's.
 */
export async function restoreRecord(
  git: Git,
  { run, branchPrefix }: { readonly run: string; readonly branchPrefix: string },
  { branch, base, from }: BranchWorkspace,
): Promise<string> {
  if ((await commitOf(git, base)) === null)
    throw new OrchError(
      "git-failed",
      `the commit ${base}, from which the branch ${JSON.stringify(branch)} began, is no longer in the repository`,
      "bring it back, for example with `git fetch`, or start a new run",
    );
  const ref = branchRef(branch);
  const isThere = (await commitOf(git, ref)) !== null;
  if (isThere && (await gitAsk(git, ["merge-base", "--is-ancestor", base, ref])) === null)
    throw new OrchError(
      "branch-in-use",
      `the branch ${JSON.stringify(branch)} is expected to go on from ${base}, where its task began, and does not`,
      "rename that branch, then run `orch resume`: it is made again from there",
    );
  const name = branch.startsWith(branchPrefix) ? branch.slice(branchPrefix.length) : branch;
  // No task has an id that begins so: with "-2" behind it, the branch of one may be called as another.
  const task = (await recorded(git, run, name)) === null ? name : `_${name}`;
  await record(git, run, { task, branch, base, from });
  return task;
}

/** Of the tasks whose refs the patterns name; those of an older orch come last. */
async function recordsBelow(git: Git, patterns: readonly string[]): Promise<readonly TaskRecord[]> {
  const format = "--format=%(refname) %(objectname) %(contents:subject)";
  const listed = await gitText(git, ["for-each-ref", format, ...patterns], { bytesMax: BYTES_MAX });
  const rows = listed.split("\n").map((row): Row => {
    const [ref = "", commit = "", ...subject] = row.split(" ");
    return { ref, commit, subject: subject.join(" ") };
  });
  const records = rows.flatMap(recordIn);
  const known = new Set(records.map(({ task }) => task));
  const older: TaskRecord[] = [];
  for (const { ref, commit } of rows) {
    const task = taskOfBase(ref);
    if (task === null || known.has(task)) continue;
    const found = await olderRecord(git, { ref, base: commit, task });
    if (found !== null) older.push(found);
  }
  return [...records, ...older];
}

const BYTES_MAX = 16 * 1024 * 1024;

interface Row {
  readonly ref: string;
  readonly commit: string;
  readonly subject: string;
}

const SUBJECT = "orch: task ";

/** Without letters of any one encoding: git may be told to store messages in another. */
function subjectOf(record: TaskRecord): string {
  const text = JSON.stringify(record).replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${SUBJECT}${text}\n`;
}

function recordIn({ ref, subject }: Row): readonly TaskRecord[] {
  if (!ref.endsWith("/record") || !subject.startsWith(SUBJECT)) return [];
  try {
    const read: unknown = JSON.parse(subject.slice(SUBJECT.length));
    return isRecord(read) ? [read] : [];
  } catch {
    return []; // Not written by orch.
  }
}

function isRecord(read: unknown): read is TaskRecord {
  const parts: readonly (keyof TaskRecord)[] = ["task", "branch", "base", "from"];
  if (typeof read !== "object" || read === null) return false;
  const texts = new Map<string, unknown>(Object.entries(read));
  return parts.every((part) => typeof texts.get(part) === "string");
}

/** An older orch kept names as symbolic refs, which git does not list where they point nowhere. */
async function olderRecord(
  git: Git,
  { ref, base, task }: { readonly ref: string; readonly base: string; readonly task: string },
): Promise<TaskRecord | null> {
  const branch = nameOf(await targetOf(git, ref.replace(/base$/, "branch")));
  const before = ref.replace(/base$/, "from");
  const from = nameOf(await targetOf(git, before)) ?? (await commitOf(git, before));
  return branch === null || from === null ? null : { task, branch, base, from };
}

function nameOf(ref: string | null): string | null {
  return ref?.replace(/^refs\/heads\//, "") ?? null;
}
