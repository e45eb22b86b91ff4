// How is a question put, and how does an answer reach the run, whatever way it comes?

import { expiredAnswer } from "../core/decide/asking.ts";
import { remarkWords } from "../core/run/remarks.ts";
import { answerProblem } from "../core/run/reply.ts";
import { BY_DEADLINE, fittingAction, hasExpired } from "../core/model/question.ts";
import type { Answer, Question, InboxRequest } from "../core/model/question.ts";
import type { RunEvent } from "../core/model/event.ts";
import type { RunState, TaskState } from "../core/model/state.ts";
import type { Ports, PreparedAnswer } from "./ports.ts";
import type { Log, Place } from "./log.ts";
import type { Limit } from "../core/run/budget.ts";
import { orchAsks } from "../core/decide/rule.ts";
import { scoreCauses } from "../core/decide/uncertainty.ts";
import type { Ask } from "../core/model/decision.ts";
import { halfMore } from "../core/run/extension.ts";
import { idOf, type QuestionId, type TaskId } from "../core/model/ids.ts";
import { currentStep, lastAttempt, taskOf } from "../core/run/select.ts";

/** Takes every answer that is there without waiting for one. */
export async function takeAnswers(log: Log, ports: Ports): Promise<void> {
  await takeInbox(log, ports);
  await takePrepared(log, ports);
  await takeOverdue(log, ports);
}

/** Turns what other processes left in the inbox into events; each request counts once. */
export async function takeInbox(log: Log, ports: Ports): Promise<void> {
  for (const request of await ports.store.inbox()) {
    if (!log.state.inboxSeen.includes(request.id)) await take(request, log, ports);
    await ports.store.clearInbox(request.id);
  }
}

/** Answers that were given before they were asked for. */
export async function takePrepared(log: Log, ports: Ports): Promise<void> {
  if (ports.prepared === null) return;
  for (const question of pendingQuestions(log.state)) {
    const prepared = ports.prepared(question);
    if (prepared !== null) await accept({ reply: prepared, question, inbox: null }, log, ports);
  }
}

/** At its deadline a question gets the answer that its policy says. */
export async function takeOverdue(log: Log, ports: Ports): Promise<void> {
  const nowMs = ports.clock.nowMs();
  for (const question of pendingQuestions(log.state)) {
    if (!hasExpired(question, nowMs)) continue;
    const reply = { ...expiredAnswer(question), by: BY_DEADLINE };
    await record({ reply, question, inbox: null }, log, ports);
  }
}

async function take(request: InboxRequest, log: Log, ports: Ports): Promise<void> {
  if (request.kind === "cancel") {
    ports.stop.trigger("stop");
    return;
  }
  if (request.kind === "tell") return speak(request, log);
  const { question: id, ...reply } = request.answer;
  const question = pendingQuestions(log.state).find((q) => q.id === id);
  // What was left in time counts, however late the run gets to it.
  const isLate = question !== undefined && hasExpired(question, request.leftAtMs);
  // The prompt may be first while this one waits for its turn to be written.
  if (question !== undefined && !isLate)
    if (await accept({ reply, question, inbox: request.id }, log, ports)) return;
  const why = isLate ? "expired" : whyRefused(log.state, id);
  // Two who look into the inbox at once take each request once.
  await log.appendWhen((state) => !state.inboxSeen.includes(request.id), {
    type: "answer-refused",
    question: id,
    inbox: request.id,
    why,
    by: reply.by,
  });
}

/** Recorded before it reaches the agent; once, though two look into the inbox at once. */
async function speak(
  { id: inbox, remark }: Extract<InboxRequest, { kind: "tell" }>,
  log: Log,
): Promise<void> {
  const task = log.state.tasks.find((one) => one.task.id === remark.task);
  const isOver = task === undefined || ["closing", "ended"].includes(task.cursor.at);
  const take = log.takers.get(remark.task);
  const way = isOver ? "too late" : take === undefined ? "next prompt" : "at once";
  const isNew = (state: RunState): boolean => !state.inboxSeen.includes(inbox);
  const isRecorded = await log.appendWhen(isNew, { type: "person-spoke", ...remark, way, inbox });
  if (isRecorded && way === "at once") take?.(remarkWords(remark.text));
}

function whyRefused(
  state: RunState,
  id: string,
): Extract<RunEvent, { type: "answer-refused" }>["why"] {
  if (pendingQuestions(state).some((q) => q.id === id)) return "not-allowed";
  const answer = answerTo(state, id);
  if (answer === null) return "unknown";
  return answer.by === BY_DEADLINE ? "expired" : "already-answered";
}

interface Offered {
  readonly reply: PreparedAnswer;
  readonly question: Question;
  /** The request it came with; null: it came another way. */
  readonly inbox: string | null;
}

/** False where another answer was first, or where this one does not fit: then it changed nothing. */
export async function accept(
  { reply, question, inbox }: Offered,
  log: Log,
  ports: Ports,
): Promise<boolean> {
  const action = fittingAction(question.kind, reply.action);
  if (answerProblem(question, { action, text: reply.text }) !== null) return false;
  return record({ reply: { ...reply, action }, question, inbox }, log, ports);
}

async function record(
  { reply, question, inbox }: Offered,
  log: Log,
  { store, clock, files }: Ports,
): Promise<boolean> {
  const at = new Date(clock.nowMs()).toISOString();
  const { action, text, by } = reply;
  const answer: Answer = { id: question.id, action, text, by, at };
  const isFirst = await log.appendWhen((state) => isPending(state, question), {
    type: "answered",
    answer,
    inbox,
  });
  if (!isFirst) return false;
  const words = text.trim() === "" ? action : `${action}: ${text}`;
  files.note(question, `question ${question.id} answered by ${by}: ${words}`);
  await store.publishQuestion(question, answer);
  return true;
}

export function pendingQuestions(state: RunState): readonly Question[] {
  return state.tasks.flatMap((t) => (t.pendingQuestion === null ? [] : [t.pendingQuestion]));
}

export function isPending(state: RunState, question: Question): boolean {
  return pendingQuestions(state).some((q) => q.id === question.id);
}

/** null: the question was not answered, or never asked. */
export function answerTo(state: RunState, id: string): Answer | null {
  const pairs = state.tasks.flatMap((t) => t.interactionHistory);
  return pairs.find(({ question }) => question.id === id)?.answer ?? null;
}

/** Records what led to a question, and the question, and shows it. */
export async function put(
  question: Question,
  log: Log,
  ports: Ports,
  ...before: readonly RunEvent[]
): Promise<void> {
  await log.append(...before, { type: "question-asked", question });
  await publish(question, ports);
}

/** A question that was just put: visible to people, and in its place among what the agent did. */
export async function publish(question: Question, { store, files }: Ports): Promise<void> {
  files.note(question, `question ${question.id}: ${question.question}`);
  await store.publishQuestion(question, null);
}

/** More room under a limit: what is offered, unless the person says how much. */
export function budgetQuestion(limit: Limit, id: TaskId, state: RunState, nowMs: number): Question {
  const task = taskOf(state, id);
  const { step, at } = currentStep(task);
  const { name, used, most } = limit;
  const words = `The limit of ${name} is reached. Give it more room?`;
  const budget = { limit: name, used, most, more: halfMore(limit) };
  const ask = { ...orchAsks("budget", words, whereItStands(task)), budget };
  const place = { task: id, step: step.id, attempt: lastAttempt(at)?.n ?? 0 };
  return questionOf(ask, place, state, nowMs);
}

/** What a person weighs before giving more: how the last attempt was judged, and the score. */
function whereItStands(task: TaskState): readonly string[] {
  const last = lastAttempt(currentStep(task).at)?.outcome;
  const judged = last === null || last === undefined ? [] : last.explanation.evidence;
  return [...judged, ...scoreCauses(task.score.parts)];
}

/** Ids are short because people type them: q1, q2, … within a run. */
export function questionOf(
  { budget = null, ...ask }: Ask & Partial<Pick<Question, "budget">>,
  at: Place["at"],
  state: RunState,
  nowMs: number,
): Question {
  const answered = state.tasks.flatMap(({ interactionHistory }) => interactionHistory);
  const { expiresInMs } = currentStep(taskOf(state, at.task)).step.asking;
  return {
    id: idOf<QuestionId>(`q${answered.length + pendingQuestions(state).length + 1}`),
    ...at,
    ...ask,
    askedAt: new Date(nowMs).toISOString(),
    expiresAt: expiresInMs === null ? null : new Date(nowMs + expiresInMs).toISOString(),
    budget,
  };
}
