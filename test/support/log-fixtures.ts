// Small events, and disks that fail or tell, for tests of what is written.

import { systemDisk, type Disk } from "../../src/adapters/files/disk.ts";
import { sealed } from "../../src/adapters/log/run-view-file.ts";
import type { Recorded, RunEvent } from "../../src/core/model/event.ts";
import { idOf, type RunId, type TaskId } from "../../src/core/model/ids.ts";
import { eventLine } from "../../src/schema/event-line.ts";
import { started } from "./builders.ts";

export const LOG_RUN = idOf<RunId>("20261120-121436-log-test-aaaa");

export const runStarted: RunEvent = { ...started, run: LOG_RUN, isolation: "none", base: null };

/** A small event that carries any text. */
export function note(text: string): RunEvent {
  return { type: "budget-warned", task: idOf<TaskId>("write"), limit: text };
}

export function noteOf(recorded: Recorded): string {
  return recorded.event.type === "budget-warned" ? recorded.event.limit : recorded.event.type;
}

export function at(seq: number, epoch: number, event: RunEvent): Recorded {
  return { seq, epoch, at: new Date(Date.UTC(2026, 10, 20, 12, 0, seq)).toISOString(), event };
}

export function lineOf(recorded: Recorded): string {
  return `${sealed(eventLine(LOG_RUN, recorded))}\n`;
}

/** What the system says, as an error of the file system has it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** The real disk with some operations replaced. */
export function disk(over: Partial<Disk>): Disk {
  return { ...systemDisk, ...over };
}

/** The real disk, telling each operation before it is done: name, then the file's name or "". */
export function watchedDisk(tell: (operation: keyof Disk, path: string) => void): Disk {
  const paths = new Map<number, string>();
  const named = (operation: keyof Disk, fd: number) => tell(operation, paths.get(fd) ?? "");
  return {
    open: (path, flags) => {
      tell("open", path);
      const fd = systemDisk.open(path, flags);
      paths.set(fd, path);
      return fd;
    },
    write: (fd, bytes) => (named("write", fd), systemDisk.write(fd, bytes)),
    flushContent: (fd) => (named("flushContent", fd), systemDisk.flushContent(fd)),
    flush: (fd) => (named("flush", fd), systemDisk.flush(fd)),
    truncate: (fd, bytes) => (named("truncate", fd), systemDisk.truncate(fd, bytes)),
    close: (fd) => (named("close", fd), systemDisk.close(fd)),
    rename: (from, to) => (tell("rename", to), systemDisk.rename(from, to)),
    link: (from, to) => (tell("link", to), systemDisk.link(from, to)),
    remove: (path) => (tell("remove", path), systemDisk.remove(path)),
    makeFolder: (path) => (tell("makeFolder", path), systemDisk.makeFolder(path)),
  };
}
