// Which questions wait for an answer, and which of them is meant?

import { readdirSync } from "node:fs";

import {
  findRuns,
  matchRun,
  type OpenedRun,
  openRun,
  requireRuns,
  type RunsHere,
  unfinishedRuns,
} from "../../adapters/log/run-reader.ts";
import type { RunFiles } from "../../adapters/log/run-files.ts";
import { BY_DEADLINE, isOverdue } from "../../core/run/deadline.ts";
import type { Interaction, Question } from "../../core/model/question.ts";
import { OrchError } from "../../errors.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import { answerFlags, type Given } from "../options.ts";
import { jsonText } from "../render/json.ts";
import { renderWaitingList, type WaitingRow } from "../render/waiting.ts";

/** Runs looked into; older unfinished ones are reached with --run. */
const RUNS_MAX = 20;
const LISTED_MAX = 5;

export interface Waiting {
  readonly root: string;
  readonly files: RunFiles;
  readonly question: Question;
}

export interface AllWaiting {
  /** Oldest first. */
  readonly waiting: readonly Waiting[];
  readonly answered: readonly Interaction[];
}

/** `orch answer --list`: everything that waits, also where that is nothing. */
export async function listWaiting(
  args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const { run: wanted, json } = answerFlags(given);
  if (args.length > 0)
    throw new OrchError(
      "usage",
      `--list shows what waits, and ${JSON.stringify(args[0])} was given with it`,
      "leave one of them out",
    );
  const hasRuns = wanted !== null || findRuns(io.cwd).runs.length > 0;
  const all = hasRuns ? await waitingQuestions(io.cwd, wanted) : { waiting: [] };
  const rows = await rowsOf(all.waiting);
  if (json)
    printJson(
      io,
      jsonText(rows.map(({ run, question, ...rest }) => ({ run, ...question, ...rest }))),
    );
  else printOut(io, renderWaitingList(rows, Date.now(), styleOf(io, "stdout")));
  return 0;
}

export async function rowsOf(waiting: readonly Waiting[]): Promise<readonly WaitingRow[]> {
  const nowMs = Date.now();
  const answered = new Map<string, ReadonlySet<string>>();
  for (const { files } of waiting)
    if (!answered.has(files.inbox)) answered.set(files.inbox, await answeredIn(files.inbox));
  return waiting.map(({ files, question }) => ({
    run: files.id,
    question,
    overdue: isOverdue(question, nowMs),
    answered: answered.get(files.inbox)?.has(question.id) ?? false,
  }));
}

/** Their parser is slow to load: it is loaded where something lies in the inbox. */
async function answeredIn(inbox: string): Promise<ReadonlySet<string>> {
  if (!hasFiles(inbox)) return new Set();
  const { answersIn } = await import("../../adapters/people/inbox.ts");
  return new Set(answersIn(inbox).map(({ question }) => question));
}

function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith(".json"));
  } catch {
    return false; // No inbox: nobody has asked for anything.
  }
}

export async function waitingQuestions(cwd: string, wanted: string | null): Promise<AllWaiting> {
  const here = requireRuns(cwd);
  const runs = runsMeant(here, wanted);
  const opened = await (wanted === null ? openAny(here, runs) : openAll(here, runs));
  const waiting = opened.flatMap(({ root, files, view }) =>
    view.tasks.flatMap(({ pendingQuestion: question }) =>
      question === null ? [] : [{ root, files, question }],
    ),
  );
  return {
    waiting: waiting.sort((a, b) => (a.question.askedAt < b.question.askedAt ? -1 : 1)),
    answered: opened.flatMap(({ view }) => view.tasks.flatMap((task) => task.interactionHistory)),
  };
}

function openAll({ root }: RunsHere, runs: RunsHere["runs"]): Promise<readonly OpenedRun[]> {
  return Promise.all(runs.map((run) => openRun(root, run)));
}

/** One damaged run must not keep the questions of the others from being answered. */
async function openAny(here: RunsHere, runs: RunsHere["runs"]): Promise<readonly OpenedRun[]> {
  const [only, ...others] = runs;
  if (only === undefined || others.length === 0) return openAll(here, runs);
  const opened = runs.map(async (run) => {
    try {
      return [await openRun(here.root, run)];
    } catch (error) {
      if (error instanceof OrchError) return []; // `orch show` says what is wrong with it.
      throw error;
    }
  });
  return (await Promise.all(opened)).flat();
}

function runsMeant(here: RunsHere, wanted: string | null): RunsHere["runs"] {
  if (wanted === null) return unfinishedRuns(here).slice(0, RUNS_MAX);
  const run = matchRun(here, wanted);
  if (run !== null) return [run];
  throw new OrchError(
    "run-unknown",
    `there is no run ${JSON.stringify(wanted)}`,
    "`orch list` shows the runs there are",
  );
}

export type Chosen =
  | { readonly kind: "one"; readonly chosen: Waiting; readonly text: string | null }
  /** Nothing says which of them. */
  | {
      readonly kind: "several";
      readonly waiting: readonly Waiting[];
      readonly text: string | null;
    };

/** With one question waiting the first word may be the answer itself. */
export function chooseQuestion({ waiting, answered }: AllWaiting, args: readonly string[]): Chosen {
  const [first = null, second = null]: readonly (string | null)[] = args;
  const [named, ...others] = waiting.filter(({ question }) => question.id === first);
  if (named !== undefined && others.length > 0) throw inSeveralRuns(named, others);
  if (named !== undefined) return { kind: "one", chosen: named, text: second };
  const before = answered.find(({ question }) => question.id === first);
  if (before !== undefined) throw alreadyAnswered(before);
  const [only] = waiting;
  if (only === undefined)
    throw new OrchError(
      "question-unknown",
      "no question is waiting",
      "`orch status` says where the run stands",
    );
  if (first !== null && (second !== null || looksLikeId(first)))
    throw unknown(first, second, waiting);
  if (waiting.length > 1) return { kind: "several", waiting, text: first };
  return { kind: "one", chosen: only, text: first };
}

function looksLikeId(word: string): boolean {
  return /^q\d{1,6}$/.test(word);
}

function unknown(first: string, second: string | null, waiting: readonly Waiting[]): OrchError {
  if (waiting.length > 1)
    return severalWait(waiting, `there is no question ${JSON.stringify(first)}; `);
  const id = waiting[0]?.question.id ?? "<id>";
  return new OrchError(
    "question-unknown",
    `there is no question ${JSON.stringify(first)}; ${id} is waiting`,
    `orch answer ${id} ${JSON.stringify(second ?? "your answer")}`,
  );
}

/** Questions are numbered within their run. */
function inSeveralRuns({ question, files }: Waiting, others: readonly Waiting[]): OrchError {
  return new OrchError(
    "question-unknown",
    `${others.length + 1} runs have a question ${question.id} that waits`,
    `name the run: orch answer ${question.id} --run ${files.id} "your answer"`,
  );
}

function alreadyAnswered({ question, answer }: Interaction): OrchError {
  if (answer.by === BY_DEADLINE || answer.action === "expire")
    return new OrchError(
      "question-answered",
      `question ${question.id} expired at ${question.expiresAt ?? answer.at}: nobody had answered in time`,
      "its deadline answered for you; `orch show` lists all questions and answers",
    );
  const what = answer.text === "" ? answer.action : JSON.stringify(answer.text.slice(0, 100));
  return new OrchError(
    "question-answered",
    `question ${question.id} was answered by ${answer.by} at ${answer.at}: ${what}`,
    "the first answer counts; `orch show` lists all questions and answers",
  );
}

export function severalWait(waiting: readonly Waiting[], before = ""): OrchError {
  const [first] = waiting;
  const ids = waiting
    .slice(0, LISTED_MAX)
    .map(({ question, files }) => `${question.id} (${question.task}) of run ${files.id}`);
  const more = waiting.length > LISTED_MAX ? ", … (`orch answer --list` shows all)" : "";
  return new OrchError(
    "question-unknown",
    `${before}${waiting.length} questions are waiting: ${ids.join(", ")}${more}`,
    `name one: orch answer ${first?.question.id ?? "<id>"} --run ${first?.files.id ?? "<run>"} "your answer"`,
  );
}
