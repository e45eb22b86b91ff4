// Which task does "dependsOn" mean, and does the order it asks for exist?

import type { TaskId } from "../model/ids.ts";

/**
 * The task meant by what was written: its id, its file name, or its name without the number in
 * front. null where nothing, or more than one thing, answers to it.
 */
export function matchDependency(written: string, ids: readonly TaskId[]): TaskId | null {
  const wanted = written.trim().replace(/^.*\//, "").replace(/\.md$/i, "").toLowerCase();
  const exact = ids.find((id) => id === wanted);
  if (exact !== undefined) return exact;
  const near = ids.filter((id) => {
    const [, number, rest] = /^(\d+)[-_.]?(.*)$/.exec(id) ?? [];
    return number !== undefined && (rest === wanted || number === wanted);
  });
  return near.length === 1 ? (near[0] ?? null) : null;
}

interface Dependent {
  readonly id: TaskId;
  readonly dependsOn: readonly TaskId[];
}

/** A cycle as a path that ends where it begins (a, b, a), or null. Finds the same one every time. */
export function findCycle(tasks: readonly Dependent[]): readonly TaskId[] | null {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const cleared = new Set<TaskId>();
  for (const task of tasks) {
    const cycle = cycleFrom(task.id, byId, cleared);
    if (cycle !== null) return cycle;
  }
  return null;
}

/** Walks depth first with a stack of its own: a long chain of tasks is no reason to overflow. */
function cycleFrom(
  start: TaskId,
  byId: ReadonlyMap<TaskId, Dependent>,
  cleared: Set<TaskId>,
): readonly TaskId[] | null {
  const path: { readonly id: TaskId; next: number }[] = [{ id: start, next: 0 }];
  while (path.length > 0) {
    const here = path.at(-1);
    if (here === undefined || cleared.has(here.id)) {
      path.pop();
      continue;
    }
    const next = byId.get(here.id)?.dependsOn[here.next];
    here.next += 1;
    if (next === undefined) {
      cleared.add(here.id);
      path.pop();
      continue;
    }
    const seen = path.findIndex((each) => each.id === next);
    if (seen >= 0) return [...path.slice(seen).map((each) => each.id), next];
    path.push({ id: next, next: 0 });
  }
  return null;
}
