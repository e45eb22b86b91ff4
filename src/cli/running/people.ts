// Who is told that a question waits, and who answered before it was asked?

import { notify } from "../../adapters/people/notify.ts";
import type { Rejected } from "../../adapters/people/inbox.ts";
import { createPreparedAnswers } from "../../adapters/people/prepared-answers.ts";
import type { Notice } from "../../adapters/people/targets.ts";
import type { Recorded } from "../../core/model/event.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import type { RunId } from "../../core/model/ids.ts";
import type { Question } from "../../core/model/question.ts";
import type { RunResult } from "../../core/views/run-view.ts";
import type { RunState } from "../../core/model/state.ts";
import { pendingQuestions } from "../../engine/answer.ts";
import type { Log } from "../../engine/log.ts";
import type { PreparedAnswers } from "../../engine/ports.ts";
import { VERSION } from "../../version.ts";
import type { RunPlace } from "./context.ts";
import { canPrompt, printErr, styleOf, type CliIo } from "../io.ts";
import type { Given } from "../command-line/options.ts";
import { howToAnswer, renderWaiting } from "../render/question.ts";

/** Throws OrchError where the file of answers is wrong: before a run exists. */
export function preparedAnswers({ answers }: Given, io: CliIo): PreparedAnswers | null {
  if (answers === undefined) return null;
  return createPreparedAnswers(answers, io.cwd, (line) => printErr(io, line));
}

/** Names `orch answer` to who cannot be prompted, once for each question, the oldest first. */
export function createAnswerHint(run: RunId, io: CliIo) {
  const notified = new Set<string>();
  /** `resumes`: the run is to be resumed after the answer. */
  return (state: RunState, resumes: boolean): void => {
    const questions = [...pendingQuestions(state)].sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
    for (const question of canPrompt(io) ? [] : questions) {
      if (notified.has(question.id)) continue;
      notified.add(question.id);
      const next = { run: resumes ? run : null, isOnly: questions.length === 1 };
      printErr(io, renderWaiting(question, next, styleOf(io, "stderr")));
    }
  };
}

/**
 * Notifies people outside, once of each question that no file answers, and once of the end; null: nobody
 * wants to be notified. `signal` ends what is still being sent.
 */
export function createExternalNotifier(
  { root, env, redact, settings }: RunPlace,
  { run, prepared }: { readonly run: RunId; readonly prepared: PreparedAnswers | null },
  log: Log,
  signal: AbortSignal,
) {
  const { command, url, to } = settings.notify;
  if (command === null && url === null && to !== "desktop") return null;
  const options = { settings: settings.notify, root, env, redact, version: VERSION };
  const begun = new Set<string>(log.state.notified);
  const sending = new Set<Promise<void>>();
  const send = async (notice: Notice): Promise<void> => {
    const deliveries = await notify(notice, options, signal);
    const question = notice.type === "question" ? notice.question.id : null;
    await log.append(...deliveries.map((one) => ({ type: "notified", question, ...one }) as const));
  };
  const ask = (question: Question): void => {
    if (begun.has(question.id) || signal.aborted || prepared?.(question)) return;
    begun.add(question.id);
    const sent = send({
      type: "question",
      run,
      question,
      answerWith: howToAnswer(question, false),
    });
    // A full disk ends the run by its own next line; here it must not end it a second way.
    const done = sent.catch(() => undefined).finally(() => sending.delete(done));
    sending.add(done);
  };
  for (const question of pendingQuestions(log.state)) ask(question);
  return {
    recorded(events: readonly Recorded[]) {
      for (const { event } of events) if (event.type === "question-asked") ask(event.question);
    },
    /** Resolves when everything has been sent or given up. */
    flush: () => Promise.all(sending),
    ended: (result: RunResult) =>
      signal.aborted ? Promise.resolve() : send({ type: "end", result }),
  };
}

/** A file that says nothing the run could use is told of, and not just put away. */
export function tellRejected(io: CliIo): (rejected: Rejected) => void {
  return ({ name, file, why }) =>
    printErr(io, `${excerpt(name, 80)} cannot be used: ${excerpt(why, 200)} (now ${file})`);
}
