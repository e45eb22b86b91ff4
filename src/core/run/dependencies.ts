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
    const [, number, rest] = /^(\d+)[-_.]?([^]*)$/.exec(id) ?? [];
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
  const left = new Map(tasks.map(({ id, dependsOn }) => [id, dependsOn]));
  const nextOf = (id: TaskId): TaskId | undefined => left.get(id)?.find((on) => left.has(on));
  // What depends on nothing that is left is in no cycle.
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    for (const id of [...left.keys()].reverse()) if (nextOf(id) === undefined) left.delete(id);
  }
  const path: TaskId[] = [];
  let [at] = left.keys();
  for (; at !== undefined && !path.includes(at); at = nextOf(at)) path.push(at);
  return at === undefined ? null : [...path.slice(path.indexOf(at)), at];
}
