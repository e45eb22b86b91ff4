// What happened in a run or one of its tasks, attempt by attempt, and where the files are.

import { asItStands } from "../../adapters/log/run-reader.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import type { AttemptView, GateView, RunView, TaskView } from "../../core/views/run-view.ts";
import { printResult, type Style } from "../io.ts";
import { dotted, type Fact, facts, paragraph } from "../layout.ts";
import type { Command } from "../command-line/options.ts";
import { closingFacts, leftFacts, type Surroundings } from "../render/closing.ts";
import { courseOf } from "../render/decision.ts";
import { runHeading, sessionWords, spentWords, taskFacts, taskWords } from "../render/facts.ts";
import { dayAndTime, duration, FLAKY, money, phaseLook, plural } from "../render/text.ts";
import { taskRefs } from "../../workspace/git/refs.ts";
import { answeredIn, isTaken, pickRunAndTask } from "./pick.ts";

export const showCommand: Command = async (args, given, io) => {
  const { opened, task } = await pickRunAndTask(args, io);
  const view = asItStands(opened.view, opened.owner);
  const tasks = task === null ? view.tasks : view.tasks.filter(({ id }) => id === task.id);
  const [alive, answered] = [isTaken(opened.owner), await answeredIn(opened.files.inbox)];
  const moment = { id: opened.id, alive, nowMs: Date.now(), answered };
  const shown = { ...view, tasks };
  printResult(io, given, shown, (style) => renderShow(shown, moment, style));
  return 0;
};

const INDENT = "    ";

/** What the files do not say by themselves. */
type Moment = Pick<Surroundings, "id" | "nowMs" | "answered" | "alive">;

function renderShow(view: RunView, moment: Moment, style: Style): string {
  return [
    ...runHeading(view, { id: moment.id, at: `started ${dayAndTime(view.startedAt)}` }, style),
    ...facts(style, runFacts(view)),
    ...view.tasks.flatMap((task) => ["", ...taskLines(task, view, moment, style)]),
    "",
    ...facts(style, closingFacts(view, moment)),
  ].join("\n");
}

export function runFacts(view: RunView): readonly Fact[] {
  return [
    ["source", sourceWords(view)],
    ["from", baseWords(view)],
    ["files", `.orch/runs/${view.run}`],
  ];
}

/** What the run was asked to do. */
function sourceWords({ source }: RunView): string {
  if (source.kind === "words") return excerpt(source.text, SOURCE_CHARS_MAX);
  return source.kind === "files" ? excerpt(source.names.join(", "), SOURCE_CHARS_MAX) : source.path;
}

const SOURCE_CHARS_MAX = 100;

function baseWords({ base }: RunView): string | null {
  if (base === null) return null;
  const { commit, branch, withChanges } = base;
  const snapshot = withChanges ? "with uncommitted changes" : null;
  return dotted([branch, commit.slice(0, 12), snapshot]);
}

function taskLines(task: TaskView, run: RunView, moment: Moment, style: Style): readonly string[] {
  const { mark, tone } = phaseLook(task.phase);
  const attempts = task.steps.flatMap(({ id, attempts }) =>
    attempts.map((attempt) => [id, attempt] as const),
  );
  const earlier = attempts.length - LISTED_MAX;
  return [
    paragraph(style, `${task.id}: ${taskWords(task)}`, { tone, lead: `${mark} `, hanging: "  " }),
    ...facts(style, wholeTaskFacts(task, run, moment)),
    ...(earlier > 0 ? ["", `  … ${plural(earlier, "earlier attempt")}: --json has them`] : []),
    ...attempts
      .slice(-LISTED_MAX)
      .flatMap(([step, attempt]) => ["", ...attemptLines(step, attempt, style)]),
  ];
}

/** All that is told of a task beside its attempts. */
export function wholeTaskFacts(
  task: TaskView,
  run: RunView,
  moment: Pick<Moment, "answered">,
): readonly Fact[] {
  return [
    ["title", task.title],
    ["file", task.file],
    ["branch", task.branch],
    ["merged", task.merged === null ? null : task.merged.slice(0, 12)],
    ["spent", task.spent.sessions === 0 ? null : effort(task)],
    ["question", questionWords(task.pendingQuestion, moment.answered)],
    ["author", task.by],
    ...taskFacts(task, LISTED_MAX),
    ...task.interactionHistory.map(interactionFact),
    ...leftFacts(task, run),
    ["by hand", byHand(task, run)],
  ];
}

/** Where it is open how well the work is proven: its gates once more, in a place of orch's own. */
function byHand({ id, end, steps, proof }: TaskView, { run, base }: RunView): string | null {
  const last = steps.flatMap(({ attempts }) => attempts).at(-1);
  const isOpen = end?.kind === "done" ? !end.verified : last?.decision?.rule === "disputed";
  if (!isOpen || base === null || proof.length === 0) return null;
  return `orch prove ${taskRefs(run, id).work} --base ${base.commit.slice(0, 12)}`;
}

const LISTED_MAX = 20;

/** The question that waits; those that were answered stand below. */
function questionWords(question: TaskView["pendingQuestion"], answered: readonly string[]) {
  if (question === null) return null;
  const state = answered.includes(question.id) ? "answered" : null;
  return dotted([`${question.id}: ${excerpt(question.question, 200)}`, state]);
}

function attemptLines(step: string, attempt: AttemptView, style: Style): readonly string[] {
  const heading = attemptHeading(step, attempt);
  return [
    paragraph(style, heading, { tone: "strong", lead: "  ", hanging: INDENT }),
    ...facts(style, attemptFacts(attempt), INDENT),
  ];
}

export function attemptHeading(step: string, attempt: AttemptView): string {
  return dotted([
    `${step}, attempt ${attempt.n}`,
    attempt.plan > 1 ? `plan ${attempt.plan}` : null,
    attempt.elapsedMs > 0 ? duration(attempt.elapsedMs) : null,
    attempt.costUsd === null ? null : money(attempt.costUsd),
    attempt.counted === false ? "uses up no attempt" : null,
  ]);
}

export function attemptFacts(attempt: AttemptView): readonly Fact[] {
  const { report } = attempt;
  return [
    ...attempt.sessions.map((session): Fact => ["session", sessionWords(session)]),
    ["report", report === null ? null : dotted([report.status ?? report.found, report.summary])],
    ["changed", attempt.changed === null ? null : plural(attempt.changed.count, "file")],
    ...attempt.gates.flatMap(gateFacts),
    ...(attempt.coach?.words ?? []).map((words, at): Fact => [
      at === 0 ? "coach" : "",
      at === 0 ? dotted([attempt.coach?.agent ?? null, words]) : words,
    ]),
    ["decided", courseOf(attempt)],
    ["commit", attempt.commit === null ? null : attempt.commit.slice(0, 12)],
    ["files", attempt.directory, "quiet"],
  ];
}

function gateFacts(gate: GateView): readonly Fact[] {
  const calm = gate.verdict === "passed" && !gate.flaky;
  const tone = calm ? "good" : gate.verdict === "failed" ? "bad" : "attention";
  const { counts } = gate;
  const words = dotted([
    `${gate.name} ${gate.verdict}`,
    gate.why,
    gate.flaky ? FLAKY : null,
    counts === null ? null : `${counts.passed} passed, ${counts.failed} failed`,
    gate.required ? null : "not required",
  ]);
  return [
    ["gate", words, tone],
    ...gate.findings.map(({ check, message }): Fact => ["", `${check}: ${message}`]),
    ["", gate.findingsOmitted > 0 ? `… and ${gate.findingsOmitted} more` : null],
  ];
}

function effort({ spent, replans, handoffs }: TaskView): string {
  return dotted([
    spentWords(spent),
    plural(spent.sessions, "session"),
    replans > 0 ? plural(replans, "new plan") : null,
    handoffs > 0 ? plural(handoffs, "handoff") : null,
  ]);
}

function interactionFact({ question, answer }: TaskView["interactionHistory"][number]): Fact {
  if (question === null) return ["person said", `${excerpt(answer.text, 200)} (by ${answer.by})`];
  const words = answer.text === "" ? answer.action : `${answer.action}: ${answer.text}`;
  return ["answered", `${excerpt(question.question, 200)} → ${words} (by ${answer.by})`];
}
