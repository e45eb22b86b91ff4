// Whose is a tree? A copy of the repository has the run's log, too, and must not work in the trees that it names.

import { join } from "node:path";

import { writeFileAtomic } from "../../adapters/files/atomic-file.ts";
import { readSmallFile } from "../../adapters/files/small-file.ts";
import { thisMachine } from "../../adapters/process/identity.ts";
import type { RunId, TaskId } from "../../core/model/ids.ts";
import { isObject, jsonIn } from "../../core/model/json.ts";
import { entryAt } from "../folders.ts";

export interface Owner {
  readonly run: RunId;
  readonly task: TaskId;
  /** `.orch/runs/<run>`: moved with the repository it stays the same folder, and a copy is another one. */
  readonly runDir: string;
}

const NOTE = "owner.json";
const BYTES_MAX = 64 * 1024;

/** Beside the tree; it tells a person who finds the folder as much, with `more`. */
export function noteOwner(
  slot: string,
  owner: Owner,
  more: Readonly<Record<string, string>>,
): void {
  const note = { version: 2, ...marksOf(owner), ...more };
  writeFileAtomic(join(slot, NOTE), `${JSON.stringify(note, null, 2)}\n`);
}

/** Numbers of devices hold until the machine starts again. */
function marksOf({ run, task, runDir }: Owner) {
  const { ino = 0, dev = 0 } = entryAt(runDir) ?? {};
  return { run, task, inode: ino, device: dev, boot: thisMachine().boot };
}

/** "nobody": there is no note that can be read. */
export function ownerOf(slot: string, owner: Owner): "this run" | "another" | "nobody" {
  const note = jsonIn(readSmallFile(join(slot, NOTE), BYTES_MAX) ?? "");
  if (!isObject(note)) return "nobody";
  const { device, boot, ...marks } = marksOf(owner);
  const isSame = Object.entries(marks).every(([key, value]) => note[key] === value);
  const isHere = note["device"] === device || note["boot"] !== boot;
  return isSame && isHere ? "this run" : "another";
}
