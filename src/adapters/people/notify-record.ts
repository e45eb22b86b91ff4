// What does a notice of a question or of a run's end contain?

import { clip, excerpt, inert } from "../../core/model/excerpt.ts";
import type { JsonObject } from "../../core/model/json.ts";
import type { Question } from "../../core/model/question.ts";
import type { RunResult, TaskResult } from "../../core/views/run-view.ts";
import { redactDeep, type Redact } from "../redact.ts";

/** What there is to tell. */
export type Notice =
  | {
      readonly kind: "question";
      readonly run: string;
      readonly question: Question;
      /** Command lines that answer it. */
      readonly answerWith: readonly string[];
    }
  | {
      readonly kind: "end";
      readonly result: Pick<RunResult, "run" | "outcome" | "exitCode"> & {
        readonly tasks: readonly Pick<TaskResult, "id" | "title" | "phase" | "reason">[];
      };
    };

/** A change that breaks readers raises it. */
const RECORD_VERSION = 1;
const RECORD_BYTES_MAX = 64 * 1024;
const TEXT_CHARS_MAX = 16 * 1024;
const PROJECT_CHARS_MAX = 200;
const VALUE_CHARS_MAX = 2_000;
const OPTIONS_MAX = 50;
const CONTEXT_MAX = 50;
const COMMANDS_MAX = 10;
const TASKS_MAX = 200;

/** Names of what is told of: never redacted, and never shortened for want of room. */
const NAMES: ReadonlySet<string> = new Set(
  "type run task step id kind impact phase outcome askedAt expiresAt whenExpired".split(" "),
);

/** Where a command finds the short of the record. */
const VARIABLES = {
  ORCH_NOTIFY: "type",
  ORCH_RUN: "run",
  ORCH_TASK: "task",
  ORCH_QUESTION_ID: "id",
  ORCH_QUESTION: "question",
  ORCH_EXIT_CODE: "exitCode",
} as const;

export interface NoticeRecord {
  /** One JSON text of at most 64 KiB, without secrets and without what a terminal would obey. */
  readonly json: string;
  /** The short of it, on one line each. */
  readonly variables: Readonly<Record<string, string>>;
}

export function noticeRecord(notice: Notice, project: string, redact: Redact): NoticeRecord {
  const record: JsonObject = recordOf(notice, excerpt(project, PROJECT_CHARS_MAX));
  const short = Object.entries(VARIABLES).flatMap(([name, key]) =>
    key in record ? [[name, excerpt(redact(inert(String(record[key]))), VALUE_CHARS_MAX)]] : [],
  );
  const variables: Readonly<Record<string, string>> = Object.fromEntries(short);
  // The longer a text, the more of it gives way: the names of what is told of always fit.
  for (let charsMax = TEXT_CHARS_MAX; ; charsMax = Math.floor(charsMax / 2)) {
    const safe = (text: string): string => clip(redact(inert(text)), charsMax);
    const json = JSON.stringify(redactDeep(record, safe, (key) => NAMES.has(key)));
    if (charsMax === 0 || Buffer.byteLength(json) <= RECORD_BYTES_MAX) return { json, variables };
  }
}

function recordOf(notice: Notice, project: string): JsonObject {
  const version = RECORD_VERSION;
  if (notice.kind === "question") {
    const { toolUseId: _own, budget: _said, ...question } = notice.question;
    return {
      version,
      type: "question",
      run: notice.run,
      project,
      ...question,
      options: question.options.slice(0, OPTIONS_MAX),
      context: question.context.slice(0, CONTEXT_MAX),
      answerWith: notice.answerWith.slice(0, COMMANDS_MAX),
    };
  }
  const { run, outcome, exitCode, tasks } = notice.result;
  const told = tasks
    .slice(0, TASKS_MAX)
    .map(({ id, title, phase, reason }) => ({ task: id, title, phase, reason }));
  const tasksOmitted = tasks.length - told.length;
  return { version, type: "end", run, project, outcome, exitCode, tasks: told, tasksOmitted };
}
