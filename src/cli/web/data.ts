// What does the page get of runs, tasks, logs and statistics, in the words of the terminal?

import { readLog, requireLog } from "../../adapters/log/event-log.ts";
import type { LogPosition } from "../../adapters/log/log-lines.ts";
import { readRecords } from "../../adapters/log/run-index.ts";
import { asItStands, pickRun } from "../../adapters/log/run-reader.ts";
import { currentOwner, type Owner } from "../../adapters/log/owner.ts";
import { runFiles, type RunFiles } from "../../adapters/log/run-files.ts";
import type { Recorded } from "../../core/model/event.ts";
import type { RunState } from "../../core/model/state.ts";
import { projectRun } from "../../core/views/projection.ts";
import { waves } from "../../core/run/scopes.ts";
import { fold } from "../../core/run/reduce.ts";
import { GROUPS, spentOn, statsOf, type RunRecord } from "../../core/views/stats.ts";
import type { RunView, TaskView } from "../../core/views/run-view.ts";
import { ANSWER_ACTIONS } from "../../core/model/question.ts";
import { OrchError } from "../../errors.ts";
import type { AnswerGiven, LogLine, RunPage, RunRow, TaskPage, WebData } from "../../web/api.ts";
import { giveAnswer } from "../commands/answer.ts";
import { workText } from "../commands/diff.ts";
import { decisionsOf, explainFacts } from "../commands/explain.ts";
import { answeredIn, isTaken } from "../commands/pick.ts";
import { attemptFacts, attemptHeading, runFacts, wholeTaskFacts } from "../commands/show.ts";
import { sinceMs } from "../commands/stats.ts";
import { waitingQuestions } from "../commands/waiting.ts";
import { userName } from "../running/at-terminal.ts";
import type { CliIo, Style } from "../io.ts";
import { dotted } from "../layout.ts";
import { closingFacts } from "../render/closing.ts";
import { effortWords, spentWords, taskWords } from "../render/facts.ts";
import { tablesOf } from "../render/gate.ts";
import { createStory, taskIn } from "../render/log.ts";
import { statsFacts, statsHeading, statsRows } from "../render/stats.ts";
import { cost, duration, phaseLook, progressWords } from "../render/text.ts";
import { createListing, createLive } from "./live.ts";
import { pageQuestion } from "./questions.ts";

/** One line each, without colours: the page breaks and paints them. */
const PLAIN: Style = { color: false, columns: 10_000, wraps: false };

export function webData(root: string, io: CliIo): WebData {
  const here = createListing(root);
  const logs = createLogs();
  const open = async (run: string): Promise<Opened> => {
    const at = here();
    const files = runFiles(root, pickRun(at, run));
    const log = logs.read(files);
    const recorded = projectRun(log.state);
    if (recorded === null) throw new OrchError("run-unknown", `${run} has not begun`, "look again");
    const owner = currentOwner(files.folder);
    const answered = await answeredIn(files.inbox);
    const id = at.short(files.id);
    return { files, ...log, id, owner, answered, view: asItStands(recorded, owner) };
  };
  return {
    runs: async () => {
      const at = here();
      return (await readRecords(at, 0)).map((record) => runRow(record, at.short));
    },
    run: async (run) => runPage(await open(run)),
    task: async (run, task) => taskPage(await open(run), task),
    log: async (run, task, after) => {
      const { events } = logs.read(runFiles(root, pickRun(here(), run)));
      return logLines(events, task, after);
    },
    diff: async (run, task) => {
      const id = pickRun(here(), run);
      const text = await workText([id, ...(task === "" ? [] : [task])], PLAIN, io);
      // They would have a line read as another one.
      return text.replace(
        /[\u202a-\u202e\u2066-\u2069]/g,
        (mark) => `<U+${mark.codePointAt(0)?.toString(16)}>`,
      );
    },
    stats: async (since, by) => {
      const group = GROUPS.find((one) => one === by) ?? null;
      const stats = statsOf(await readRecords(here(), Date.now() - sinceMs(since)), group);
      const facts = stats.runs === 0 ? [] : statsFacts(stats);
      return { heading: statsHeading(stats), facts, rows: statsRows(stats) };
    },
    answer: (given) => answered(root, given),
    live: createLive(here),
  };
}

async function answered(
  root: string,
  { run, question, action, text }: AnswerGiven,
): Promise<string> {
  const { waiting } = await waitingQuestions(root, run);
  const chosen = waiting.find((one) => one.question.id === question);
  const meant = ANSWER_ACTIONS.find((one) => one === action);
  if (chosen === undefined || meant === undefined || meant === "expire")
    throw new OrchError("question-unknown", `question ${question} does not wait`, "look again");
  return giveAnswer(chosen, { action: meant, text: text.trim() }, `orch web (${userName()})`);
}

function lookOf(phase: TaskView["phase"]) {
  const { mark, tone } = phaseLook(phase);
  return { mark, tone };
}

function runRow(record: RunRecord, short: (run: RunView["run"]) => string): RunRow {
  const { run, title, phase, startedAt, elapsedMs } = record;
  const spent = spentOn(record.tasks);
  const took = elapsedMs === 0 ? "" : duration(elapsedMs);
  const row = { run, id: short(run), title, startedAt, elapsedMs, took, costUsd: spent.costUsd };
  const words = progressWords({ counts: record.counts });
  return { ...row, ...lookOf(phase), words, cost: spent.sessions === 0 ? "" : cost(spent) };
}

interface Opened extends Log {
  readonly files: RunFiles;
  readonly id: string;
  readonly owner: Owner;
  readonly answered: readonly string[];
  readonly view: RunView;
}

interface Log {
  readonly events: readonly Recorded[];
  readonly state: RunState;
}

/** The logs that were read last, whose further events alone are read the next time. */
const LOGS_MAX = 8;

function createLogs() {
  const logs = new Map<string, Log & { readonly position: LogPosition }>();
  return {
    read({ id, log }: RunFiles): Log {
      const before = logs.get(id);
      const { events: more, position } = requireLog(log, readLog(log, before?.position));
      const events = [...(before?.events ?? []), ...more];
      const read = { events, state: fold(more, before?.state), position };
      logs.delete(id);
      logs.set(id, read);
      for (const oldest of [...logs.keys()].slice(0, -LOGS_MAX)) logs.delete(oldest);
      return read;
    },
  };
}

function runPage({ events, state, view, owner, answered, id }: Opened): RunPage {
  const { run: begun, tasks } = state;
  const around = { id, alive: isTaken(owner), nowMs: Date.now(), answered };
  const rounds = waves(
    tasks.map(({ task }) => task),
    begun?.parallel ?? 1,
  );
  const { run, title, seq } = view;
  return {
    ...lookOf(view.phase),
    run,
    id,
    title,
    seq,
    heading: progressWords(view),
    spent: spentWords(view.spent),
    facts: runFacts(view),
    closing: closingFacts(view, around),
    tasks: view.tasks.map((task) => ({
      ...lookOf(task.phase),
      id: task.id,
      dependsOn: task.dependsOn,
      isMerging: task.doing === "merging",
      words: taskWords(task),
      effort: effortWords(task),
    })),
    waves: rounds.map((round) => round.map((task) => task.id)),
    cost: costOver(events),
    questions: questionsIn(view, answered),
  };
}

function questionsIn({ run, tasks }: RunView, answered: readonly string[]) {
  const asked = tasks.flatMap(({ pendingQuestion }) => pendingQuestion ?? []);
  return asked.map((question) => pageQuestion(question, run, answered));
}

function costOver(events: readonly Recorded[]): RunPage["cost"] {
  let usd = 0;
  return events.flatMap(({ event, at }) => {
    if (event.type !== "session-ended" && event.type !== "coach-ended") return [];
    usd += event.usage.costUsd ?? 0;
    return [[Date.parse(at), usd] as const];
  });
}

function taskPage({ view, answered, id: run }: Opened, id: string): TaskPage {
  const task = view.tasks.find((one) => one.id === id);
  if (task === undefined)
    throw new OrchError("task-missing", `run ${run} has no task ${id}`, "look at the run");
  const decisions = decisionsOf(task);
  const attempts = task.steps.flatMap((step) =>
    step.attempts.map((attempt) => {
      const { n } = attempt;
      const why = decisions.find((one) => one.step === step.id && one.attempt === n);
      return {
        heading: attemptHeading(step.id, attempt),
        facts: attemptFacts(attempt),
        explain: why === undefined ? [] : explainFacts(why),
        tables: why === undefined ? [] : tablesOf(why.decision.proof, PLAIN),
      };
    }),
  );
  return {
    ...lookOf(task.phase),
    run: view.run,
    id,
    seq: view.seq,
    attempts,
    words: dotted([taskWords(task), effortWords(task)]),
    facts: wholeTaskFacts(task, view, { answered }),
    questions: questionsIn({ ...view, tasks: [task] }, answered),
  };
}

const LINES_MAX = 5_000;

function logLines(events: readonly Recorded[], task: string, after: number): readonly LogLine[] {
  const story = createStory(PLAIN);
  const newest = events.filter(({ seq }) => seq > after).slice(-LINES_MAX);
  return newest.flatMap((recorded) => {
    const text = task === "" || taskIn(recorded.event) === task ? story(recorded) : null;
    return text === null ? [] : [{ seq: recorded.seq, text }];
  });
}
