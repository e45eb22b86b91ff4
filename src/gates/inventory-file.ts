// Where are the checks kept that a gate made?

import { readSmallFile } from "../adapters/files/small-file.ts";
import { writeFileAtomic } from "../adapters/files/atomic-file.ts";
import type { Check } from "../core/model/checks.ts";
import { jsonIn } from "../core/model/json.ts";

const BYTES_MAX = 64 * 1024 * 1024;

/** Beside the gate's log: the log of the run holds only what became of them. */
export function inventoryFile(logPath: string): string {
  return logPath.replace(/\.log$/, ".checks.json");
}

export function keepChecks(logPath: string, checks: readonly Check[]): void {
  writeFileAtomic(
    inventoryFile(logPath),
    JSON.stringify(checks.map(({ name, state }) => [state, name])),
  );
}

/** Empty where none were kept. */
export function keptChecks(logPath: string): readonly Check[] {
  const value = jsonIn(readSmallFile(inventoryFile(logPath), BYTES_MAX) ?? "");
  return Array.isArray(value) ? value.flatMap(checkIn) : [];
}

function checkIn(entry: unknown): readonly Check[] {
  const [state, name]: readonly unknown[] = Array.isArray(entry) ? entry : [];
  const isState = state === "passed" || state === "failed" || state === "skipped";
  return isState && typeof name === "string" ? [{ name, state }] : [];
}
