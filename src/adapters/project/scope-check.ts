// Does a task's scope name anything that is there?

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { compileGlobs } from "../../core/model/glob.ts";
import type { Task } from "../../core/model/task.ts";
import { problem, type Problem } from "../../schema/parsed.ts";
import { closest, suggestName } from "../../schema/suggest.ts";
import type { TaskReading } from "./task-source.ts";

/** Enough for large repositories; beyond, nothing is claimed about what does not exist. */
const PATHS_MAX = 100_000;
const SKIPPED = new Set([".git", ".orch", "node_modules"]);

/**
 * A pattern may name files that are still to be written, as long as it begins in a folder that
 * exists. One that begins nowhere is a typo, and so is a scope that matches nothing at all.
 */
export function scopeProblems(reading: TaskReading, root: string): readonly Problem[] {
  const scoped = reading.tasks.filter((task) => task.scope.length > 0);
  if (scoped.length === 0) return [];
  const paths = pathsBelow(root);
  return paths === null ? [] : scoped.flatMap((task) => taskProblems(task, reading, paths));
}

interface Paths {
  readonly files: readonly string[];
  readonly folders: ReadonlySet<string>;
}

function taskProblems(task: Task, reading: TaskReading, paths: Paths): readonly Problem[] {
  const typos = task.scope.flatMap((pattern, index) => {
    if (!beginsNowhere(pattern, paths)) return [];
    const where = reading.where(task.id, ["scope", index]);
    const suggestion = suggestName(firstOf(pattern), topFolders(paths));
    return [problem(where, `scope: ${JSON.stringify(pattern)} matches nothing`, suggestion)];
  });
  if (typos.length > 0 || paths.files.some(compileGlobs(task.scope))) return typos;
  const message = `scope: no file matches any of ${task.scope.join(", ")}`;
  return [
    problem(reading.where(task.id, ["scope"]), message, "name the places the task begins in"),
  ];
}

function beginsNowhere(pattern: string, paths: Paths): boolean {
  if (paths.files.some(compileGlobs([pattern]))) return false;
  const first = firstOf(pattern);
  const isNearMiss = !paths.folders.has(first) && closest(first, topFolders(paths)) !== null;
  return isNearMiss || !paths.folders.has(parentOf(pattern));
}

function firstOf(pattern: string): string {
  return pattern.split("/")[0] ?? pattern;
}

function topFolders({ folders }: Paths): readonly string[] {
  return [...folders].filter((folder) => folder !== "" && !folder.includes("/"));
}

/** The folder in which the first segment with a wildcard, or the last one, would be made. */
function parentOf(pattern: string): string {
  const segments = pattern.replace(/\/$/, "").split("/");
  const wild = segments.findIndex((segment) => /[*?[{\\]/.test(segment));
  const plain = wild < 0 ? segments : segments.slice(0, wild);
  return plain.slice(0, -1).join("/");
}

function pathsBelow(root: string): Paths | null {
  const files: string[] = [];
  const folders = new Set<string>([""]);
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of entriesOf(join(root, folder))) {
      if (SKIPPED.has(entry.name)) continue;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (files.length + folders.size > PATHS_MAX) return null;
      if (!entry.isDirectory()) files.push(path);
      else {
        folders.add(path);
        open.push(path);
      }
    }
  }
  return { files, folders };
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Not readable: nothing is known about what is in it.
  }
}
