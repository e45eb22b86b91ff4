// What is a place made from, and what does it have?

import type { WorktreeSettings } from "../../core/model/settings.ts";
import type { UserRef } from "../git/branch.ts";
import type { Git } from "../git/git.ts";
import type { CommandRequest } from "../worktrees/run-command.ts";
import type { Layers, Made } from "./mirror.ts";
import type { Lease } from "./slots.ts";

/** What the commands of the config and of package managers need. */
export interface Commands extends Pick<CommandRequest, "confine" | "redact"> {
  readonly settings: Pick<WorktreeSettings, "setup" | "prepare" | "include">;
  /** Without what agents sign in with. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder of their logs. */
  readonly logs: string;
}

/** What places are made from, as it was when the run made its first. */
export interface Source {
  readonly repository: Git;
  readonly refs: readonly UserRef[];
  /** Which ignored files and folders of the checkout a place gets. */
  readonly entries: readonly string[];
  /** What git ignores there. */
  readonly ignored: ReadonlySet<string>;
  /** Lists of dependencies in the checkout, by path; null: there is none. */
  readonly lists: Map<string, string | null>;
  readonly commands: Commands;
}

/** A place that this run has. */
export interface Slot {
  readonly lease: Lease;
  /** The commit that it is at; null: it is to be made anew. */
  commit: string | null;
  /** What it has besides. */
  layers: Layers;
  /** What `worktree.prepare` made of a commit. */
  prepared: Made | null;
  /** Whether it has what the checkout had when the run began with it. */
  isFresh: boolean;
  tmp: string | null;
}
