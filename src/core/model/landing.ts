// Where does the work of a run go when it is finished?

import type { TaskId } from "./ids.ts";
import type { Taken } from "./measurement.ts";

export const LANDINGS = ["leave", "merge", "pull-request"] as const;
/** "leave": it stays on the run's branch, for a person to merge. */
export type LandingHow = (typeof LANDINGS)[number];

export interface LandingIntent {
  readonly how: Exclude<LandingHow, "leave">;
  readonly commit: string;
  /** Where it goes: the branch that the run started from. */
  readonly branch: string;
  /** One task's work; null: all that was merged. */
  readonly of: TaskId | null;
}

/** Facts of the log. */
export type LandingEvent =
  /** Intent: finished work is about to be carried into the user's branch, or to a host. */
  | (LandingIntent & { readonly type: "landing-started" })
  | { readonly type: "landed"; readonly of: TaskId | null; readonly result: Landed };

export type Landed =
  | {
      readonly kind: "landed";
      /** What the branch, or the proposal, stands at. */
      readonly commit: string;
      /** Of the pull request; null: it was merged here. */
      readonly url: string | null;
    }
  /** Nothing of the user's was touched. */
  | {
      readonly kind: "left";
      readonly why: string;
      /** A command that goes on by hand; null: something else has to be mended first. */
      readonly next: string | null;
    };

export type MergeResult =
  /** The work is part of the run; the next task starts from this commit. */
  | { readonly kind: "merged"; readonly commit: string }
  /** Other work was merged since the task began: its tree now holds both, and gates have to say so. */
  | (Taken & { readonly kind: "to-prove"; readonly onto: string })
  | MergeTrouble;

/** Why finished work could not be merged as it is. */
export type MergeTrouble =
  /** The task's tree now holds both sides, with marks where they meet. */
  | (Troubled & { readonly kind: "conflict"; readonly paths: readonly string[] })
  /** Each side is green, and both together are not. */
  | (Troubled & { readonly kind: "red"; readonly gates: readonly string[] });

interface Troubled {
  readonly onto: string;
  /** What stands in the task's tree: both sides, as far as git could join them. */
  readonly tree: string;
  /** What the other side is and what fails, for the agent that is to join them. */
  readonly words: readonly string[];
}
