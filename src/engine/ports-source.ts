// What does the loop need to find the tasks that tasks write?

import type { TaskId } from "../core/model/ids.ts";
import type { Task } from "../core/model/task.ts";

/** Finds the tasks that a task wrote. */
export interface TaskSource {
  /** Nothing is read of tasks that are known, nor of files that are not the author's. */
  added(where: Written): Promise<AddedTasks>;
}

export interface Written {
  /** The author's tree; null: the checkout, where it worked. */
  readonly tree: string | null;
  readonly takenIds: readonly TaskId[];
  readonly author: Task;
  /** What the author changed, from the tree's root; null: unknown. */
  readonly changed: () => Promise<readonly string[] | null>;
}

export interface AddedTasks {
  readonly tasks: readonly {
    readonly task: Task;
    /** Keys of its front matter that were left aside, because they are for its author's policy to say. */
    readonly notHeeded: readonly string[];
  }[];
  /** What is wrong with files that are no tasks. */
  readonly unusable: readonly string[];
}
