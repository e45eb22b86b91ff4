// What is already known of a gate on a tree that other tasks or runs began with?

import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { writeCopyAtomic } from "../adapters/files/atomic-file.ts";
import { namesIn, readSmallFile } from "../adapters/files/small-file.ts";
import { digestOf } from "../core/model/ids.ts";
import { isObject, jsonIn, objectAt } from "../core/model/json.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";

/** Where answers are kept, and which orch it was that read the output. */
export interface CachePlace {
  readonly folder: string;
  readonly version: string;
}

export interface BaseEntry {
  readonly result: GateResult;
  /** What is kept beside the gate's log. */
  readonly checks: string;
}

export interface Asks {
  readonly tree: string;
  readonly gate: GateSpec;
  readonly env: Readonly<Record<string, string>>;
  /** The task's tree, whose installed packages the base borrows. */
  readonly root: string;
}

const ENTRY_BYTES_MAX = 64 * 1024 * 1024;
const ENTRIES_MAX = 200;
const FOLDER_BYTES_MAX = 256 * 1024 * 1024;

/** What changes from run to run and from window to window, and hardly ever what checks find. */
const PASSING =
  /^(?:_|PWD|OLDPWD|SHLVL|COLUMNS|LINES|WINDOWID|TMPDIR|INIT_CWD|TERM\w*|INVOCATION_ID|LS_COLORS|PS\d)$|^(?:ORCH|XDG_SESSION|SSH|DBUS|TMUX|VSCODE|npm|GITHUB|RUNNER|CI_JOB)_|_PID$/;
/** What package managers write anew when they installed something. */
const INSTALLED =
  "node_modules/.package-lock.json node_modules/.yarn-integrity node_modules/.modules.yaml vendor/composer/installed.json .venv/lib vendor/bundle";

export function cacheKey({ version }: CachePlace, { tree, gate, env, root }: Asks): string {
  const variables = Object.entries(env).filter(([name]) => !PASSING.test(name));
  variables.sort(([a], [b]) => (a < b ? -1 : 1));
  const installed = INSTALLED.split(" ").map((path) => changedAt(join(root, path)));
  return digestOf(JSON.stringify([version, tree, gate, variables, installed]));
}

/** Of files that git ignores; what lies in folders that it ignores as such is told by `INSTALLED`. */
export function contentsOf(root: string, paths: readonly string[]): string {
  const versions = paths.toSorted().map((path) => {
    const text = readSmallFile(join(root, path), CONTENT_BYTES_MAX);
    return [path, text === null ? null : digestOf(text)];
  });
  return digestOf(JSON.stringify(versions));
}

const CONTENT_BYTES_MAX = 1024 * 1024;

function changedAt(path: string): number | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  } catch {
    return null; // Below a file there is nothing.
  }
}

/** null: it is not known, or what is kept is damaged. Never throws. */
export function cachedBase({ folder }: CachePlace, key: string): BaseEntry | null {
  const text = readSmallFile(join(folder, `${key}.json`), ENTRY_BYTES_MAX) ?? "";
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  if (end === -1 || text.slice(0, end) !== digestOf(body)) return null;
  const [first = "", checks = ""] = body.split("\n", 2);
  const result = jsonIn(first);
  return isResult(result) ? { result, checks } : null;
}

/** What orch wrote itself, as the digest says. */
function isResult(value: unknown): value is GateResult {
  return isObject(value) && objectAt(value, "verdict") !== null;
}

/** Never throws: an answer that cannot be kept is found out again. */
export function cacheBase({ folder }: CachePlace, key: string, entry: BaseEntry): void {
  const body = `${JSON.stringify(entry.result)}\n${entry.checks}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeCopyAtomic(join(folder, `${key}.json`), `${digestOf(body)}\n${body}`);
    dropOldest(folder);
  } catch {
    // A full disk, or a folder that nobody may write in.
  }
}

function dropOldest(folder: string): void {
  const files = namesIn(folder).map((name) => {
    const path = join(folder, name);
    const { mtimeMs, size } = lstatSync(path);
    return { path, mtimeMs, size };
  });
  files.sort((a, b) => b.mtimeMs - a.mtimeMs);
  let bytes = 0;
  for (const [at, { path, size }] of files.entries()) {
    bytes += size;
    if (at >= ENTRIES_MAX || bytes > FOLDER_BYTES_MAX) rmSync(path, { force: true });
  }
}
