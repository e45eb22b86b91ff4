// What happened in a task, attempt by attempt, and where are the files?

import { excerpt, inert } from "../../core/model/excerpt.ts";
import type { Interaction } from "../../core/model/question.ts";
import type {
  AttemptView,
  GateView,
  RunView,
  SessionView,
  TaskView,
} from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { decisionName, ruleSentence } from "./decision.ts";
import { sourceWords } from "./list.ts";
import { overdueWords, type Surroundings } from "./status-table.ts";
import { taskEndWords } from "./summary.ts";
import {
  FLAKY,
  cost,
  dayAndTime,
  dotted,
  duration,
  money,
  paint,
  phaseLook,
  plural,
  wrap,
} from "./text.ts";

const LINE_CHARS_MAX = 400;

/** What the files do not say by themselves. */
export type Moment = Pick<Surroundings, "nowMs" | "answered">;

export function renderShow(
  view: RunView,
  tasks: readonly TaskView[],
  moment: Moment,
  style: Style,
): string {
  const look = phaseLook(view.phase);
  const facts = dotted([
    `started ${dayAndTime(view.startedAt)}`,
    `${duration(view.spent.elapsedMs)} elapsed`,
    cost(view.spent),
  ]);
  return [
    paint(style, "strong", wrap(`run ${view.run}`, style.columns)),
    paint(style, look.tone, `${look.mark} ${look.words}`),
    paint(style, "quiet", wrap(facts, style.columns)),
    fact("source", sourceWords(view), style),
    fact("files", `.orch/runs/${view.run}`, style),
    ...tasks.flatMap((task) => ["", ...taskLines(task, moment, style)]),
  ].join("\n");
}

function taskLines(task: TaskView, moment: Moment, style: Style): readonly string[] {
  const look = phaseLook(task.phase);
  return [
    paint(
      style,
      look.tone,
      wrap(`${task.id}: ${taskEndWords(task)}`, style.columns, `${look.mark} `, "  "),
    ),
    fact("title", task.title, style),
    ...(task.file === null ? [] : [fact("file", task.file, style)]),
    ...(task.branch === null
      ? []
      : [fact("branch", `${task.branch} (from ${task.from ?? "?"})`, style)]),
    ...(task.spent.sessions === 0 ? [] : [fact("spent", spentWords(task), style)]),
    ...tokenLines(task, style),
    ...questionLines(task, moment, style),
    ...task.steps.flatMap((step) => [
      ...(step.attemptsOmitted > 0
        ? [fact(step.id, `${plural(step.attemptsOmitted, "earlier attempt")}: see orch log`, style)]
        : []),
      ...step.attempts.flatMap((attempt) => ["", ...attemptLines(step.id, attempt, style)]),
    ]),
    ...headed("questions and answers", task.interactionHistory.map(interactionWords), style),
    ...headed(
      "assumptions",
      task.assumptions.map((one) => dotted([one.decision, one.reason])),
      style,
    ),
    ...headed(
      "not asked",
      task.unasked.map((one) => `${one.question} → ${one.answer}`),
      style,
    ),
  ];
}

/** The question that waits; those that were answered stand below. */
function questionLines(
  { pendingQuestion: question }: TaskView,
  moment: Moment,
  style: Style,
): readonly string[] {
  if (question === null) return [];
  const words = dotted([
    `${question.id}: ${excerpt(question.question, 200)}`,
    moment.answered.includes(question.id) ? "answered" : overdueWords(question, moment),
  ]);
  return [fact("question", words, style)];
}

function attemptLines(step: string, attempt: AttemptView, style: Style): readonly string[] {
  const { decision, report } = attempt;
  const heading = dotted([
    `${step}, attempt ${attempt.n}`,
    attempt.plan > 1 ? `plan ${attempt.plan}` : null,
    attempt.elapsedMs > 0 ? duration(attempt.elapsedMs) : null,
    attempt.costUsd === null ? null : money(attempt.costUsd),
    attempt.counted === false ? "uses up no attempt" : null,
  ]);
  return [
    paint(style, "strong", wrap(heading, style.columns, "  ", "    ")),
    ...attempt.sessions.map((session) => under("session", sessionWords(session), style)),
    ...(report === null
      ? []
      : [under("report", dotted([report.status ?? report.found, report.summary]), style)]),
    ...(attempt.changed === null
      ? []
      : [under("changed", plural(attempt.changed.count, "file"), style)]),
    ...attempt.gates.flatMap((gate) => gateLines(gate, style)),
    ...(decision === null
      ? []
      : [
          under(
            "decided",
            `${decisionName(decision)}: ${ruleSentence(decision.rule)} (${decision.rule})`,
            style,
          ),
        ]),
    ...(attempt.commit === null ? [] : [under("commit", attempt.commit.slice(0, 12), style)]),
    paint(style, "quiet", under("files", attempt.directory, style)),
  ];
}

function sessionWords(session: SessionView): string {
  const agent = session.model === null ? session.agent : `${session.agent} (${session.model})`;
  const ending = session.ending === null ? "runs" : dotted([session.ending, session.detail]);
  return dotted([agent, STARTS[session.start], ending]);
}

/** As the log says it; what begins anew needs no word. */
const STARTS: Record<SessionView["start"], string> = {
  fresh: "",
  "follow-up": "goes on",
  deliver: "gets the answer",
};

function gateLines(gate: GateView, style: Style): readonly string[] {
  const calm = gate.verdict === "passed" && !gate.flaky;
  const tone = calm ? "good" : gate.verdict === "failed" ? "bad" : "attention";
  const counts =
    gate.counts === null ? null : `${gate.counts.passed} passed, ${gate.counts.failed} failed`;
  const words = dotted([
    `${gate.name} ${gate.verdict}`,
    gate.why,
    gate.flaky ? FLAKY : null,
    counts,
    gate.required ? null : "not required",
  ]);
  return [
    paint(style, tone, under("gate", words, style)),
    ...gate.findings.map(({ check, message }) => under("", `${check}: ${message}`, style)),
    ...(gate.findingsOmitted > 0 ? [under("", `… and ${gate.findingsOmitted} more`, style)] : []),
  ];
}

function spentWords(task: TaskView): string {
  return dotted([
    cost(task.spent),
    plural(task.spent.sessions, "session"),
    `${duration(task.spent.workMs)} at work`,
    task.spent.pausedMs > 0 ? `${duration(task.spent.pausedMs)} paused` : null,
    task.replans > 0 ? plural(task.replans, "replan") : null,
    task.handoffs > 0 ? plural(task.handoffs, "hand-over") : null,
  ]);
}

function tokenLines(task: TaskView, style: Style): readonly string[] {
  return Object.entries(task.spent.tokensByModel).map(([model, t]) =>
    fact(
      "tokens",
      `${model}: ${t.input} in, ${t.output} out, ${t.cacheRead} cached, ${t.cacheWrite} cache writes`,
      style,
    ),
  );
}

function interactionWords({ question, answer }: Interaction): string {
  const words = answer.text === "" ? answer.action : `${answer.action}: ${answer.text}`;
  return `${excerpt(question.question, 200)} → ${words} (by ${answer.by})`;
}

function headed(title: string, lines: readonly string[], style: Style): readonly string[] {
  if (lines.length === 0) return [];
  const items = lines.map((line) =>
    wrap(excerpt(line, LINE_CHARS_MAX), style.columns, "  - ", "    "),
  );
  return ["", paint(style, "strong", `  ${title}`), ...items];
}

function fact(label: string, text: string, style: Style): string {
  return labelled("  ", label, text, style);
}

function under(label: string, text: string, style: Style): string {
  return labelled("    ", label, text, style);
}

function labelled(indent: string, label: string, text: string, style: Style): string {
  const lead = `${indent}${label.padEnd(8)} `;
  return wrap(inert(text), style.columns, lead, " ".repeat(lead.length));
}
