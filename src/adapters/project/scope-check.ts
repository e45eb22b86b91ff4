// Does a task's scope name anything that is there?

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { compileGlobs } from "../../core/model/glob.ts";
import type { Task } from "../../core/model/task.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { suggestName } from "../../schema/suggest.ts";
import type { TaskReading } from "./task-source.ts";

/** Enough for large repositories; beyond, nothing is claimed about what does not exist. */
const PATHS_MAX = 100_000;
const SKIPPED = new Set([".git", ".orch", "node_modules"]);

/**
 * A pattern may name files that are still to be written, as long as its first folder exists. One
 * that begins nowhere is a typo, and so is a scope that matches nothing at all.
 */
export function scopeProblems(reading: TaskReading, root: string): readonly Problem[] {
  const scoped = reading.tasks.filter((task) => task.scope.length > 0);
  const files = scoped.length === 0 ? [] : filesBelow(root);
  return scoped.flatMap((task): readonly Problem[] => {
    const typos = typosIn(task, reading, root);
    if (typos.length > 0 || files === null || files.some(compileGlobs(task.scope))) return typos;
    const message = `scope: no file matches any of ${task.scope.join(", ")}`;
    const where = reading.where(task.id, ["scope"]);
    return [problem(where, message, "name the places the task begins in")];
  });
}

function typosIn({ id, scope }: Task, reading: TaskReading, root: string): readonly Problem[] {
  return scope.flatMap((pattern, index) => {
    const first = /^([^/*?[{\\]+)\//.exec(pattern)?.[1];
    if (first === undefined || existsSync(join(root, first))) return [];
    const folders = entriesOf(root).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    const message = `scope: ${JSON.stringify(pattern)} matches nothing`;
    return [problem(reading.where(id, ["scope", index]), message, suggestName(first, folders))];
  });
}

/** null: there are too many. */
function filesBelow(root: string): readonly string[] | null {
  const files: string[] = [];
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      if (SKIPPED.has(entry.name)) continue;
      (entry.isDirectory() ? open : files).push(
        folder + entry.name + (entry.isDirectory() ? "/" : ""),
      );
      if (files.length + open.length > PATHS_MAX) return null;
    }
  }
  return files;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Not readable: nothing is known about what is in it.
  }
}
