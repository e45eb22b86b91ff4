// What happened in a run, event by event?

import { type LogPosition, readLog, requireLog } from "../../adapters/log/event-log.ts";
import { currentOwner } from "../../adapters/log/owner.ts";
import { pickRun, requireRuns } from "../../adapters/log/run-reader.ts";
import { runFiles, type RunFiles } from "../../adapters/log/run-files.ts";
import type { Recorded } from "../../core/model/event.ts";
import { eventLine } from "../../schema/event-line.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import type { Command, Given } from "../options.ts";
import { createStory } from "../render/log.ts";
import { isTaken } from "./pick.ts";

export const logCommand: Command = async ([wanted = null], given, io) => {
  const here = requireRuns(io.cwd);
  const files = runFiles(here.root, pickRun(here, wanted));
  io.logAtHand.path = files.log;
  const { events, position } = requireLog(files.log, readLog(files.log));
  const story = createStory(styleOf(io, "stdout"), given.verbose === true);
  const about = { files, given, io, story };
  print(events, about);
  if (given.follow === true) await follow(about, position, events.at(-1));
  return 0;
};

interface Following {
  readonly files: RunFiles;
  readonly given: Given;
  readonly io: CliIo;
  readonly story: ReturnType<typeof createStory>;
}

function print(events: readonly Recorded[], { files, given, io, story }: Following): void {
  for (const recorded of events) {
    if (io.readerGone.aborted) return;
    const line = given.json === true ? null : story(recorded);
    if (line !== null) printOut(io, line);
    else if (given.json === true) printJson(io, eventLine(files.id, recorded));
  }
}

/** Ends when the run's process left it or died, or when nobody reads any more. */
async function follow(about: Following, from: LogPosition, first?: Recorded): Promise<void> {
  const { files, io } = about;
  // The watcher costs time to load, and only those who follow need it.
  const { folderChanged } = await import("../../adapters/files/folder-watch.ts");
  let position = from;
  let last = first?.event.type;
  while (last !== "run-ended" && last !== "run-interrupted" && !io.readerGone.aborted) {
    const isAlive = (): boolean => isTaken(currentOwner(files.folder));
    const hasMore = (): boolean => {
      const more = readLog(files.log, position);
      return more.kind !== "read" || more.events.length > 0;
    };
    const wasAlive = isAlive();
    if (wasAlive) await folderChanged(files.folder, () => !isAlive() || hasMore(), io.readerGone);
    const more = requireLog(files.log, readLog(files.log, position));
    print(more.events, about);
    position = more.position;
    last = more.events.at(-1)?.event.type ?? last;
    if (!wasAlive) return;
  }
}
