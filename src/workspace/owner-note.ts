// To which repository, run and task does a tree belong, when nobody is left to ask?

import { join } from "node:path";

import { writeFileAtomic } from "../adapters/files/atomic-file.ts";
import { bytesIn } from "../adapters/files/small-file.ts";
import { isObject, jsonIn } from "../core/model/json.ts";

/** An agent works beside this file: what it says is only believed where removing can do no harm. */
export interface OwnerNote {
  /** The git folder that all trees of the repository share. */
  readonly repository: string;
  readonly run: string;
  readonly task: string;
  /** The commit that the tree began with. */
  readonly base: string;
}

export function writeOwnerNote(slot: string, note: OwnerNote): void {
  writeFileAtomic(join(slot, FILE), `${JSON.stringify({ version: 1, ...note }, null, 2)}\n`);
}

/** null: there is none, or none that can be understood. */
export function readOwnerNote(slot: string): OwnerNote | null {
  try {
    const raw = jsonIn(bytesIn(join(slot, FILE)).toString("utf8").slice(0, CHARS_MAX));
    return isNote(raw) ? raw : null;
  } catch {
    return null; // Not there: the tree was never begun, or an older orch made it.
  }
}

function isNote(raw: unknown): raw is OwnerNote {
  const keys = ["repository", "run", "task", "base"];
  return isObject(raw) && keys.every((key) => typeof raw[key] === "string");
}

const FILE = "owner.json";
const CHARS_MAX = 64 * 1024;
