// How is a notice given to the user's own command?

import { randomUUID } from "node:crypto";

import { assertNever } from "../../core/model/assert.ts";
import { excerpt, inert } from "../../core/model/excerpt.ts";
import { gateEnvironment } from "../environment.ts";
import type { Notice } from "./notify-record.ts";
import { createTail } from "../process/output-lines.ts";
import { runProcess, type ProcessEnd } from "../process/process.ts";
import type { Redact } from "../redact.ts";

export interface CommandChannel {
  /** A line for the system shell, from the config; nothing is ever put into it. */
  readonly command: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly redact: Redact;
  readonly timeoutMs: number;
}

const STOP_GRACE_MS = 1_000;
const ERROR_TAIL_BYTES = 8 * 1024;
const ERROR_CHARS_MAX = 200;
const VALUE_CHARS_MAX = 2_000;

/** null: it ended with exit code 0. Never rejects. */
export async function runNotifyCommand(
  { command, root, env, redact, timeoutMs }: CommandChannel,
  { notice, record }: { readonly notice: Notice; readonly record: string },
  signal: AbortSignal,
): Promise<string | null> {
  const tail = createTail(ERROR_TAIL_BYTES);
  const end = await runProcess(
    {
      program: { kind: "shell", line: command },
      cwd: root,
      env: gateEnvironment(env, variablesOf(notice, redact)),
      input: `${record}\n`,
      marker: `notify-${randomUUID()}`,
      timeoutMs,
      idleMs: null,
      stop: [{ signal: "SIGTERM", graceMs: STOP_GRACE_MS }],
      onStdout: () => {},
      onStderr: tail.add,
      onSpawn: () => Promise.resolve(),
    },
    signal,
  );
  return troubleOf(end, timeoutMs, lastOf(redact(tail.text())));
}

function variablesOf(notice: Notice, redact: Redact): Record<string, string> {
  const value = (text: string): string => excerpt(redact(inert(text)), VALUE_CHARS_MAX);
  switch (notice.kind) {
    case "question": {
      const { task, id, question } = notice.question;
      return {
        ORCH_NOTIFY: "question",
        ORCH_RUN: value(notice.run),
        ORCH_TASK: value(task),
        ORCH_QUESTION_ID: value(id),
        ORCH_QUESTION: value(question),
      };
    }
    case "end":
      return {
        ORCH_NOTIFY: "end",
        ORCH_RUN: value(notice.result.run),
        ORCH_EXIT_CODE: String(notice.result.exitCode),
      };
    default:
      return assertNever(notice, "notice");
  }
}

function troubleOf(end: ProcessEnd, timeoutMs: number, words: string): string | null {
  if (end.kind === "not-started") return `the command could not be started: ${end.detail}`;
  const said = words === "" ? "" : `: ${words}`;
  switch (end.cause) {
    case "self":
      if (end.exitCode === 0) return null;
      return end.exitCode === null
        ? `the command was ended by ${end.signal ?? "a signal"}${said}`
        : `the command ended with exit code ${end.exitCode}${said}`;
    case "timed-out":
    case "idle":
      return `the command did not end within ${timeoutMs} ms and was ended${said}`;
    case "aborted":
      return "orch stopped before the command ended";
    default:
      return assertNever(end.cause, "cause");
  }
}

/** The last words, on one line: what went wrong stands at the end. */
function lastOf(text: string): string {
  const plain = inert(text).replace(/\s+/g, " ").trim();
  return plain.length <= ERROR_CHARS_MAX ? plain : `…${plain.slice(1 - ERROR_CHARS_MAX)}`;
}
