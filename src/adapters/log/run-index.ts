// How are thousands of runs listed and counted without opening each?

import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { isObject, jsonIn } from "../../core/model/json.ts";
import type { RunId } from "../../core/model/ids.ts";
import type { RunView } from "../../core/views/run-view.ts";
import { recordOf, type RunRecord } from "../../core/views/stats.ts";
import { nullIfWorded } from "../../errors.ts";
import { readSmallFile } from "../files/small-file.ts";
import { asItStands, openRun, type RunsHere } from "./run-reader.ts";
import { sealed, sealIn } from "./run-view-file.ts";
import { orchFolder, type RunFiles } from "./run-files.ts";

const INDEX = "runs.jsonl";
const INDEX_BYTES_MAX = 256 * 1024 * 1024;
/** Raised with the form: lines of another one are passed over, and their runs opened. */
const VERSION = 1;

/** Newest first; what cannot be read is left out. `since`: by when they began, in epoch milliseconds. */
export async function readRecords({ root, runs }: RunsHere, since: number) {
  const lines = indexed(root);
  const first = new Date(since).toISOString();
  const day = first.replaceAll("-", "").slice(0, 8);
  const records: RunRecord[] = [];
  for (const run of runs) {
    // An id begins with the day.
    if (run < day) break;
    const line = lines.get(run);
    const record: unknown = line === undefined ? await opened(root, run) : jsonIn(line);
    if (isRecord(record) && record.startedAt >= first) records.push(record);
  }
  return records;
}

/** Of a run that is over: it stays as it is until somebody goes on with it, and forgets its record. */
export function noteRecord(files: RunFiles, view: RunView): void {
  if (view.finished) append(files, recordOf(view));
}

export function forgetRecord(files: RunFiles): void {
  append(files, { run: files.id, finished: false });
}

/** Without it runs are opened to be counted: that it cannot be written is nobody's trouble. */
function append({ folder }: RunFiles, record: Pick<RunRecord, "run" | "finished">): void {
  const line = sealed(JSON.stringify({ v: VERSION, ...record }));
  try {
    // Lines of other processes may come between, and never into one another.
    appendFileSync(join(dirname(dirname(folder)), INDEX), `\n${line}\n`, { mode: 0o600 });
  } catch {
    return;
  }
}

async function opened(root: string, run: RunId): Promise<RunRecord | null> {
  const one = await openRun(root, run).catch(nullIfWorded);
  if (one === null) return null; // `orch show` says what is wrong.
  const stands = asItStands(one.view, one.owner);
  noteRecord(one.files, stands);
  return recordOf(stands);
}

/** The last line of each run counts; of a run that goes on, it has its id alone. */
function indexed(root: string): ReadonlyMap<string, string> {
  const path = join(orchFolder(root), INDEX);
  const records = new Map<string, string>();
  for (const line of (readSmallFile(path, INDEX_BYTES_MAX) ?? "").split("\n")) {
    if (!line.startsWith(START) || sealIn(line) !== "whole") continue;
    const end = line.indexOf('"', START.length);
    const run = line.slice(START.length, end);
    if (line.startsWith('"finished"', end + 2)) records.delete(run);
    else records.set(run, line);
  }
  return records;
}

const START = `{"v":${VERSION},"run":"`;

/** The line is whole and orch's own, and its version says the rest. */
function isRecord(value: unknown): value is RunRecord {
  return isObject(value) && typeof value["run"] === "string";
}
