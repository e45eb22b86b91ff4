// What do the agents of a run do right now, as another process sees it?

import { join } from "node:path";

import { bytesAt, readingFile } from "../files/disk.ts";
import { isObject, jsonIn } from "../../core/model/json.ts";
import type { SessionEvent } from "../../core/model/session.ts";
import type { RunState } from "../../core/model/state.ts";
import { currentStep, lastAttempt } from "../../core/run/select.ts";
import { attemptFolder, type RunFiles } from "./run-files.ts";

/** In the folder of an attempt: one event of a session a line, bounded and redacted. */
export const ACTIVITY_FILE = "activity.jsonl";

/** Of one look: what lies further back is long over. */
const BYTES_MAX = 256 * 1024;

export interface Acted {
  readonly task: string;
  readonly step: string;
  readonly event: SessionEvent;
}

/** Each look tells what was added since the one before; the first only begins. Never throws. */
export function activityReader(files: RunFiles): (state: RunState) => readonly Acted[] {
  const seen = new Map<string, number>();
  return (state) =>
    state.tasks.flatMap((task) => {
      if (task.cursor.at !== "session") return [];
      const { step, at } = currentStep(task);
      const attempt = lastAttempt(at)?.n ?? 0;
      const path = join(attemptFolder(files, task.task.id, step.id, attempt), ACTIVITY_FILE);
      return added(path, seen).flatMap((line) => {
        const event = eventIn(line);
        return event === null ? [] : [{ task: task.task.id, step: step.id, event }];
      });
    });
}

/** Whole lines; what is being written is read with the next look. */
function added(path: string, seen: Map<string, number>): readonly string[] {
  try {
    return readingFile(path, (fd, size) => {
      const from = Math.max(seen.get(path) ?? 0, size - BYTES_MAX);
      const bytes = bytesAt(fd, from, Math.max(0, size - from));
      const end = bytes.lastIndexOf("\n") + 1;
      seen.set(path, from + end);
      return bytes.toString("utf8", 0, end).split("\n");
    });
  } catch {
    return []; // The session has said nothing yet.
  }
}

const KINDS = "text thinking condensation note retry tool-call tool-result".split(" ");
const EMPTY = { text: "", detail: "", id: "", tool: "", input: "", output: "", isError: false };

/** What a kind has and a line lacks is empty. null: cut off at its beginning, or not by orch. */
function eventIn(line: string): SessionEvent | null {
  const given = jsonIn(line);
  if (!isObject(given) || !KINDS.includes(String(given["type"]))) return null;
  const isPlain = Object.entries(given).every(
    ([key, value]) => typeof value === (key === "isError" ? "boolean" : "string"),
  );
  // oxlint-disable-next-line no-unsafe-type-assertion -- A kind that is known, and words alone.
  return isPlain ? ({ ...EMPTY, ...given } as unknown as SessionEvent) : null;
}
