// Which branch did a task of this run get, from where, and beside what?

import type { Workspace } from "../core/model/event.ts";
import { isObject, jsonIn } from "../core/model/json.ts";
import { OrchError } from "../errors.ts";
import { branchRef } from "./branch.ts";
import { commitTree } from "./commits.ts";
import { gitAsk, gitText } from "./git.ts";
import type { Git } from "./git.ts";
import { commitOf, setRef, taskRefs } from "./refs.ts";

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
  const [found] = await recordsBelow(git, taskRefs(run, task).record);
  if (found === undefined) return null;
  const { branch, base, from } = found;
  return { kind: "branch", root: git.root, branch, base, from };
}

/** Set before the branch is made. */
export async function record(git: Git, run: string, { task, ...made }: TaskRecord): Promise<void> {
  const refs = taskRefs(run, task);
  const { base } = made;
  await setRef(git, refs.base, base);
  const subject = subjectOf({ task, ...made });
  const commit = await commitTree(git, `${base}^{tree}`, [base], subject);
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
  const all = await recordsBelow(git, taskRefs(run, "*").record);
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

/** Of the tasks whose refs the patterns name. */
async function recordsBelow(git: Git, pattern: string): Promise<readonly TaskRecord[]> {
  const format = "--format=%(contents:subject)";
  const listed = await gitText(git, ["for-each-ref", format, pattern], { bytesMax: BYTES_MAX });
  return listed.split("\n").flatMap(recordIn);
}

const BYTES_MAX = 16 * 1024 * 1024;

const SUBJECT = "orch: task ";

/** Without letters of any one encoding: git may be told to store messages in another. */
function subjectOf(record: TaskRecord): string {
  const text = JSON.stringify(record).replace(
    /[^ -~]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${SUBJECT}${text}\n`;
}

function recordIn(subject: string): readonly TaskRecord[] {
  const read = subject.startsWith(SUBJECT) ? jsonIn(subject.slice(SUBJECT.length)) : null;
  return isRecord(read) ? [read] : [];
}

function isRecord(read: unknown): read is TaskRecord {
  const parts = ["task", "branch", "base", "from"];
  return isObject(read) && parts.every((part) => typeof read[part] === "string");
}
