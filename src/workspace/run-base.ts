// From which commit does a run start, and what of the checkout is not in it?

import type { Isolation, RunBase } from "../core/model/event.ts";
import { excerpt } from "../core/model/excerpt.ts";
import { freeBranch, headOf, statusOf, userRefs } from "./git/branch.ts";
import { commitTree, skippedTrailers, strangeAuthor } from "./keep/commits.ts";
import { findRepository } from "./git/find-repository.ts";
import type { GitSetting } from "./git/git.ts";
import { filtersInTree, type PinnedSettings } from "./git/pinned-settings.ts";
import { setRef, startRef } from "./git/refs.ts";
import { createSnapshots } from "./keep/snapshot.ts";

export interface RunStart {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pinnedGit: PinnedSettings;
  readonly isolation: Isolation;
  readonly run: string;
  /** `.orch/runs/<run>`. */
  readonly runDir: string;
  readonly branchPrefix: string;
  readonly withChanges: boolean;
  /** Whether git's filters run in a sandbox. */
  readonly isConfined: boolean;
  /** What the run has read already, wherever it starts from: its config and its tasks, and the folder of those. */
  readonly read: readonly string[];
}

export interface StartBase {
  readonly base: RunBase | null;
  /** Files of the checkout that are not committed. */
  readonly uncommitted: number;
  /** As whom commits are made, where git does not know who works here; null: it does. */
  readonly author: string | null;
  /** Folders of packages that git would take for files of the project, and filters that run in the checkout. */
  readonly loose: readonly string[];
}

/** `base` is null without a repository. Throws OrchError "no-commits" in one without a commit. */
export async function runBase(start: RunStart): Promise<StartBase> {
  const { run, runDir, branchPrefix, withChanges } = start;
  const git = await findRepository(start.cwd, start.env, start.pinnedGit.repositories);
  if (git === null) return { base: null, uncommitted: 0, author: null, loose: [] };
  const { commit: head, branch } = await headOf(git);
  const listed = start.isConfined ? [] : start.pinnedGit.listed();
  const filters = filtersInTree(listed).map(filterNote);
  const author = await strangeAuthor(git, start.pinnedGit.listed());
  const refs = await userRefs(git);
  const into = freeBranch(refs, `${branchPrefix}${run}`);
  const base = { commit: head, branch, withChanges: false, into };
  if (start.isolation === "none") return { base, uncommitted: 0, author, loose: filters };
  const { dirty, ignored, loose: folders } = await statusOf(git);
  const loose = [...folders, ...filters];
  Object.assign(start.pinnedGit.first, { refs, ignored });
  const isRead = (path: string): boolean =>
    start.read.some((one) => path === one || (one.endsWith("/") && path.startsWith(one)));
  const uncommitted = dirty.filter((path) => withChanges || !isRead(path)).length;
  if (!withChanges || uncommitted === 0) return { base, uncommitted, author, loose };
  // Through an index of orch's own: the user's, and every file, stay as they are.
  const { tree, skipped } = await createSnapshots(runDir).take(git);
  const message = ["orch: uncommitted work of the checkout", "", ...skippedTrailers(skipped), ""];
  const commit = await commitTree(git, tree, [head], message.join("\n"));
  await setRef(git, startRef(run), commit);
  return { base: { ...base, commit, withChanges: true }, uncommitted, author, loose };
}

function filterNote({ key, value }: Pick<GitSetting, "key" | "value">): string {
  return `git's ${key} (${excerpt(value ?? "", 80)}) runs in your checkout, where no task can replace it`;
}
