// How does a question wait for a person, in a paused task or beside a running agent?

import { answeredPairs, unaskedAnswer } from "../core/decide/asking.ts";
import type { Situation } from "../core/run/due.ts";
import type { AnswerAction, Question } from "../core/model/question.ts";
import type { AskedQuestion } from "../core/model/session.ts";
import { taskOf } from "../core/run/select.ts";
import type { RunState } from "../core/model/state.ts";
import {
  accept,
  answerTo,
  isPending,
  pendingQuestions,
  publish,
  takeInbox,
  takeOverdue,
  takePrepared,
  questionOf,
} from "./answer.ts";
import type { Log, Place } from "./log.ts";
import type { Ports } from "./ports.ts";

/** Whether this process can learn of an answer, and when. */
export function situationOf({ human, waits }: Ports): Situation {
  if (human.present) return { asks: "now" };
  return { asks: waits ? "later" : "never" };
}

/** Asks until the question is answered by any channel, or nobody is left who could answer. */
export async function ask(question: Question, log: Log, ports: Ports): Promise<void> {
  await ports.store.publishQuestion(question, null);
  const waiting = pendingQuestions(log.state).length;
  // Where nobody sits at the prompt, an answer to another question lets its task go on at once.
  const isMoved = (): boolean => pendingQuestions(log.state).length < waiting;
  const isOver = (): boolean =>
    !isPending(log.state, question) || (!ports.human.present && isMoved());
  await untilAnswered({ question, isOver, log, ports, signal: ports.stop.signal });
}

/** What a running agent hears; "ended" stops its session, null leaves its call unanswered. */
export type AskOutcome =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "unanswered" | "ended" };

/**
 * Puts a question of a running agent. What its session judged as it knew things is judged again,
 * because other tasks of the run may have asked meanwhile.
 */
export async function askBeside(
  { asked, signal }: { readonly asked: AskedQuestion; readonly signal: AbortSignal },
  { at, step, task }: Pick<Place, "at" | "step" | "task">,
  log: Log,
  ports: Ports,
): Promise<AskOutcome> {
  const now = taskOf(log.state, task.task.id);
  const asking = {
    level: step.level,
    holdMs: 0,
    questionsLeft: questionsLeft({ step, task: now }, log),
    answered: answeredPairs(now.interactionHistory),
  };
  const alone = unaskedAnswer(asking, asked);
  if (alone !== null) return { kind: "answer", text: alone.answer };
  const context = asked.context === null ? [] : [asked.context];
  const ask = { kind: "question", ...asked, context } as const;
  const question = questionOf(ask, at, log.state, ports.clock.nowMs());
  const isFree = (state: RunState) => taskOf(state, at.task).pendingQuestion === null;
  const isPut = await log.appendWhen(isFree, { type: "question-asked", question });
  if (!isPut) return { kind: "unanswered" };
  await publish(question, ports);
  const isOver = (): boolean => !isPending(log.state, question);
  const either = AbortSignal.any([ports.stop.signal, signal]);
  await untilAnswered({ question, isOver, log, ports, signal: either });
  const answer = answerTo(log.state, question.id);
  if (answer === null) return { kind: "unanswered" };
  return ENDS.has(answer.action) ? { kind: "ended" } : { kind: "answer", text: answer.text };
}

/** The task goes no further. */
const ENDS: ReadonlySet<AnswerAction> = new Set(["skip", "abort", "reject", "expire"]);

/** How many questions the task may still put to a person. */
export function questionsLeft({ task, step }: Pick<Place, "task" | "step">, log: Log): number {
  const ofTask = step.limits.questions - task.questionsAsked;
  const most = log.state.run?.limits.questions ?? ofTask;
  const ofRun = most - log.state.tasks.reduce((sum, t) => sum + t.questionsAsked, 0);
  return Math.max(0, Math.min(ofTask, ofRun));
}

interface Wait {
  readonly question: Question;
  readonly isOver: () => boolean;
  readonly log: Log;
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

/** All channels at once. The first answer wins and ends the other waits. */
async function untilAnswered(around: Wait): Promise<void> {
  const { log, ports } = around;
  await takePrepared(log, ports);
  if (around.isOver()) return;
  const over = new AbortController();
  const wait: Wait = { ...around, signal: AbortSignal.any([around.signal, over.signal]) };
  const ways = [
    untilInbox(wait),
    untilDeadline(wait),
    ...(ports.human.present ? [untilPrompt(wait)] : []),
  ];
  await Promise.all(ways.map((way) => way.finally(() => over.abort())));
}

/** By person: what they are being asked. */
const PROMPTS = new WeakMap<Ports["human"], Promise<void>>();

/** One prompt at a time: a question beside an agent is the run's, too, as soon as something else happens. */
async function untilPrompt(wait: Wait): Promise<void> {
  const { human } = wait.ports;
  while (!wait.signal.aborted && !wait.isOver()) {
    const other = PROMPTS.get(human);
    const mine = other ?? prompted(wait).finally(() => PROMPTS.delete(human));
    PROMPTS.set(human, mine);
    await (other === undefined ? mine : Promise.race([other, whenAborted(wait.signal)]));
  }
}

/** Leaving the prompt without an answer interrupts the run; the question stays. */
async function prompted({ question, log, ports, signal }: Wait): Promise<void> {
  const answer = await ports.human.ask(question, signal);
  if (answer !== null && answer !== "gone")
    await accept({ reply: answer, question, inbox: null }, log, ports);
  else if (!signal.aborted) ports.stop.trigger(answer === "gone" ? "SIGHUP" : "SIGINT");
}

async function untilInbox({ isOver, log, ports, signal }: Wait): Promise<void> {
  while (!signal.aborted && !isOver()) {
    await ports.store.inboxChanged(signal);
    if (!signal.aborted) await takeInbox(log, ports);
  }
}

/**
 * The clock may be set back, or the machine sleep: the moment itself is what counts. An answer that
 * was left in time, and is not read yet, comes before it.
 */
async function untilDeadline({ isOver, log, ports, signal }: Wait): Promise<void> {
  while (!signal.aborted && !isOver()) {
    await takeInbox(log, ports);
    await takeOverdue(log, ports);
    if (isOver()) return;
    const moment = firstDeadline(log.state);
    if (moment === null) return whenAborted(signal);
    await ports.clock.sleepUntil(moment, signal);
  }
}

function firstDeadline(state: RunState): number | null {
  const moments = pendingQuestions(state).flatMap(({ expiresAt }) =>
    expiresAt === null ? [] : [Date.parse(expiresAt)],
  );
  return moments.length === 0 ? null : Math.min(...moments);
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
