// How does a person answer a question that waits, from any shell?

import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { removeIfPresent } from "../../adapters/atomic-file.ts";
import { readLog } from "../../adapters/event-log.ts";
import { answersIn } from "../../adapters/inbox-peek.ts";
import { writeRequest } from "../../adapters/inbox.ts";
import { currentOwner } from "../../adapters/owner.ts";
import { runFiles, type RunFiles } from "../../adapters/run-files.ts";
import { actionsFor, type AnswerAction } from "../../core/question.ts";
import { replyTo } from "../../core/reply.ts";
import { OrchError } from "../../errors.ts";
import { type CliIo, printJson, printOut } from "../io.ts";
import type { AnswerFlags } from "../options.ts";
import { jsonText } from "../render/json.ts";
import { chooseQuestion, type Waiting, waitingQuestions } from "./waiting.ts";

interface Said {
  readonly action: AnswerAction;
  readonly text: string;
}

export async function answerCommand(
  args: readonly string[],
  flags: AnswerFlags,
  io: CliIo,
): Promise<number> {
  const waiting = await waitingQuestions(io.cwd, flags.run);
  const { chosen, text } = chooseQuestion(waiting, args);
  const said = whatIsSaid(chosen, text, flags);
  const files = runFiles(chosen.root, chosen.run);
  refuseSecond(chosen, files);
  io.logAtHand.path = files.log;
  const request = writeRequest(files.inbox, {
    kind: "answer",
    answer: { question: chosen.question.id, ...said, by: `orch answer (${userName()})` },
  });
  const owner = currentOwner(files.folder).kind;
  const isTaken = owner === "live" || owner === "other-place";
  if (isTaken) await hearOutcome(chosen, files, request);
  else yieldToEarlier(chosen, files, request);
  if (flags.json) {
    const { id, task } = chosen.question;
    printJson(
      io,
      jsonText({ run: chosen.run, question: id, task, ...said, request, runIsAlive: isTaken }),
    );
    return 0;
  }
  const next = isTaken ? "the run goes on with it" : `next: orch resume ${chosen.run}`;
  printOut(
    io,
    `answered ${chosen.question.id}: ${said.text === "" ? said.action : said.text}\n${next}`,
  );
  return 0;
}

/** The first answer counts; whoever comes second hears of it while there is somebody to tell. */
function refuseSecond(chosen: Waiting, { inbox }: RunFiles): void {
  const first = answersIn(inbox).find((answer) => answer.question === chosen.question.id);
  if (first !== undefined) throw answeredBefore(chosen, first.by, `orch resume ${chosen.run}`);
}

/** Another answer may have been written at the same moment: the run will take the older one. */
function yieldToEarlier(chosen: Waiting, { inbox }: RunFiles, request: string): void {
  const first = answersIn(inbox).find((answer) => answer.question === chosen.question.id);
  if (first === undefined || first.request === request) return;
  removeIfPresent(join(inbox, `${request}.json`));
  throw answeredBefore(chosen, first.by, `orch resume ${chosen.run}`);
}

/** A run that waits takes an answer at once; a busy one takes it later, and its log will tell. */
const OUTCOME_MS_MAX = 3_000;
const LOOK_MS = 20;

async function hearOutcome(chosen: Waiting, files: RunFiles, request: string): Promise<void> {
  const path = join(files.inbox, `${request}.json`);
  for (let waitedMs = 0; existsSync(path); waitedMs += LOOK_MS) {
    if (waitedMs >= OUTCOME_MS_MAX) return;
    await sleep(LOOK_MS);
  }
  const log = readLog(files.log);
  const events = log.kind === "read" ? log.events.map(({ event }) => event) : [];
  if (!events.some((event) => event.type === "answer-refused" && event.inbox === request)) return;
  const first = events.find((e) => e.type === "answered" && e.answer.id === chosen.question.id);
  const by = first?.type === "answered" ? first.answer.by : "somebody else";
  throw answeredBefore(chosen, by, `orch show ${chosen.run}`);
}

function answeredBefore({ question }: Waiting, by: string, next: string): OrchError {
  return new OrchError(
    "question-answered",
    `question ${question.id} was answered already, by ${by}`,
    `the first answer counts: ${next}`,
  );
}

function whatIsSaid(chosen: Waiting, text: string | null, flags: AnswerFlags): Said {
  const ways = [text, flags.option, flags.guidance, flags.action].filter((way) => way !== null);
  if (ways.length !== 1)
    throw invalid(
      chosen,
      ways.length === 0 ? "no answer was given" : "more than one answer was given",
    );
  const said = saidBy(chosen, text, flags);
  const allowed = actionsFor(chosen.question.kind);
  if (allowed.includes(said.action)) return said;
  throw invalid(chosen, `"${said.action}" does not answer a ${chosen.question.kind}`);
}

function saidBy(chosen: Waiting, text: string | null, flags: AnswerFlags): Said {
  const { question } = chosen;
  if (flags.action !== null) return { action: flags.action, text: "" };
  if (flags.guidance !== null)
    return { action: question.kind === "question" ? "answer" : "guidance", text: flags.guidance };
  if (flags.option !== null) {
    const option = question.options[flags.option - 1];
    if (option === undefined) throw invalid(chosen, `there is no option ${flags.option}`);
    return { action: question.kind === "question" ? "answer" : "guidance", text: option };
  }
  // At the prompt a bare Enter takes the default; here an empty text is a variable that was not set.
  if (text !== null && text.trim() === "") throw invalid(chosen, "the answer is empty");
  const reply = replyTo(question, text ?? "");
  if (reply.kind === "answer") return reply;
  // One word is a slip at the prompt, but on a command line it was written on purpose.
  const isWord = question.kind !== "question" && /\p{Letter}/u.test(text ?? "");
  if (isWord && reply.kind === "again") return { action: "guidance", text: (text ?? "").trim() };
  throw invalid(chosen, reply.kind === "again" ? reply.hint : "the guidance itself is missing");
}

function invalid({ question }: Waiting, message: string): OrchError {
  const options = question.options.length > 0 ? "--option <n>, " : "";
  const hint =
    question.kind === "question"
      ? `give the answer as text, ${options}--skip or --abort; \`orch status\` shows the question`
      : 'give "guidance in words", --skip, --retry or --abort; `orch status` shows the question';
  return new OrchError("answer-invalid", message, hint);
}

function userName(): string {
  try {
    return userInfo().username.slice(0, 60);
  } catch {
    // A user without an entry in the system's list, as in some containers.
    return "unknown user";
  }
}
