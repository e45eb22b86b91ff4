// Which questions wait for an answer, and which of them is meant?

import {
  matchRun,
  type OpenedRun,
  openRun,
  requireRuns,
  type RunsHere,
  unfinishedRuns,
} from "../../adapters/run-reader.ts";
import type { RunId } from "../../core/ids.ts";
import type { Interaction, Question } from "../../core/question.ts";
import { OrchError } from "../../errors.ts";

/** Runs looked into; older unfinished ones are reached with --run. */
const RUNS_MAX = 20;
const LISTED_MAX = 5;

export interface Waiting {
  readonly root: string;
  readonly run: RunId;
  readonly question: Question;
}

export interface AllWaiting {
  readonly waiting: readonly Waiting[];
  readonly answered: readonly Interaction[];
}

export async function waitingQuestions(cwd: string, wanted: string | null): Promise<AllWaiting> {
  const here = requireRuns(cwd);
  const runs = runsMeant(here, wanted);
  const opened = await (wanted === null ? openAny(here, runs) : openAll(here, runs));
  return {
    waiting: opened.flatMap(({ root, files, view }) =>
      view.tasks.flatMap(({ pendingQuestion }) =>
        pendingQuestion === null ? [] : [{ root, run: files.id, question: pendingQuestion }],
      ),
    ),
    answered: opened.flatMap(({ view }) => view.tasks.flatMap((task) => task.interactionHistory)),
  };
}

function openAll({ root }: RunsHere, runs: readonly RunId[]): Promise<readonly OpenedRun[]> {
  return Promise.all(runs.map((run) => openRun(root, run)));
}

/** One damaged run must not keep the questions of the others from being answered. */
async function openAny(here: RunsHere, runs: readonly RunId[]): Promise<readonly OpenedRun[]> {
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

function runsMeant(here: RunsHere, wanted: string | null): readonly RunId[] {
  if (wanted === null) return unfinishedRuns(here).slice(0, RUNS_MAX);
  const run = matchRun(here, wanted);
  if (run !== null) return [run];
  throw new OrchError(
    "run-unknown",
    `there is no run ${JSON.stringify(wanted)}`,
    "`orch list` shows the runs there are",
  );
}

/** With one question waiting the first word may be the answer itself. */
export function chooseQuestion(
  { waiting, answered }: AllWaiting,
  [first, second]: readonly string[],
): { readonly chosen: Waiting; readonly text: string | null } {
  const [named, ...others] = waiting.filter(({ question }) => question.id === first);
  if (named !== undefined && others.length > 0) throw inSeveralRuns(named, others);
  if (named !== undefined) return { chosen: named, text: second ?? null };
  const before = answered.find(({ question }) => question.id === first);
  if (before !== undefined) throw alreadyAnswered(before);
  const [only] = waiting;
  if (only === undefined)
    throw new OrchError(
      "question-unknown",
      "no question is waiting",
      "`orch status` says where the run stands",
    );
  if (waiting.length > 1) throw severalWait(waiting);
  if (second === undefined) return { chosen: only, text: first ?? null };
  throw new OrchError(
    "question-unknown",
    `there is no question ${JSON.stringify(first)}; ${only.question.id} is waiting`,
    `orch answer ${only.question.id} ${JSON.stringify(second)}`,
  );
}

/** Questions are numbered within their run. */
function inSeveralRuns({ question, run }: Waiting, others: readonly Waiting[]): OrchError {
  return new OrchError(
    "question-unknown",
    `${others.length + 1} runs have a question ${question.id} that waits`,
    `name the run: orch answer ${question.id} --run ${run} "your answer"`,
  );
}

function alreadyAnswered({ question, answer }: Interaction): OrchError {
  const what = answer.text === "" ? answer.action : JSON.stringify(answer.text.slice(0, 100));
  return new OrchError(
    "question-answered",
    `question ${question.id} was answered by ${answer.by} at ${answer.at}: ${what}`,
    "the first answer counts; `orch show` lists all questions and answers",
  );
}

function severalWait(waiting: readonly Waiting[]): OrchError {
  const [first] = waiting;
  const ids = waiting
    .slice(0, LISTED_MAX)
    .map(({ question, run }) => `${question.id} of run ${run}`);
  const more = waiting.length > LISTED_MAX ? ", …" : "";
  return new OrchError(
    "question-unknown",
    `${waiting.length} questions are waiting: ${ids.join(", ")}${more}`,
    `name one: orch answer ${first?.question.id ?? "<id>"} --run ${first?.run ?? "<run>"} "your answer"`,
  );
}
