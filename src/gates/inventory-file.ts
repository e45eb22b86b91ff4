// Where are the checks kept that a gate made?

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import { readSmallFile } from "../adapters/files/small-file.ts";
import { removeIfPresent, writeCopyAtomic } from "../adapters/files/atomic-file.ts";
import type { Check } from "../core/model/verdict.ts";
import { excerpt } from "../core/model/excerpt.ts";
import { isObject, jsonIn, listAt, nameAt } from "../core/model/json.ts";
import { shortHash } from "../core/model/ids.ts";

const BYTES_MAX = 64 * 1024 * 1024;
const CHECKS_MAX = 200_000;
const NAME_CHARS_MAX = 300;

/** What a gate leaves beside its log. */
export function besideLog(logPath: string, ending: string): string {
  return `${logPath.endsWith(".log") ? logPath.slice(0, -".log".length) : logPath}${ending}`;
}

/** Beside the gate's log: the log of the run holds only what became of them. */
export function inventoryFile(logPath: string): string {
  return besideLog(logPath, ".checks.json");
}

/** The checks of one run, and who named them: names of two kinds are no base for a comparison. */
export interface Named {
  readonly by: string;
  readonly checks: readonly Check[];
}

export function keepChecks(logPath: string, { by, checks }: Named): void {
  const kept = checks.slice(0, CHECKS_MAX).map(({ name, state }) => [state, shownName(name)]);
  keepText(logPath, JSON.stringify({ by, checks: kept }));
}

/** Never throws: what was not kept cannot be compared, and what was kept before is gone. */
export function keepText(logPath: string, text: string): void {
  const file = inventoryFile(logPath);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeCopyAtomic(file, text);
  } catch {
    removeIfPresent(file);
  }
}

/** Without checks where none were kept. */
export function keptChecks(logPath: string): Named {
  const value = jsonIn(keptText(logPath));
  if (!isObject(value)) return { by: "", checks: [] };
  return { by: nameAt(value, "by"), checks: listAt(value, "checks").flatMap(checkIn) };
}

/** "": none were kept. */
export function keptText(logPath: string): string {
  return readSmallFile(inventoryFile(logPath), BYTES_MAX) ?? "";
}

/** On one line and harmless. What tells long names apart may stand at their ends. */
function shownName(name: string): string {
  if (name.length <= NAME_CHARS_MAX) return excerpt(name, NAME_CHARS_MAX);
  return `${excerpt(name, NAME_CHARS_MAX - 17)} ${shortHash(name)}`;
}

function checkIn(entry: unknown): readonly Check[] {
  const [state, name]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  const isState = state === "passed" || state === "failed" || state === "skipped";
  return isState && typeof name === "string" ? [{ name, state }] : [];
}
