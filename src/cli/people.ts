// Who is told that a question waits, and who answered before it was asked?

import { createNotifier, type Delivery } from "../adapters/people/notify.ts";
import type { Notice } from "../adapters/people/notify-record.ts";
import type { Rejected } from "../adapters/people/inbox.ts";
import { createPreparedAnswers } from "../adapters/people/prepared-answers.ts";
import type { Recorded, RunEvent } from "../core/model/event.ts";
import { excerpt } from "../core/model/excerpt.ts";
import type { RunId } from "../core/model/ids.ts";
import type { Question } from "../core/model/question.ts";
import type { RunResult } from "../core/views/run-view.ts";
import type { RunState } from "../core/model/state.ts";
import { pendingQuestions } from "../engine/answer.ts";
import type { Log } from "../engine/log.ts";
import type { AnswerSource } from "../engine/ports.ts";
import { VERSION } from "../version.ts";
import type { RunPlace } from "./context.ts";
import { canPrompt, printErr, styleOf, type CliIo } from "./io.ts";
import type { Given } from "./options.ts";
import { howToAnswer, renderWaiting } from "./render/question.ts";

/** Throws OrchError where the file of answers is wrong: before a run exists. */
export function preparedAnswers({ answers }: Given, io: CliIo): AnswerSource | null {
  if (answers === undefined) return null;
  return createPreparedAnswers(answers, io.cwd, (line) => printErr(io, line));
}

/** Names `orch answer` to who cannot be prompted, once for each question, the oldest first. */
export function createAnswerHint(run: RunId, io: CliIo) {
  const told = new Set<string>();
  /** `resumes`: the run is to be resumed after the answer. */
  return (state: RunState, resumes: boolean): void => {
    const questions = [...pendingQuestions(state)].sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
    for (const question of canPrompt(io) ? [] : questions) {
      if (told.has(question.id)) continue;
      told.add(question.id);
      const next = { run: resumes ? run : null, isOnly: questions.length === 1 };
      printErr(io, renderWaiting(question, next, styleOf(io, "stderr")));
    }
  };
}

/** A question that a file of answers settles is none for people. */
const SETTLES_BY_ITSELF_MS = 250;

/**
 * Tells people outside, once of each question and once of the end; null: nobody wants to be told.
 * `signal` ends what is still being told.
 */
export function createExternalNotifier(
  { root, env, redact, settings }: RunPlace,
  run: RunId,
  log: Log,
  signal: AbortSignal,
) {
  const { command, url } = settings.notify;
  if (command === null && url === null) return null;
  const about = { settings: settings.notify, root, env, redact, version: VERSION };
  const notifier = createNotifier(about);
  const begun = new Set<string>(log.state.notified);
  const timers = new Set<NodeJS.Timeout>();
  const telling = new Set<Promise<void>>();
  const tell = async (notice: Notice): Promise<void> => {
    const deliveries = await notifier.tell(notice, signal);
    await log.append(...deliveries.map((one) => notified(notice, one)));
  };
  const ask = (question: Question): void => {
    const isOpen = pendingQuestions(log.state).some(({ id }) => id === question.id);
    if (begun.has(question.id) || !isOpen) return;
    begun.add(question.id);
    const answerWith = howToAnswer(question, false);
    const told = tell({ kind: "question", run, question, answerWith });
    // A full disk ends the run by its own next line; here it must not end it a second way.
    const done = told.catch(() => undefined).finally(() => telling.delete(done));
    telling.add(done);
  };
  for (const question of pendingQuestions(log.state)) ask(question);
  return {
    recorded(events: readonly Recorded[]) {
      for (const { event } of events) {
        if (event.type !== "question-asked") continue;
        const timer = setTimeout(() => {
          timers.delete(timer);
          ask(event.question);
        }, SETTLES_BY_ITSELF_MS);
        timers.add(timer);
      }
    },
    /** Tells of what still waits, and resolves when everybody has been told or given up. */
    async flush(state: RunState) {
      for (const timer of timers) clearTimeout(timer);
      if (!signal.aborted) for (const question of pendingQuestions(state)) ask(question);
      await Promise.all(telling);
    },
    ended: (result: RunResult) =>
      signal.aborted ? Promise.resolve() : tell({ kind: "end", result }),
  };
}

function notified(notice: Notice, { channel, trouble }: Delivery): RunEvent {
  const question = notice.kind === "question" ? notice.question.id : null;
  return { type: "notified", question, channel, trouble };
}

/** A file that says nothing the run could use is told of, and not just put away. */
export function tellRejected(io: CliIo): (rejected: Rejected) => void {
  return ({ name, file, why }) =>
    printErr(io, `${excerpt(name, 80)} cannot be used: ${excerpt(why, 200)} (now ${file})`);
}
