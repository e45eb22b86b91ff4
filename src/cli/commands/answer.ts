// How does a person answer a waiting question, from any shell?

import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { removeIfPresent } from "../../adapters/files/atomic-file.ts";
import { readLog } from "../../adapters/log/event-log.ts";
import { currentOwner } from "../../adapters/log/owner.ts";
import { answersIn, writeRequest, type LeftRequest } from "../../adapters/people/inbox.ts";
import { createRedactor } from "../../adapters/redact.ts";
import { expiryWords, hasExpired } from "../../core/decide/asking.ts";
import { fittingAction, type Answer, type QuestionKind } from "../../core/model/question.ts";
import { answerProblem, replyByNumber, replyTo, isSmallNumber } from "../../core/run/reply.ts";
import type { Reply } from "../../core/run/reply.ts";
import { OrchError } from "../../errors.ts";
import { userName, personAt, screenOf } from "../running/at-terminal.ts";
import { canPrompt, printResult, type CliIo, styleOf } from "../io.ts";
import { ACTION_FLAGS, type Command, type Given } from "../command-line/options.ts";
import { refuseInsideSession } from "./inside-session.ts";
import { isTaken } from "./pick.ts";
import {
  answeredBefore,
  chooseQuestion,
  notOne,
  type Waiting,
  waitingQuestions,
  renderWaiting,
  rowsOf,
} from "./waiting.ts";
import { isObject, jsonIn } from "../../core/model/json.ts";
import { untilNew } from "../../adapters/files/watch.ts";
import { questionFile } from "../../adapters/log/run-files.ts";
import { readSmallFile } from "../../adapters/files/small-file.ts";
import { isGivenAnswer } from "../../adapters/terminal/human.ts";
import { Prompt } from "../../adapters/terminal/prompt.ts";
import { paragraph } from "../layout.ts";

type GivenAnswer = Pick<Answer, "action" | "text">;

const INTERRUPTED = 130;

export const answerCommand: Command = async (args, given, io) => {
  const { meant, text } = chooseQuestion(await waitingQuestions(io.cwd, given.run ?? null), args);
  const canAsk = canPrompt(io);
  if (meant.length > 1 && !canAsk) throw notOne(meant, null);
  const chosen = meant.length === 1 ? meant[0] : await pickHere(meant, io);
  if (chosen === null) return INTERRUPTED;
  const { files, question } = chosen;
  refuseInsideSession(io.env, "orch answer", files.folder);
  refuseLate(chosen);
  const reply = replyBy(chosen, text, given);
  const typed = reply === null && canAsk ? await askHere(chosen, io) : null;
  if (reply === null && canAsk && typed === null) return INTERRUPTED;
  if (typed?.answer === null) throw answeredBefore(question.id, typed.by, "orch show");
  // It may have expired while the person was thinking.
  if (typed !== null) refuseLate(chosen);
  const { action, text: words } = typed?.answer ?? answerGiven(chosen, reply);
  io.logAtHand.path = files.log;
  const { request, next, runIsAlive } = await give(chosen, { action, text: words });
  const about = { run: files.id, question: question.id, task: question.task };
  const echo = createRedactor(io.env)(words);
  const shown = { ...about, action, text: echo, request: request.id, runIsAlive };
  const parts = [action === "answer" || action === "guidance" ? "" : action, echo];
  printResult(io, given, shown, () => {
    return `answered ${question.id}: ${parts.filter((part) => part !== "").join(": ")}\n${next}`;
  });
  return 0;
};

async function give(chosen: Waiting, answer: GivenAnswer) {
  const { files, question, id } = chosen;
  const request = writeRequest(files.inbox, {
    kind: "answer",
    answer: { question: question.id, ...answer, by: `orch answer (${userName()})` },
  });
  const runIsAlive = isTaken(currentOwner(files.folder));
  if (runIsAlive) {
    const isTaken = await hearOutcome(chosen, request);
    const next = isTaken ? "the run continues with it" : "the run picks it up shortly";
    return { request, runIsAlive, next };
  }
  // Another answer may have been written at the same moment: the run will take the older one.
  const first = firstAnswer(chosen);
  if (first === undefined || first.request === request.id)
    return { request, runIsAlive, next: `next: orch resume ${id}` };
  removeIfPresent(request.file);
  throw answeredBefore(question.id, first.by, `orch resume ${id}`);
}

/** The first answer counts; whoever comes second hears of it while there is somebody to tell. */
function refuseLate(chosen: Waiting): void {
  const { question, id } = chosen;
  if (hasExpired(question, Date.now()))
    throw new OrchError(
      "question-expired",
      `question ${question.id} expired at ${question.expiresAt ?? ""}: nobody had answered in time, so ${expiryWords(question)}`,
      `continue with that: orch resume ${id}`,
    );
  const first = firstAnswer(chosen);
  if (first !== undefined) throw answeredBefore(question.id, first.by, `orch resume ${id}`);
}

function firstAnswer({ files, question }: Waiting) {
  return answersIn(files.inbox).find((answer) => answer.question === question.id);
}

/** A run that waits takes an answer at once; a busy one takes it later, and its log will tell. */
const OUTCOME_MS_MAX = 3_000;
const LOOK_MS = 20;

/** False: a session runs, and the run has not looked yet. Throws where another answer was first. */
async function hearOutcome(
  { files, question, id }: Waiting,
  request: LeftRequest,
): Promise<boolean> {
  for (let waitedMs = 0; existsSync(request.file); waitedMs += LOOK_MS) {
    if (waitedMs >= OUTCOME_MS_MAX) return false;
    await sleep(LOOK_MS);
  }
  const log = readLog(files.log);
  const events = log.kind === "read" ? log.events.map(({ event }) => event) : [];
  const isRefused = events.some((e) => e.type === "answer-refused" && e.inbox === request.id);
  if (!isRefused) return true;
  const first = events.find((e) => e.type === "answered" && e.answer.id === question.id);
  const by = first?.type === "answered" ? first.answer.by : "somebody else";
  throw answeredBefore(question.id, by, `orch show ${id}`);
}

/** What the command line says, by a flag or in words; null: nothing. */
function replyBy(chosen: Waiting, text: string | null, given: Given): Reply | null {
  const { question } = chosen;
  const flag = ACTION_FLAGS.find((name) => given[name] !== undefined);
  if (text !== null && (flag ?? given.option) !== undefined)
    throw invalid(chosen, "more than one answer was given");
  if (given.option !== undefined) {
    const number = String(given.option);
    if (isSmallNumber(number)) return replyByNumber(question, Number(number));
    return {
      kind: "again",
      hint: `--option is ${JSON.stringify(number)}, and a number was expected`,
    };
  }
  const words = flag === undefined ? text : given[flag];
  // At the prompt a bare Enter takes the default; here an empty text is a variable that was not set.
  if (typeof words === "string" && words.trim() === "")
    return { kind: "again", hint: "the answer is empty" };
  if (flag === undefined) return text === null ? null : replyTo(question, text);
  const action = fittingAction(question.kind, flag);
  return { kind: "answer", action, text: typeof words === "string" ? words.trim() : "" };
}

function answerGiven(chosen: Waiting, reply: Reply | null): GivenAnswer {
  if (reply === null) throw invalid(chosen, "no answer was given");
  if (reply.kind === "words-next") throw invalid(chosen, "the words themselves are missing");
  if (reply.kind === "again") throw invalid(chosen, reply.hint);
  const why = answerProblem(chosen.question, reply);
  if (why !== null) throw invalid(chosen, why);
  return reply;
}

function invalid({ question: { kind } }: Waiting, message: string): OrchError {
  return new OrchError(
    "answer-invalid",
    message,
    `give ${WAYS[kind]}; \`orch status\` shows the question`,
  );
}

const WAYS: Readonly<Record<QuestionKind, string>> = {
  question: "the answer as text, --option <n>, --skip or --abort",
  blocker: '"guidance in words", --skip, --retry or --abort',
  guidance: '"guidance in words", --skip, --retry or --abort',
  plan: '--accept, --amend "what to change", --reject or --abort',
  budget: "--extend, --extend <amount>, --skip or --abort",
};

/** Shows what waits, oldest first, until one is chosen by its number; null: the person left. */
async function pickHere(waiting: readonly Waiting[], io: CliIo): Promise<Waiting | null> {
  const style = styleOf(io, "stderr");
  const screen = screenOf(io);
  const help = `which one? a number from 1 to ${waiting.length} · Ctrl+C: answer later`;
  screen.line(
    [
      paragraph(style, `${waiting.length} questions are waiting:`, { tone: "attention" }),
      renderWaiting(await rowsOf(waiting), "by-number", style),
      `\n${paragraph(style, help)}`,
    ].join("\n"),
  );
  const prompt = new Prompt(io.stdin, screen, new AbortController().signal);
  try {
    for (;;) {
      const typed = await prompt.next();
      if (typed.kind !== "line") return null;
      const chosen = waiting[Number(typed.text.trim()) - 1];
      if (chosen !== undefined) return chosen;
      screen.line(`  choose 1 to ${waiting.length}`);
    }
  } finally {
    prompt.close();
  }
}

/**
 * The whole question, and the same conversation as in a run. null: the person left; without words:
 * somebody else was first while the prompt was open.
 */
async function askHere(
  { question, files }: Waiting,
  io: CliIo,
): Promise<{
  readonly answer: Pick<Answer, "action" | "text"> | null;
  readonly by: string;
} | null> {
  const over = new AbortController();
  const human = personAt(io, screenOf(io), { present: true, rings: false });
  const path = questionFile(files, question.id);
  const watching = untilNew(files.questions, () => answerIn(path) !== null, over.signal).then(() =>
    over.abort(answerIn(path)),
  );
  try {
    const answer = await human.ask(question, over.signal);
    if (answer !== null && answer !== "gone") return { answer, by: answer.by };
    const first = over.signal.aborted ? answerIn(path) : null;
    return first === null ? null : { answer: null, by: first.by };
  } finally {
    over.abort();
    await watching;
  }
}

const FILE_BYTES_MAX = 1024 * 1024;

/** The answer that the run has published beside the question; null: there is none yet. */
function answerIn(path: string) {
  const text = readSmallFile(path, FILE_BYTES_MAX);
  const file: unknown = text === null ? null : jsonIn(text);
  const answer = isObject(file) ? file["answer"] : null;
  return isGivenAnswer(answer) ? answer : null; // Half-written: there will be another look.
}
