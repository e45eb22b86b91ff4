// What came of joining finished work with the merged work of the run?

export type MergeResult =
  /** The work is part of the run; the next task starts from this commit. */
  | { readonly kind: "merged"; readonly commit: string }
  /** Other work was merged since the task began: its tree now holds both, and gates have to say so. */
  | { readonly kind: "to-prove"; readonly commit: string; readonly onto: string }
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
