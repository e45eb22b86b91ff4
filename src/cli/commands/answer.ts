// How does a person answer a question that waits, from any shell?

import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { removeIfPresent } from "../../adapters/files/atomic-file.ts";
import { readLog } from "../../adapters/log/event-log.ts";
import { currentOwner } from "../../adapters/log/owner.ts";
import { answersIn, writeRequest, type LeftRequest } from "../../adapters/people/inbox.ts";
import { assertNever } from "../../core/model/assert.ts";
import { BY_DEADLINE, expiryWords, hasExpired } from "../../core/run/deadline.ts";
import { fittingAction, type AnswerAction, type QuestionKind } from "../../core/model/question.ts";
import { answerProblem, replyByNumber, replyInWriting, type Reply } from "../../core/run/reply.ts";
import { OrchError } from "../../errors.ts";
import { canPrompt, type CliIo, printJson, printOut } from "../io.ts";
import { type AnswerFlags, answerFlags, type Given } from "../options.ts";
import { jsonText } from "../render/json.ts";
import { userName } from "../user-name.ts";
import { refuseInsideSession } from "./inside-session.ts";
import { askHere, type Left, pickHere } from "./answer-here.ts";
import { chooseQuestion, severalWait, type Waiting, waitingQuestions } from "./waiting.ts";

interface Said {
  readonly action: AnswerAction;
  readonly text: string;
}

const INTERRUPTED = 130;

export async function answerCommand(
  args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const flags = answerFlags(given);
  const all = chooseQuestion(await waitingQuestions(io.cwd, flags.run), args);
  const { text } = all;
  const canAsk = canPrompt(io);
  if (all.kind === "several" && !canAsk) throw severalWait(all.waiting);
  const chosen = all.kind === "one" ? all.chosen : await pickHere(all.waiting, io);
  if (chosen === "left") return INTERRUPTED;
  refuseInsideSession(io.env, "orch answer", chosen.files.folder);
  refuseLate(chosen);
  const isSaid = text !== null || flags.said !== null;
  const said = isSaid || !canAsk ? whatIsSaid(chosen, text, flags) : await ask(chosen, io);
  if (said === "left") return INTERRUPTED;
  await give(chosen, said, { flags, io });
  return 0;
}

async function ask(chosen: Waiting, io: CliIo): Promise<Said | Left> {
  const heard = await askHere(chosen, userName(), io);
  if (heard.kind === "elsewhere") throw answeredBefore(chosen, heard.by, "orch show");
  if (heard.kind === "left") return "left";
  // It may have expired while the person was thinking.
  refuseLate(chosen);
  return heard.said;
}

async function give(
  chosen: Waiting,
  said: Said,
  { flags, io }: { readonly flags: AnswerFlags; readonly io: CliIo },
): Promise<void> {
  const { files, question } = chosen;
  io.logAtHand.path = files.log;
  const request = writeRequest(files.inbox, {
    kind: "answer",
    answer: { question: question.id, ...said, by: `orch answer (${userName()})` },
  });
  const owner = currentOwner(files.folder).kind;
  const isTaken = owner === "live" || owner === "other-place";
  const isHeard = isTaken && (await hearOutcome(chosen, request));
  if (!isTaken) yieldToEarlier(chosen, request);
  if (flags.json) {
    const { id, task } = question;
    const about = { run: files.id, question: id, task };
    printJson(io, jsonText({ ...about, ...said, request: request.id, runIsAlive: isTaken }));
    return;
  }
  const soon = isHeard ? "the run goes on with it" : "the run takes it when it next looks";
  const next = isTaken ? soon : `next: orch resume ${files.id}`;
  printOut(io, `answered ${question.id}: ${saidWords(said)}\n${next}`);
}

function saidWords({ action, text }: Said): string {
  if (text === "") return action;
  return action === "answer" || action === "guidance" ? text : `${action}: ${text}`;
}

/** The first answer counts; whoever comes second hears of it while there is somebody to tell. */
function refuseLate(chosen: Waiting): void {
  const { files, question } = chosen;
  if (hasExpired(question, Date.now()))
    throw new OrchError(
      "question-expired",
      `question ${question.id} expired at ${question.expiresAt ?? ""}: nobody had answered in time, so ${expiryWords(question)}`,
      `go on with that: orch resume ${files.id}`,
    );
  const first = firstAnswer(chosen);
  if (first !== null) throw answeredBefore(chosen, first.by, `orch resume ${files.id}`);
}

/** Another answer may have been written at the same moment: the run will take the older one. */
function yieldToEarlier(chosen: Waiting, request: LeftRequest): void {
  const first = firstAnswer(chosen);
  if (first === null || first.request === request.id) return;
  removeIfPresent(request.file);
  throw answeredBefore(chosen, first.by, `orch resume ${chosen.files.id}`);
}

function firstAnswer({ files, question }: Waiting) {
  return answersIn(files.inbox).find((answer) => answer.question === question.id) ?? null;
}

/** A run that waits takes an answer at once; a busy one takes it later, and its log will tell. */
const OUTCOME_MS_MAX = 3_000;
const LOOK_MS = 20;

/** False: a session runs, and the run has not looked yet. Throws where another answer was first. */
async function hearOutcome(chosen: Waiting, request: LeftRequest): Promise<boolean> {
  const { files, question } = chosen;
  for (let waitedMs = 0; existsSync(request.file); waitedMs += LOOK_MS) {
    if (waitedMs >= OUTCOME_MS_MAX) return false;
    await sleep(LOOK_MS);
  }
  const log = readLog(files.log);
  const events = log.kind === "read" ? log.events.map(({ event }) => event) : [];
  const isMine = (inbox: string | null): boolean => inbox === request.id;
  if (!events.some((event) => event.type === "answer-refused" && isMine(event.inbox))) return true;
  const first = events.find((e) => e.type === "answered" && e.answer.id === question.id);
  const by = first?.type === "answered" ? first.answer.by : "somebody else";
  throw answeredBefore(chosen, by, `orch show ${files.id}`);
}

function answeredBefore({ question }: Waiting, by: string, next: string): OrchError {
  return new OrchError(
    "question-answered",
    `question ${question.id} was answered already, by ${by === BY_DEADLINE ? "its deadline" : by}`,
    `the first answer counts: ${next}`,
  );
}

function whatIsSaid(chosen: Waiting, text: string | null, { said: flagged }: AnswerFlags): Said {
  if (text !== null && flagged !== null) throw invalid(chosen, "more than one answer was given");
  const reply = replyBy(chosen, text, flagged);
  if (reply.kind === "words-next") throw invalid(chosen, "the words themselves are missing");
  if (reply.kind === "again") throw invalid(chosen, reply.hint);
  const why = answerProblem(chosen.question, reply);
  if (why !== null) throw invalid(chosen, why);
  return { action: reply.action, text: reply.text };
}

function replyBy({ question }: Waiting, text: string | null, flagged: AnswerFlags["said"]): Reply {
  if (flagged?.kind === "option") return replyByNumber(question, flagged.number);
  if (flagged !== null) {
    const action = fittingAction(question.kind, flagged.action);
    return { kind: "answer", action, text: flagged.text.trim() };
  }
  if (text === null) return { kind: "again", hint: "no answer was given" };
  // At the prompt a bare Enter takes the default; here an empty text is a variable that was not set.
  if (text.trim() === "") return { kind: "again", hint: "the answer is empty" };
  return replyInWriting(question, text);
}

function invalid({ question }: Waiting, message: string): OrchError {
  const ways = waysFor(question.kind, question.options.length > 0);
  return new OrchError(
    "answer-invalid",
    message,
    `give ${ways}; \`orch status\` shows the question`,
  );
}

function waysFor(kind: QuestionKind, hasOptions: boolean): string {
  switch (kind) {
    case "question":
      return `the answer as text, ${hasOptions ? "--option <n>, " : ""}--skip or --abort`;
    case "blocker":
    case "guidance":
      return '"guidance in words", --skip, --retry or --abort';
    case "plan":
      return '--accept, --amend "what to change", --reject or --abort';
    case "budget":
      return "--extend, --extend <amount>, --skip or --abort";
    default:
      return assertNever(kind, "kind");
  }
}
