// What does the script of a scripted agent say?

import { readFileSync, statSync } from "node:fs";

import type { Script } from "../../core/model/script.ts";
import { parseScript } from "../../schema/script-file.ts";

const SCRIPT_BYTES_MAX = 16 * 1024 * 1024;

/** The script, or why it cannot be played. Never throws. */
export function readScript(path: string): Script | string {
  try {
    const { size } = statSync(path);
    if (size > SCRIPT_BYTES_MAX) return `the script ${path} is larger than 16 MiB`;
    const script = parseScript(readFileSync(path, "utf8"));
    return script.ok ? script.value : `the script ${path} is not usable: ${script.problems[0]}`;
  } catch (error) {
    return `the script ${path} cannot be read: ${String(error)}`;
  }
}
