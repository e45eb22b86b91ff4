// In which rounds will the tasks of a run begin, and what does each wait for?

import type { TaskId } from "../model/ids.ts";
import type { Task } from "../model/task.ts";
import { obstacleTo, type Obstacle } from "./scopes.ts";

type Waiting = Pick<Task, "id" | "scope" | "dependsOn">;

/** Why a task is not in the wave before its own. */
export type Reason =
  | { readonly kind: "needs"; readonly task: TaskId }
  | Obstacle
  | { readonly kind: "no-slot" };

export interface Planned<T extends Waiting> {
  readonly task: T;
  /** null: it is in the first wave. */
  readonly why: Reason | null;
}

/**
 * Rounds of tasks that may run at the same time, if all of a round took equally long: a task is in the
 * first one where what it depends on is done, its scope meets that of no other, and a slot is free.
 *
 * Greedy in the order of definition, so that the order people chose is kept even where a cleverer
 * packing would need fewer rounds. What depends on something that is not among the tasks takes it as
 * done; tasks that wait for each other are refused before (`findCycle`), and are in no wave.
 */
export function waves<T extends Waiting>(
  tasks: readonly T[],
  parallel: number,
): readonly (readonly Planned<T>[])[] {
  const rounds: (readonly Planned<T>[])[] = [];
  let left: readonly Planned<T>[] = tasks.map((task) => ({ task, why: null }));
  while (left.length > 0) {
    const { wave, later } = nextWave(left, parallel);
    if (wave.length === 0) break;
    rounds.push(wave);
    left = later;
  }
  return rounds;
}

function nextWave<T extends Waiting>(
  left: readonly Planned<T>[],
  parallel: number,
): { readonly wave: readonly Planned<T>[]; readonly later: readonly Planned<T>[] } {
  const undone = new Set(left.map(({ task }) => task.id));
  const wave: Planned<T>[] = [];
  const later: Planned<T>[] = [];
  for (const one of left) {
    const why = hindrance(one.task, { undone, beside: wave.map(({ task }) => task), parallel });
    if (why === null) wave.push(one);
    else later.push({ task: one.task, why });
  }
  return { wave, later };
}

interface Round {
  readonly undone: ReadonlySet<TaskId>;
  readonly beside: readonly Waiting[];
  readonly parallel: number;
}

function hindrance(task: Waiting, { undone, beside, parallel }: Round): Reason | null {
  const needed = task.dependsOn.find((id) => undone.has(id));
  if (needed !== undefined) return { kind: "needs", task: needed };
  if (beside.length >= parallel) return { kind: "no-slot" };
  return obstacleTo(task, beside);
}
