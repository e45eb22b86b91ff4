// Which questions wait for an answer, and which of them is meant?

import * as reader from "../../adapters/log/run-reader.ts";
import type { RunFiles } from "../../adapters/log/run-files.ts";
import { excerpt, firstOf } from "../../core/model/excerpt.ts";
import { shortener } from "../../core/model/ids.ts";
import { BY_DEADLINE, type Interaction, type Question } from "../../core/model/question.ts";
import { ALSO_OPEN } from "../../core/decide/rules-people.ts";
import { nullIfWorded, OrchError } from "../../errors.ts";
import { printResult, type Style } from "../io.ts";
import { shorten, table } from "../layout.ts";
import { type Command, usage } from "../command-line/options.ts";
import { duration } from "../render/text.ts";
import { answeredIn } from "./pick.ts";

/** Runs looked into; older unfinished ones are reached with --run. */
const RUNS_MAX = 20;
const LISTED_MAX = 5;

export interface Waiting {
  readonly files: RunFiles;
  /** The run, as short as tells it from the others. */
  readonly id: string;
  readonly question: Question;
}

export interface AllWaiting {
  /** Oldest first. */
  readonly waiting: readonly Waiting[];
  readonly answered: readonly Interaction[];
}

/** `orch answer --list`: everything that waits, also where that is nothing. */
export const listWaiting: Command = async ([more], given, io) => {
  if (more !== undefined)
    throw usage(`--list was given with ${JSON.stringify(more)}`, "use only one of them");
  const hasRuns = given.run !== undefined || reader.findRuns(io.cwd).runs.length > 0;
  const all = hasRuns ? await waitingQuestions(io.cwd, given.run ?? null) : { waiting: [] };
  const rows = await rowsOf(all.waiting);
  const listed = rows.map(({ run, question, id: _short, ...rest }) => ({
    run,
    ...question,
    ...rest,
  }));
  printResult(io, given, listed, (style) =>
    rows.length === 0 ? "no question is waiting" : renderWaiting(rows, style),
  );
  return 0;
};

function rowsOf(waiting: readonly Waiting[]) {
  return Promise.all(
    waiting.map(async ({ files, question, id }) => ({
      run: files.id,
      id,
      question,
      /** An answer lies in the inbox, and waits for the run to go on. */
      answered: (await answeredIn(files.inbox)).includes(question.id),
    })),
  );
}

export async function waitingQuestions(cwd: string, wanted: string | null): Promise<AllWaiting> {
  const here = reader.requireRuns(cwd);
  const runs =
    wanted === null
      ? reader.unfinishedRuns(here).slice(0, RUNS_MAX)
      : [reader.pickRun(here, wanted)];
  const shorten = shortener(here.runs);
  // One damaged run must not keep the questions of the others from being answered: `orch show` says what is wrong.
  const opening = runs.map((run) => {
    const reading = reader.openRun(here.root, run);
    return runs.length > 1 ? reading.catch(nullIfWorded) : reading;
  });
  const opened = (await Promise.all(opening)).filter((one) => one !== null);
  const waiting = opened.flatMap(({ files, view }) =>
    view.tasks.flatMap(({ pendingQuestion: question }) =>
      question === null ? [] : [{ files, question, id: shorten(files.id) }],
    ),
  );
  return {
    waiting: waiting.sort((a, b) => (a.question.askedAt < b.question.askedAt ? -1 : 1)),
    answered: opened
      .flatMap(({ view }) => view.tasks.flatMap((task) => task.interactionHistory))
      .filter((one) => one.question !== null),
  };
}

export interface Chosen {
  /** More than one: nothing says which of them is meant. */
  readonly meant: readonly [Waiting, ...Waiting[]];
  readonly text: string | null;
}

/** With one question waiting the first word may be the answer itself. */
export function chooseQuestion({ waiting, answered }: AllWaiting, args: readonly string[]): Chosen {
  const [first = null, second = null]: readonly (string | null)[] = args;
  const [named, ...others] = waiting.filter(({ question }) => question.id === first);
  if (named !== undefined && others.length === 0) return { meant: [named], text: second };
  const isNamed = named !== undefined || second !== null || /^q\d{1,6}$/.test(first ?? "");
  const [only, ...rest] = waiting;
  if (only !== undefined && !isNamed) return { meant: [only, ...rest], text: first };
  const before = answered.find(({ question }) => question.id === first);
  if (before !== undefined && named === undefined)
    throw answeredBefore(first ?? "", before.answer.by, "orch show");
  throw notOne(waiting, first !== null && named === undefined ? first : null);
}

/** The first answer counts; whoever comes second hears of it. */
export function answeredBefore(id: string, by: string, next: string): OrchError {
  return new OrchError(
    "question-answered",
    `question ${id} was answered already, by ${by === BY_DEADLINE ? "its deadline" : by}`,
    `the first answer counts: ${next}`,
  );
}

/** `unknown`: the id that none has; null: it is not said which of several is meant. */
export function notOne(waiting: readonly Waiting[], unknown: string | null): OrchError {
  const [first] = waiting;
  const ids = waiting.map(({ question, id }) => `${question.id} (${question.task}) of run ${id}`);
  const nothing = unknown === null ? "" : `there is no question ${JSON.stringify(unknown)}; `;
  const are = waiting.length === 1 ? "question is" : "questions are";
  return new OrchError(
    "question-unknown",
    first === undefined
      ? "no question is waiting"
      : `${nothing}${waiting.length} ${are} waiting: ${firstOf(ids, LISTED_MAX)}`,
    first === undefined
      ? "`orch status` says where the run stands"
      : `name one: orch answer ${first.question.id} --run ${first.id} "your answer"`,
  );
}

type WaitingRow = Awaited<ReturnType<typeof rowsOf>>[number];

const TASK_COLUMNS_MAX = 24;
const QUESTION_CHARS_MAX = 100;

function renderWaiting(rows: readonly WaitingRow[], style: Style): string {
  const severalRuns = new Set(rows.map(({ run }) => run)).size > 1;
  const lines = rows.flatMap((row) => {
    const others = row.question.context.filter((line) => line.startsWith(ALSO_OPEN));
    const one = [
      `${row.question.id}  ${shorten(excerpt(row.question.task, 200), TASK_COLUMNS_MAX)}`,
      ...(severalRuns ? [row.id] : []),
      duration(Math.max(0, Date.now() - Date.parse(row.question.askedAt))),
      `${row.question.kind}${row.answered ? ", answered" : ""}`,
      excerpt(row.question.question.trim().split("\n", 1)[0] ?? "", QUESTION_CHARS_MAX),
    ];
    const blank = one.slice(1).map(() => "");
    return [one, ...others.map((line) => [...blank, excerpt(line, QUESTION_CHARS_MAX)])];
  });
  return table(style, lines).join("\n");
}
