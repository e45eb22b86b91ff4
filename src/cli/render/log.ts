// How does a recorded event read as one line of a story?

import { assertNever } from "../../core/model/assert.ts";
import { clip, excerpt } from "../../core/model/excerpt.ts";
import type { Recorded, RunEvent, TaskEnd, Workspace } from "../../core/model/event.ts";
import type { GateResult } from "../../core/model/verdict.ts";
import type { Style } from "../io.ts";
import { decisionWords } from "./decision.ts";
import { agentWords, endingWords } from "./session.ts";
import { calm, quiet, tellNotice, tellRun } from "./log-run.ts";
import type { Of, Told } from "./log-run.ts";
import {
  FLAKY,
  NOT_VERIFIED,
  clock,
  dotted,
  duration,
  kindWords,
  money,
  paint,
  plural,
  wrap,
} from "./text.ts";
import { SIGNALS } from "../../core/model/signals.ts";

const LINE_CHARS_MAX = 300;

/**
 * The event as a line with its time; null: nothing a person needs to read at this level of detail.
 *
 * On a terminal the story is indented: a task, its attempts, and what happened in each. Elsewhere
 * every line names its place, so that one line found by a search says it all.
 */
export function renderEvent(recorded: Recorded, style: Style, verbose = false): string | null {
  const told = tell(recorded.event, verbose);
  if (told === null) return null;
  const time = clock(recorded.at);
  const { lead, indent } = style.wraps ? indented(recorded.event, style) : flat(recorded.event);
  const line = clip(`${lead}${told.text}`, LINE_CHARS_MAX);
  const hanging = " ".repeat(time.length + 2 + indent);
  const body = style.wraps
    ? wrap(line, style.columns, hanging, indent === 0 ? hanging : `${hanging}  `).slice(
        hanging.length,
      )
    : line;
  const start = `${paint(style, "quiet", time)}${" ".repeat(2 + indent)}`;
  return `${start}${told.tone === null ? body : paint(style, told.tone, body)}`;
}

interface Placed {
  readonly lead: string;
  readonly indent: number;
}

function flat(event: RunEvent): Placed {
  const place = "attempt" in event ? `${event.task} ${event.step}/${event.attempt}` : taskIn(event);
  return { lead: place === "" ? "" : `${place}: `, indent: 0 };
}

const NARROW_COLUMNS = 60;

function indented(event: RunEvent, { columns }: Style): Placed {
  const one = columns < NARROW_COLUMNS ? 1 : 2;
  if (event.type === "session-started")
    return { lead: `${event.step}, attempt ${event.attempt}: `, indent: one };
  if ("attempt" in event || event.type === "question-asked" || event.type === "answered")
    return { lead: "", indent: 2 * one };
  const task = taskIn(event);
  return { lead: task === "" ? "" : `${task}: `, indent: 0 };
}

function taskIn(event: RunEvent): string {
  if (event.type === "question-asked") return event.question.task;
  return "task" in event && typeof event.task === "string" ? event.task : "";
}

function tell(event: RunEvent, verbose: boolean): Told | null {
  switch (event.type) {
    case "task-defined":
    case "tasks-read":
    case "session-spawned":
    case "attempt-settled":
      return verbose || event.type === "attempt-settled" ? tellDetail(event) : null;
    case "attempt-started":
      // The session that carries it out says the rest.
      return event.plan > 1 || verbose
        ? calm(`attempt ${event.attempt} begins, plan ${event.plan}`)
        : null;
    case "session-started":
      return tellDetail(event);
    case "session-ended":
      return tellSessionEnd(event);
    case "gate-ended":
      return tellGate(event.result);
    case "base-checked":
    case "task-weighed":
      return tellMeasured(event);
    case "decided":
      return tellDecision(event);
    case "notified":
      return tellNotified(event, verbose);
    case "question-asked":
    case "answered":
    case "answer-refused":
      return tellPerson(event);
    case "task-started":
      return { text: `started ${workspaceWords(event.workspace)}`, tone: "strong" };
    case "task-ended":
      return tellEnd(event.end);
    case "run-started":
    case "run-resumed":
    case "run-interrupted":
    case "run-ended":
      return tellRun(event);
    case "log-repaired":
    case "wait-ended":
    case "budget-warned":
    case "orphan-ended":
    case "rescued":
      return tellNotice(event);
    default:
      return assertNever(event, "event");
  }
}

function tellDecision({ decision }: Of<"decided">): Told {
  const tone = decision.kind === "continue" ? null : "attention";
  return { text: `→ ${decisionWords(decision)}`, tone };
}

function tellDetail(
  event: Of<
    "task-defined" | "tasks-read" | "session-spawned" | "attempt-settled" | "session-started"
  >,
): Told | null {
  switch (event.type) {
    case "task-defined":
      return quiet(`task ${event.task.id}: ${event.task.steps.map((step) => step.id).join(", ")}`);
    case "tasks-read":
      return quiet(`${plural(event.count, "task")} read`);
    case "session-spawned":
      return quiet(`process ${event.process.pid}: ${excerpt(event.program, 120)}`);
    case "attempt-settled":
      return event.commit === null ? null : calm(`committed ${event.commit.slice(0, 10)}`);
    case "session-started": {
      const { start } = event;
      const how =
        start.kind === "follow-up"
          ? `goes on (${start.why})`
          : start.kind === "deliver"
            ? "gets the answer"
            : "starts";
      return calm(`${agentWords(event.agent, event.model)} ${how}`);
    }
    default:
      return assertNever(event, "event");
  }
}

function tellMeasured(event: Of<"base-checked" | "task-weighed">): Told | null {
  if (event.type === "base-checked")
    return quiet(`before the task: ${event.result.name} ${event.result.verdict.kind}`);
  if (event.signals.length === 0) return null;
  const open = event.signals.map(({ signal, detail }) => `${SIGNALS[signal].sentence}: ${detail}`);
  return { text: open.join("; "), tone: "attention" };
}

function tellSessionEnd(event: Of<"session-ended">): Told {
  const { report } = event;
  const claim =
    report.kind === "read" ? `report: ${report.report.status}` : `report ${report.kind}`;
  // A session that stopped to ask owes no report yet.
  const owed = event.ending.kind === "asked" && report.kind === "missing" ? null : claim;
  const spent = event.usage.costUsd === null ? null : money(event.usage.costUsd);
  const text = dotted([
    `${endingWords(event.ending)} after ${duration(event.elapsedMs)}`,
    owed,
    spent,
  ]);
  return {
    text,
    tone: event.ending.kind === "finished" || event.ending.kind === "asked" ? null : "attention",
  };
}

function tellGate(gate: GateResult): Told {
  const { verdict, counts } = gate;
  const name = gate.required ? gate.name : `${gate.name} (not required)`;
  const of = counts === null ? null : `${counts.passed} passed, ${counts.failed} failed`;
  const took = duration(gate.elapsedMs);
  switch (verdict.kind) {
    case "passed":
      return {
        text: dotted([`✓ ${name} passed`, gate.flaky ? FLAKY : null, of, took]),
        tone: gate.flaky ? "attention" : "good",
      };
    case "failed": {
      const first = verdict.findings[0];
      const why =
        first === undefined ? "" : `: ${excerpt(`${first.check}: ${first.message}`, 160)}`;
      return { text: `${dotted([`✗ ${name} failed`, of, took])}${why}`, tone: "bad" };
    }
    case "unknown":
      return {
        text: dotted([`? ${name} unknown (${verdict.why}): ${excerpt(verdict.detail, 160)}`, took]),
        tone: "attention",
      };
    default:
      return assertNever(verdict, "verdict");
  }
}

function tellPerson(event: Of<"question-asked" | "answered" | "answer-refused">): Told {
  switch (event.type) {
    case "question-asked":
      return {
        text: `question ${event.question.id}: ${excerpt(event.question.question, 200)}`,
        tone: "attention",
      };
    case "answered": {
      const { action, text, by, id } = event.answer;
      const said = action === "answer" ? excerpt(text, 200) : `${action}: ${excerpt(text, 200)}`;
      const words = text === "" ? action : said;
      return { text: `question ${id} answered by ${excerpt(by, 60)}: ${words}`, tone: "accent" };
    }
    case "answer-refused":
      return quiet(
        `an answer by ${excerpt(event.by, 60)} to ${excerpt(event.question, 80)} changed nothing (${event.why})`,
      );
    default:
      return assertNever(event, "event");
  }
}

function tellEnd(end: TaskEnd): Told {
  if (end.kind === "done")
    return {
      text: end.verified ? "done, proven by its gates" : `done, ${NOT_VERIFIED}`,
      tone: "good",
    };
  return { text: `${kindWords(end.kind)}: ${excerpt(end.reason, 200)}`, tone: "bad" };
}

function workspaceWords(workspace: Workspace): string {
  switch (workspace.kind) {
    case "branch":
      return `on branch ${workspace.branch}`;
    case "in-place":
      return "in the working copy as it is";
    case "plain":
      return "without git: no checkpoints, no measured changes";
    default:
      return assertNever(workspace, "workspace");
  }
}

function tellNotified(
  { question, channel, trouble }: Of<"notified">,
  verbose: boolean,
): Told | null {
  if (trouble === null && !verbose) return null;
  const of = question === null ? "the end of the run" : `question ${question}`;
  return trouble === null
    ? quiet(`people were told of ${of} (${channel})`)
    : { text: `nobody was told of ${of}: ${excerpt(trouble, 200)}`, tone: "attention" };
}
