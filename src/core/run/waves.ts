// In which rounds will the tasks of a run begin?

import type { Task } from "../model/task.ts";
import { mayRunBeside } from "./scopes.ts";

/**
 * Rounds of tasks that may run at the same time, if all of a round took equally long: a task is in the
 * first one where what it depends on is done, its scope meets that of no other, and a slot is free.
 *
 * Greedy in the order of definition, so that the order people chose is kept even where a cleverer
 * packing would need fewer rounds. What depends on something that is not among the tasks takes it as
 * done; tasks that wait for each other are refused before (`findCycle`), and are in no wave.
 */
export function waves<T extends Pick<Task, "id" | "scope" | "dependsOn" | "contest">>(
  tasks: readonly T[],
  parallel: number,
): readonly (readonly T[])[] {
  const rounds: (readonly T[])[] = [];
  for (let left = tasks; ;) {
    const undone = new Set(left.map(({ id }) => id));
    const wave: T[] = [];
    for (const task of left) {
      if (wave.length === parallel) break;
      if (task.dependsOn.some((id) => undone.has(id))) continue;
      const others = wave.filter((one) => one.contest === null || one.contest !== task.contest);
      if (mayRunBeside(task, others)) wave.push(task);
    }
    if (wave.length === 0) return rounds;
    rounds.push(wave);
    left = left.filter((task) => !wave.includes(task));
  }
}
