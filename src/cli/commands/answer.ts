// How does a person answer a waiting question, from any shell?

import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { readLog } from "../../adapters/log/event-log.ts";
import { currentOwner } from "../../adapters/log/owner.ts";
import { findRuns } from "../../adapters/log/run-reader.ts";
import { answersIn, writeRequest, type LeftRequest } from "../../adapters/people/inbox.ts";
import { createRedactor } from "../../adapters/redact.ts";
import { actionsFor, expiryWords, fittingAction } from "../../core/model/question.ts";
import { type Answer, hasExpired } from "../../core/model/question.ts";
import { answerProblem, replyTo } from "../../core/run/reply.ts";
import type { Reply } from "../../core/run/reply.ts";
import { OrchError } from "../../errors.ts";
import { userName, personAt, screenOf } from "../running/at-terminal.ts";
import { canPrompt, printResult, type CliIo, styleOf } from "../io.ts";
import { ACTION_FLAGS, type Command, type Given, usage } from "../command-line/options.ts";
import { waysToAnswer } from "../render/question.ts";
import { refuseInsideSession } from "./inside-session.ts";
import { isTaken } from "./pick.ts";
import {
  answeredBefore,
  chooseQuestion,
  notOne,
  type Waiting,
  waitingQuestions,
} from "./waiting.ts";
import { paragraph } from "../layout.ts";

type GivenAnswer = Pick<Answer, "action" | "text">;

const INTERRUPTED = 130;

export const answerCommand: Command = async (args, given, io) => {
  const { root, runs } = findRuns(io.cwd);
  // An agent's tree has no runs: it looks for those of its session.
  refuseInsideSession(io.env, "orch answer", runs.length > 0 ? root : "/");
  if (given.all === true) return acceptAll(args, given, io);
  const { meant, text } = chooseQuestion(await waitingQuestions(io.cwd, given.run ?? null), args);
  const canAsk = canPrompt(io);
  const [chosen, ...others] = meant;
  const { files, question } = chosen;
  const reply = replyBy(chosen, text, given);
  if (others.length > 0 && (reply !== null || !canAsk)) throw notOne(meant, null);
  refuseLate(chosen);
  const typed = reply === null && canAsk ? await askHere(chosen, others.length, io) : null;
  if (reply === null && canAsk && typed === null) return INTERRUPTED;
  // It may have expired, or somebody else may have been first, while the person was thinking.
  if (typed !== null) refuseLate(chosen);
  const { action, text: words } = typed ?? answerGiven(chosen, reply);
  const { request, next, runIsAlive } = await give(chosen, { action, text: words }, given);
  const about = { run: files.id, question: question.id, task: question.task };
  const echo = createRedactor(io.env)(words);
  const shown = { ...about, action, text: echo, request: request.id, runIsAlive };
  const parts = [action === "answer" || action === "guidance" ? "" : action, echo];
  const resumes = !runIsAlive && given.resume === true;
  if (!resumes || given.json !== true)
    printResult(io, given, shown, () => {
      const answered = `answered ${question.id}: ${parts.filter((part) => part !== "").join(": ")}`;
      return resumes ? answered : `${answered}\n${next}`;
    });
  if (!resumes) return 0;
  const { resumeCommand } = await import("./resume.ts");
  return resumeCommand([files.id], { json: given.json ?? false }, io);
};

/** What was answered meanwhile, or has no yes, is left. */
async function acceptAll([word]: readonly string[], given: Given, io: CliIo): Promise<number> {
  if (given.accept !== true || word !== undefined)
    throw usage("--all goes with --accept alone", "`orch answer --accept --all` needs no id");
  const { waiting } = await waitingQuestions(io.cwd, given.run ?? null);
  const open = waiting.filter(({ files, question }) => {
    const isAnswered = answersIn(files.inbox).some((one) => one.question === question.id);
    const hasYes = actionsFor(question.kind).includes("accept");
    return hasYes && !isAnswered && !hasExpired(question, Date.now());
  });
  if (open.length === 0)
    throw new OrchError(
      "question-unknown",
      "no open question has a yes",
      "see `orch answer --list`",
    );
  const next = new Set<string>();
  for (const one of open) next.add((await give(one, { action: "accept", text: "" }, given)).next);
  const shown = open.map(({ files, question: { id, task } }) => ({ run: files.id, id, task }));
  const lines = shown.map(({ id, task }) => `answered ${id} (${task}): accept`);
  printResult(io, given, shown, () => [...lines, ...next].join("\n"));
  return 0;
}

/** Leaves it for the run. Throws where it does not fit, came too late, or another one was first. */
export async function giveAnswer(
  chosen: Waiting,
  { action, text }: GivenAnswer,
  by: string,
): Promise<string> {
  const answer = { action: fittingAction(chosen.question.kind, action), text };
  refuseLate(chosen);
  const why = answerProblem(chosen.question, answer);
  if (why !== null) throw invalid(chosen, why);
  return (await give(chosen, answer, { by })).next;
}

async function give(chosen: Waiting, answer: GivenAnswer, { by }: Given) {
  const { files, question, id } = chosen;
  const request = writeRequest(files.inbox, {
    kind: "answer",
    answer: { question: question.id, ...answer, by: by ?? `orch answer (${userName()})` },
  });
  const runIsAlive = isTaken(currentOwner(files.folder));
  if (runIsAlive) {
    await requireTaken(chosen, request);
    return { request, runIsAlive, next: "the run continues with it" };
  }
  return { request, runIsAlive, next: `next: orch resume ${id}` };
}

/** The first answer counts; whoever comes second hears of it while there is somebody to tell. */
function refuseLate({ files, question, id }: Waiting): void {
  if (hasExpired(question, Date.now()))
    throw new OrchError(
      "question-expired",
      `question ${question.id} expired at ${question.expiresAt ?? ""}: nobody had answered in time, so ${expiryWords(question)}`,
      `continue with that: orch resume ${id}`,
    );
  const first = answersIn(files.inbox).find((answer) => answer.question === question.id);
  if (first !== undefined) throw answeredBefore(question.id, first.by, `orch resume ${id}`);
}

/** A run that waits takes a request at once; a busy one takes it later, and its log will tell. */
const LOOKS_MAX = 150;
const LOOK_MS = 20;

export async function eventsOnceTaken(log: string, { file }: LeftRequest) {
  for (let looks = 0; existsSync(file) && looks < LOOKS_MAX; looks += 1) await sleep(LOOK_MS);
  const read = readLog(log);
  return read.kind === "read" ? read.events.map(({ event }) => event) : [];
}

/** Throws where another answer was first. */
async function requireTaken({ files, question, id }: Waiting, request: LeftRequest): Promise<void> {
  const events = await eventsOnceTaken(files.log, request);
  if (!events.some((one) => one.type === "answer-refused" && one.inbox === request.id)) return;
  const first = events.find((one) => one.type === "answered" && one.answer.id === question.id);
  const by = first?.type === "answered" ? first.answer.by : "somebody else";
  throw answeredBefore(question.id, by, `orch show ${id}`);
}

/** What the command line says, by a flag or in words; null: nothing. */
function replyBy(chosen: Waiting, text: string | null, given: Given): Reply | null {
  const { question } = chosen;
  const flag = ACTION_FLAGS.find((name) => given[name] !== undefined);
  if (text !== null && flag !== undefined) throw invalid(chosen, "more than one answer was given");
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

function invalid({ question }: Waiting, message: string): OrchError {
  const ways = waysToAnswer(question)
    .map(([args]) => args)
    .join(" or ");
  return new OrchError(
    "answer-invalid",
    message,
    `answer with ${ways}; \`orch status\` shows the question`,
  );
}

/** The whole question, the oldest of several, and the same conversation as in a run. null: the person left. */
async function askHere(
  { question, files: { inbox } }: Waiting,
  others: number,
  io: CliIo,
): Promise<GivenAnswer | null> {
  const screen = screenOf(io);
  const more = `the oldest of ${others + 1} questions; orch answer --list shows all`;
  if (others > 0) screen.line(paragraph(styleOf(io, "stderr"), more, { tone: "quiet" }));
  const human = personAt(io, screen, { present: true, rings: false, inbox });
  const answer = await human.ask(question, new AbortController().signal);
  return answer === "gone" ? null : answer;
}
