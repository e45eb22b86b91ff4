// What does the loop need to carry finished work to where the user wants it?

import type { RunBase, Worktree } from "../core/model/event.ts";
import type { Landed, LandingIntent } from "../core/model/landing.ts";

/** Every method is safe to repeat. */
export interface Landing {
  /** How the work gets into the branch; touches nothing that anybody sees. */
  plan(intent: LandingIntent, base: RunBase, message: string): Promise<LandingPlan>;
  /** A tree with the files of the commit, ready for gates; `portBase` is free. */
  tree(commit: string, portBase: number, signal: AbortSignal): Promise<LandingTree>;
  /** Moves the branch, and the files where it is checked out; nothing where changes are in the way. */
  move(branch: string, way: LandingWay): Promise<Landed>;
  /** Pushes the run's branch and opens a pull request, or finds the one that was opened before. */
  propose(intent: LandingIntent, base: RunBase, words: Proposal): Promise<Landed>;
}

export type LandingPlan =
  /** The branch has all of it. */
  | { readonly kind: "contained"; readonly commit: string }
  /** Nothing else was committed there: what was proven is what the branch will hold. */
  | (LandingWay & { readonly kind: "forward" })
  /** A merge commit of both sides, which nobody has proven yet. */
  | (LandingWay & { readonly kind: "joined" })
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | { readonly kind: "impossible"; readonly why: string };

export interface LandingWay {
  readonly from: string;
  readonly to: string;
}

export interface LandingTree {
  readonly workspace: Worktree;
  /** Never rejects. */
  remove(): Promise<void>;
}

export interface Proposal {
  readonly title: string;
  readonly body: string;
}
