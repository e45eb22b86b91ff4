// What happened in a task, attempt by attempt, and where are the files?

import { changedWords } from "../../core/decide/proof.ts";
import { outOfScopeWords } from "../../core/decide/out-of-scope.ts";
import { alarmLine } from "../../core/decide/rules-approval.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { crossingWords } from "../../core/run/crossing.ts";
import { refusedWords, unusableWords } from "../../core/run/refused.ts";
import type { Interaction } from "../../core/model/question.ts";
import type {
  AttemptView,
  GateView,
  RunView,
  SessionView,
  StepView,
  TaskView,
} from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { dotted, type Fact, facts, paint, paragraph } from "../layout.ts";
import { decisionWords } from "./decision.ts";
import { sourceWords } from "./list.ts";
import { overdueWords, runHeading, type Surroundings } from "./status-table.ts";
import { taskEndWords } from "./summary.ts";
import {
  agentWords,
  FLAKY,
  flakyWords,
  cost,
  dayAndTime,
  duration,
  money,
  phaseLook,
  plural,
  STARTS,
} from "./text.ts";

const LINE_CHARS_MAX = 400;
const INDENT = "    ";

/** What the files do not say by themselves. */
export type Moment = Pick<Surroundings, "nowMs" | "answered">;

export function renderShow(view: RunView, moment: Moment, style: Style): string {
  const spent = dotted([
    `started ${dayAndTime(view.startedAt)}`,
    `${duration(view.spent.elapsedMs)} elapsed`,
    cost(view.spent),
  ]);
  return [
    ...runHeading(view, spent, style),
    ...facts(style, [
      ["source", sourceWords(view)],
      ["from", baseWords(view)],
      ["merged", view.into],
      ["files", `.orch/runs/${view.run}`],
      ...view.flaky.map((one): Fact => ["gate", flakyWords(one), "attention"]),
    ]),
    ...view.tasks.flatMap((task) => ["", ...taskLines(task, moment, style)]),
  ].join("\n");
}

function baseWords({ base }: RunView): string | null {
  if (base === null) return null;
  const { commit, branch, withChanges } = base;
  const snapshot = withChanges ? "with uncommitted changes" : null;
  return dotted([branch, commit.slice(0, 12), snapshot]);
}

function taskLines(task: TaskView, moment: Moment, style: Style): readonly string[] {
  const { mark, tone } = phaseLook(task.phase);
  const { interactionHistory, changedChecks, unproven, notes } = task;
  const assumed = task.assumptions.map(({ decision, reason }) => dotted([decision, reason]));
  const notAsked = task.unasked.map(({ question, answer }) => `${question} → ${answer}`);
  return [
    paragraph(style, `${task.id}: ${taskEndWords(task)}`, {
      tone,
      lead: `${mark} `,
      hanging: "  ",
    }),
    ...facts(style, [
      ["title", task.title],
      ["file", task.file],
      ["branch", task.branch],
      ["merged", task.merged === null ? null : task.merged.slice(0, 12)],
      ["spent", task.spent.sessions === 0 ? null : spentWords(task)],
      ...tokenFacts(task),
      ["question", questionWords(task, moment)],
      ["cause", task.cause === null ? null : `${task.cause}: ${task.advice}`],
      ["author", task.by],
      ...task.tightened.map((one): Fact => ["held to", one]),
      ...refusedIn(task).map((words): Fact => ["alarm", words, "attention"]),
      ...task.crossings.map((one): Fact => ["alarm", crossingWords(one), "attention"]),
    ]),
    ...task.steps.flatMap((step) => [
      ...facts(style, [[step.id, omittedWords(step)]]),
      ...step.attempts.flatMap((attempt) => ["", ...attemptLines(step.id, attempt, style)]),
    ]),
    ...headed("changed checks", changedChecks.map(changedWords), style),
    ...headed("outside its scope", task.outOfScope.map(outOfScopeWords), style),
    ...headed("not verified", unproven === null ? [] : [unproven], style),
    ...headed("noted", notes.map(alarmLine), style),
    ...headed("questions and answers", interactionHistory.map(interactionWords), style),
    ...headed("assumptions", assumed, style),
    ...headed("not asked", notAsked, style),
  ];
}

function refusedIn({ refused, unusable }: TaskView): readonly string[] {
  return [
    ...(refused.length === 0 ? [] : [refusedWords(refused)]),
    ...(unusable.length === 0 ? [] : [unusableWords(unusable)]),
  ];
}

function omittedWords({ attemptsOmitted }: StepView): string | null {
  if (attemptsOmitted === 0) return null;
  return `${plural(attemptsOmitted, "earlier attempt")}: see orch log`;
}

/** The question that waits; those that were answered stand below. */
function questionWords({ pendingQuestion: question }: TaskView, moment: Moment): string | null {
  if (question === null) return null;
  return dotted([
    `${question.id}: ${excerpt(question.question, 200)}`,
    moment.answered.includes(question.id) ? "answered" : overdueWords(question, moment),
  ]);
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
  const list: readonly Fact[] = [
    ...attempt.sessions.map((session): Fact => ["session", sessionWords(session)]),
    ["report", report === null ? null : dotted([report.status ?? report.found, report.summary])],
    ["changed", attempt.changed === null ? null : plural(attempt.changed.count, "file")],
    ...attempt.gates.flatMap(gateFacts),
    ["decided", decision === null ? null : decisionWords(decision)],
    ["commit", attempt.commit === null ? null : attempt.commit.slice(0, 12)],
    ["files", attempt.directory, "quiet"],
  ];
  return [
    paragraph(style, heading, { tone: "strong", lead: "  ", hanging: INDENT }),
    ...facts(style, list, INDENT),
  ];
}

function sessionWords(session: SessionView): string {
  const ending = session.ending === null ? "runs" : dotted([session.ending, session.detail]);
  // What begins anew needs no word.
  const start = session.start === "fresh" ? null : STARTS[session.start];
  return dotted([agentWords(session.agent, session.model), start, ending]);
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

function spentWords({ spent, replans, handoffs }: TaskView): string {
  return dotted([
    cost(spent),
    plural(spent.sessions, "session"),
    `${duration(spent.workMs)} at work`,
    spent.pausedMs > 0 ? `${duration(spent.pausedMs)} paused` : null,
    replans > 0 ? plural(replans, "replan") : null,
    handoffs > 0 ? plural(handoffs, "handoff") : null,
  ]);
}

function tokenFacts({ spent }: TaskView): readonly Fact[] {
  return Object.entries(spent.tokensByModel).map(([model, t]): Fact => {
    const counts = `${t.input} in, ${t.output} out, ${t.cacheRead} cached, ${t.cacheWrite} cache writes`;
    return ["tokens", `${model}: ${counts}`];
  });
}

function interactionWords({ question, answer }: Interaction): string {
  const words = answer.text === "" ? answer.action : `${answer.action}: ${answer.text}`;
  return `${excerpt(question.question, 200)} → ${words} (by ${answer.by})`;
}

function headed(title: string, lines: readonly string[], style: Style): readonly string[] {
  if (lines.length === 0) return [];
  const items = lines.map((line) =>
    paragraph(style, excerpt(line, LINE_CHARS_MAX), { lead: "  - ", hanging: INDENT }),
  );
  return ["", paint(style, "strong", `  ${title}`), ...items];
}
