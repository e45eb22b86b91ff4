// How are a session's logs written for people to read afterwards?

import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync } from "node:fs";
import { dirname, join } from "node:path";

import { ACTIVITY_FILE } from "../adapters/log/activity-file.ts";
import { APPEND, PRIVATE_FILE } from "../adapters/files/disk.ts";
import { assertNever } from "../core/model/assert.ts";
import { clip } from "../core/model/excerpt.ts";
import { withWords, type SessionEvent } from "../core/model/session.ts";

const MEBIBYTE = 1024 * 1024;
const TOOL_CHARS_MAX = 4_000;

/**
 * Opens the logs of an attempt; its sessions append what is redacted to the same files. Nothing here ever
 * throws: a log that cannot be written (disk full, folder gone) stops, and the session goes on.
 */
export function openSessionLogs(attemptDir: string) {
  const file = (name: string, mebibytes: number, cutLine: string) =>
    openLogFile({ path: join(attemptDir, name), bytesMax: mebibytes * MEBIBYTE, cutLine });
  const raw = file("session.jsonl", 64, '{"type":"cut","by":"orch"}');
  const output = file("output.log", 16, CUT);
  const reasoning = file("reasoning.log", 16, CUT);
  const activity = file(ACTIVITY_FILE, 16, "");
  return {
    /** A line of the agent's own stream, for `session.jsonl`. */
    raw: (line: string) => raw.append(() => line),
    /** What it said goes to `output.log`; how it got there to `reasoning.log`. */
    event: (event: SessionEvent) => {
      const time = new Date().toISOString().slice(11, 19);
      activity.append(() =>
        JSON.stringify(withWords(event, (words) => clip(words, TOOL_CHARS_MAX))),
      );
      if (event.type === "text") output.append(() => event.text);
      else reasoning.append(() => `${time} ${reasoningLine(event)}`);
    },
    close: () => [raw, output, reasoning, activity].forEach((log) => log.close()),
  };
}

const CUT = "… cut here: the log reached its limit";

function reasoningLine(event: Exclude<SessionEvent, { type: "text" }>): string {
  switch (event.type) {
    case "thinking":
      return `thinking: ${event.text}`;
    case "tool-call":
      return `${event.tool}: ${clip(event.input, TOOL_CHARS_MAX)}`;
    case "tool-result":
      return `  ${event.isError ? "error" : "gave"}: ${clip(event.output, TOOL_CHARS_MAX)}`;
    case "retry":
      return `retry: ${event.detail}`;
    case "condensation":
    case "hook":
    case "note":
      return event.text;
    default:
      return assertNever(event, "session event");
  }
}

/** Opened at the first line, so that a session that says nothing leaves no empty files. */
function openLogFile(log: { path: string; bytesMax: number; cutLine: string }) {
  let fd: number | null = null;
  let room = log.bytesMax;
  let isOver = false;
  const write = (lineOf: () => string): void => {
    if (fd === null) {
      mkdirSync(dirname(log.path), { recursive: true, mode: 0o700 });
      fd = openSync(log.path, APPEND, PRIVATE_FILE);
      room -= fstatSync(fd).size;
    }
    if (room > 0) {
      const line = `${lineOf()}\n`;
      room -= Buffer.byteLength(line);
      appendFileSync(fd, room > 0 ? line : `${log.cutLine}\n`);
    }
    isOver = room <= 0;
  };
  return {
    /** Asks for the line only while there is room: an endless stream costs nothing any more. */
    append(lineOf: () => string) {
      if (isOver) return;
      try {
        write(lineOf);
      } catch {
        isOver = true; // The log is a record for people; the session must not end for it.
      }
    },
    close() {
      if (fd !== null) closeSync(fd);
      fd = null;
      isOver = true;
    },
  };
}
