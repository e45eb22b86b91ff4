// How does a person's answer reach the run, whatever way it comes?

import { actionsFor } from "../core/question.ts";
import type { Answer, Question } from "../core/question.ts";
import type { InboxRequest } from "../core/event.ts";
import type { RunState } from "../core/state.ts";
import type { Outside } from "./outside.ts";
import type { Log } from "./log.ts";

/** Turns what other processes left in the inbox into events; each request counts once. */
export async function takeInbox(log: Log, outside: Outside): Promise<void> {
  for (const request of await outside.store.inbox()) {
    if (!log.state.inboxSeen.includes(request.id)) await take(request, log, outside);
    await outside.store.clearInbox(request.id);
  }
}

/**
 * Asks until the question is answered, by the prompt or by the inbox: the first answer wins and
 * ends the other wait. Leaving the prompt without an answer interrupts the run; the question stays.
 */
export async function ask(question: Question, log: Log, outside: Outside): Promise<void> {
  await outside.store.publishQuestion(question, null);
  const over = new AbortController();
  const signal = AbortSignal.any([outside.stop.signal, over.signal]);
  const ways = [
    answeredElsewhere(question, signal, log, outside),
    ...(outside.human.present ? [promptPerson(question, signal, log, outside)] : []),
  ];
  await Promise.all(ways.map((way) => way.finally(() => over.abort())));
}

async function promptPerson(
  question: Question,
  signal: AbortSignal,
  log: Log,
  outside: Outside,
): Promise<void> {
  const answer = await outside.human.ask(question, signal);
  if (answer !== null) await accept({ answer, question, inbox: null }, log, outside);
  else if (!signal.aborted) outside.stop.trigger("SIGINT");
}

async function answeredElsewhere(
  question: Question,
  signal: AbortSignal,
  log: Log,
  outside: Outside,
): Promise<void> {
  while (!signal.aborted && isPending(log.state, question)) {
    await outside.store.inboxChanged(signal);
    if (!signal.aborted) await takeInbox(log, outside);
  }
}

async function take(request: InboxRequest, log: Log, outside: Outside): Promise<void> {
  if (request.kind === "cancel") {
    outside.stop.trigger("SIGTERM");
    return;
  }
  const { question: id, action, text, by } = request.answer;
  const pending = pendingQuestions(log.state).find((q) => q.id === id);
  const isAllowed = pending !== undefined && actionsFor(pending.kind).includes(action);
  if (isAllowed) {
    const at = new Date(outside.clock.nowMs()).toISOString();
    const answer = { id, action, text, by, at };
    // The prompt may be first while this one waits for its turn to be written.
    if (await accept({ answer, question: pending, inbox: request.id }, log, outside)) return;
  }
  const why = whyRefused(log.state, id);
  await log.append({ type: "answer-refused", question: id, inbox: request.id, why, by });
}

function whyRefused(state: RunState, id: string) {
  if (pendingQuestions(state).some((q) => q.id === id)) return "not-allowed";
  return wasAnswered(state, id) ? "already-answered" : "unknown";
}

/** False where another answer was first: then this one changed nothing. */

async function accept(
  { answer, question, inbox }: { answer: Answer; question: Question; inbox: string | null },
  log: Log,
  { store }: Outside,
): Promise<boolean> {
  const isFirst = await log.appendWhen((state) => isPending(state, question), {
    type: "answered",
    answer,
    inbox,
  });
  if (isFirst) await store.publishQuestion(question, answer);
  return isFirst;
}

function pendingQuestions(state: RunState): readonly Question[] {
  return state.tasks.flatMap((t) => (t.pendingQuestion === null ? [] : [t.pendingQuestion]));
}

function isPending(state: RunState, question: Question): boolean {
  return pendingQuestions(state).some((q) => q.id === question.id);
}

function wasAnswered(state: RunState, id: string): boolean {
  return state.tasks.some((t) => t.interactionHistory.some((i) => i.question.id === id));
}
