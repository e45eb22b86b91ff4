// Where does a task work, and which states of its tree are kept?

import type { TaskId } from "./ids.ts";

/** The commit that all tasks of a run start from, until work of the run itself is merged. */
export interface RunBase {
  readonly commit: string;
  /** What was checked out; null: HEAD was detached. */
  readonly branch: string | null;
  /** The commit is a snapshot of the checkout, with what was not committed there. */
  readonly withChanges: boolean;
  /** The branch that shows the merged work of the run in the user's repository. */
  readonly into: string;
}

/** The tree a task works in. */
export type Workspace = Worktree | InPlace;

/**
 * A tree of the task's own, outside the user's. Its `.git` is a repository of the agent's that borrows
 * the objects of the user's; orch itself works through `gitDir`.
 */
export interface Worktree {
  readonly kind: "worktree";
  readonly root: string;
  /** Private to orch: HEAD and index of this tree, with the refs and objects of the user's repository. */
  readonly gitDir: string;
  /** Shows the task's work in the user's repository. */
  readonly branch: string;
  /** The commit that the task's changes are measured against. */
  readonly base: string;
  /** The first of the ports that are the task's own, for servers that it starts. */
  readonly portBase: number;
}

type InPlace =
  | { readonly kind: "in-place"; readonly root: string; readonly base: string }
  /** Not a git repository: no checkpoints, no measured changes. */
  | { readonly kind: "plain"; readonly root: string };

export interface MadeTree {
  /** For a person. */
  readonly notes: readonly string[];
  /** What git ignores there: it is nobody's work, whatever becomes of the rules. */
  readonly ignored: readonly string[];
}

export interface Checkpoint {
  readonly commit: string;
  readonly ref: string;
  readonly tree: string;
}

/** Something in a task's tree that its commits do not hold. */
export interface Unheld {
  readonly path: string;
  /** "installed": a package, by its folder. */
  readonly what: "ignored" | "installed" | "nested repository" | "in a submodule";
}

/** Repositories inside of the tree: their files can become part of the work. */
export function nestedIn(unheld: readonly Unheld[]): readonly string[] {
  return unheld.flatMap(({ path, what }) => (what === "nested repository" ? [path] : []));
}

/** With the work of another task, as both stand. */
export interface Conflict {
  readonly with: TaskId;
  readonly paths: readonly string[];
}
