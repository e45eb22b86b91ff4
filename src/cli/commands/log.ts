// What happened in a run, event by event?

import {
  type LogPosition,
  type LogRead,
  readLog,
  requireLog,
} from "../../adapters/log/event-log.ts";
import { currentOwner } from "../../adapters/log/owner.ts";
import { pickRun, requireRuns } from "../../adapters/log/run-reader.ts";
import { runFiles, type RunFiles } from "../../adapters/log/run-files.ts";
import type { Recorded } from "../../core/model/event.ts";
import { eventLine } from "../../schema/event-line.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import { type Given, isOn } from "../options.ts";
import { renderEvent } from "../render/log.ts";

interface LogFlags {
  readonly json: boolean;
  readonly verbose: boolean;
}

export async function logCommand(
  [wanted = null]: readonly (string | null)[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const here = requireRuns(io.cwd);
  const files = runFiles(here.root, pickRun(here, wanted));
  io.logAtHand.path = files.log;
  const flags = { json: isOn(given, "json"), verbose: isOn(given, "verbose") };
  const { position, last } = print(files, flags, io, null);
  if (isOn(given, "follow")) await follow({ files, flags, io }, position, last);
  return 0;
}

interface Printed {
  readonly position: LogPosition;
  readonly last: Recorded | null;
}

function print(files: RunFiles, flags: LogFlags, io: CliIo, from: LogPosition | null): Printed {
  const { events, position } = requireLog(files.log, readLog(files.log, from));
  const style = styleOf(io, "stdout");
  for (const recorded of events) {
    if (io.readerGone.aborted) break;
    if (flags.json) {
      printJson(io, eventLine(files.id, recorded));
      continue;
    }
    const line = renderEvent(recorded, style, flags.verbose);
    if (line !== null) printOut(io, line);
  }
  return { position, last: events.at(-1) ?? null };
}

interface Following {
  readonly files: RunFiles;
  readonly flags: LogFlags;
  readonly io: CliIo;
}

/** Ends when the run's process left it or died, or when nobody reads any more. */
async function follow(
  { files, flags, io }: Following,
  from: LogPosition,
  first: Recorded | null,
): Promise<void> {
  // The watcher costs time to load, and only those who follow need it.
  const { folderChanged } = await import("../../adapters/files/folder-watch.ts");
  let position = from;
  let last = first;
  while (!hasLeft(last) && !io.readerGone.aborted) {
    const isAlive = (): boolean => {
      const owner = currentOwner(files.folder).kind;
      return owner === "live" || owner === "other-place";
    };
    const hasMore = (): boolean => tells(readLog(files.log, position));
    const wasAlive = isAlive();
    if (wasAlive) await folderChanged(files.folder, () => !isAlive() || hasMore(), io.readerGone);
    const printed = print(files, flags, io, position);
    position = printed.position;
    last = printed.last ?? last;
    if (!wasAlive) return;
  }
}

function tells(read: LogRead): boolean {
  return read.kind !== "read" || read.events.length > 0;
}

function hasLeft(last: Recorded | null): boolean {
  return last?.event.type === "run-ended" || last?.event.type === "run-interrupted";
}
