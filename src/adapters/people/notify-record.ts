// What does a notice of a question or of a run's end contain?

import { clip, excerpt, inert } from "../../core/model/excerpt.ts";
import type { Question } from "../../core/model/question.ts";
import type { RunResult, TaskResult } from "../../core/views/run-view.ts";
import { assertNever } from "../../core/model/assert.ts";
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
const NAME_CHARS_MAX = 200;
const OPTIONS_MAX = 50;
const CONTEXT_MAX = 50;
const COMMANDS_MAX = 10;
const TASKS_MAX = 200;

/** Names of what is told of: never redacted, and never shortened for want of room. */
const NAMES: ReadonlySet<string> = new Set(
  "type run task step id kind impact phase outcome askedAt expiresAt whenExpired".split(" "),
);

/** One JSON text of at most 64 KiB, without secrets and without what a terminal would obey. */
export function noticeRecord(notice: Notice, project: string, redact: Redact): string {
  const record = { version: RECORD_VERSION, ...recordOf(notice, excerpt(project, NAME_CHARS_MAX)) };
  // The longer a text, the more of it gives way: the names of what is told of always fit.
  for (let charsMax = TEXT_CHARS_MAX; ; charsMax = Math.floor(charsMax / 2)) {
    const safe = (text: string): string => clip(redact(inert(text)), charsMax);
    const json = JSON.stringify(redactDeep(record, safe, NAMES));
    if (charsMax === 0 || Buffer.byteLength(json) <= RECORD_BYTES_MAX) return json;
  }
}

function recordOf(notice: Notice, project: string): object {
  switch (notice.kind) {
    case "question": {
      const { expiresAt, whenExpired, askedAt, ...question } = notice.question;
      return {
        type: "question",
        run: nameOf(notice.run),
        project,
        task: nameOf(question.task),
        step: nameOf(question.step),
        attempt: question.attempt,
        id: nameOf(question.id),
        kind: question.kind,
        impact: question.impact,
        question: question.question,
        options: question.options.slice(0, OPTIONS_MAX),
        default: question.default,
        context: question.context.slice(0, CONTEXT_MAX),
        askedAt: nameOf(askedAt),
        expiresAt: expiresAt === null ? null : nameOf(expiresAt),
        whenExpired,
        answerWith: notice.answerWith.slice(0, COMMANDS_MAX),
      };
    }
    case "end": {
      const { run, outcome, exitCode, tasks } = notice.result;
      return {
        type: "end",
        run: nameOf(run),
        project,
        outcome: nameOf(outcome),
        exitCode,
        tasks: tasks.slice(0, TASKS_MAX).map(({ id, title, phase, reason }) => ({
          task: nameOf(id),
          title,
          phase,
          reason,
        })),
        tasksOmitted: Math.max(0, tasks.length - TASKS_MAX),
      };
    }
    default:
      return assertNever(notice, "notice");
  }
}

function nameOf(text: string): string {
  return excerpt(text, NAME_CHARS_MAX);
}
