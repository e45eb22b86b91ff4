// Why was a decision made, and which other one came close?

import { scoreLines } from "../../core/decide/score-lines.ts";
import { inert } from "../../core/model/excerpt.ts";
import type { AttemptView, DecisionView, TaskView } from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { decisionName, ruleSentence } from "./decision.ts";
import { taskEndWords } from "./summary.ts";
import { dotted, paint, wrap } from "./text.ts";

/** A decision with its place. */
export interface Explained {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
  readonly plan: number;
  readonly counted: boolean;
  readonly decision: DecisionView & { readonly sentence: string };
  /** How the task ended afterwards; null: it goes on, or ended by this very decision. */
  readonly ended: string | null;
}

/** The decisions of a task, oldest first. */
export function decisionsOf(task: TaskView): readonly Explained[] {
  const decisions = task.steps.flatMap((step) =>
    step.attempts.flatMap((attempt) => explained(task.id, step.id, attempt)),
  );
  const last = decisions.at(-1);
  return last === undefined ? [] : [...decisions.slice(0, -1), { ...last, ended: endOf(task) }];
}

/** A person's answer, a deadline or a limit may have ended the task since. */
function endOf(task: TaskView): string | null {
  return task.end === null || task.end.kind === "done" ? null : taskEndWords(task);
}

function explained(task: string, step: string, attempt: AttemptView): readonly Explained[] {
  const { decision, n, plan, counted } = attempt;
  if (decision === null) return [];
  const sentence = ruleSentence(decision.rule);
  return [
    {
      task,
      step,
      attempt: n,
      plan,
      counted: counted ?? true,
      decision: { ...decision, sentence },
      ended: null,
    },
  ];
}

export function renderExplained(one: Explained, style: Style): string {
  const { decision } = one;
  const place = dotted([
    `task ${one.task}`,
    `step ${one.step}`,
    `attempt ${one.attempt}`,
    one.plan > 1 ? `plan ${one.plan}` : null,
    one.counted ? null : "uses up no attempt",
  ]);
  return [
    paint(style, "quiet", wrap(place, style.columns)),
    paint(style, "strong", wrap(decisionName(decision), style.columns)),
    labelled("rule", `${decision.rule}: ${decision.sentence}`, style),
    ...decision.evidence.map((sentence) => labelled("evidence", sentence, style)),
    ...(decision.close.length === 0 ? [labelled("close", "no other rule came close", style)] : []),
    ...decision.close.map(({ rule, missing }) => labelled("close", `${rule}: ${missing}`, style)),
    ...scoreRows(decision.score, style),
    ...(decision.fingerprint === null ? [] : [labelled("failure", decision.fingerprint, style)]),
    ...(decision.text === "" ? [] : [labelled(TEXTS[decision.kind], decision.text, style)]),
    // A decision that ends the task says so itself.
    ...(one.ended === null || decision.kind === "stall"
      ? []
      : [labelled("then", one.ended, style)]),
  ].join("\n");
}

/** A score of nothing is not worth a line. */
function scoreRows(score: DecisionView["score"], style: Style): readonly string[] {
  const { total, asksFrom, replansFrom, skipsFrom, parts } = score;
  if (total === 0) return [];
  const where = dotted([
    `${total}`,
    asksFrom === null ? null : `a person is asked from ${asksFrom}`,
    replansFrom === null ? null : `a new plan from ${replansFrom}`,
    skipsFrom === null ? null : `the task is skipped from ${skipsFrom}`,
  ]);
  return [
    labelled("score", where, style),
    ...scoreLines(parts).map((text) => labelled("", text, style)),
  ];
}

const TEXTS: Record<DecisionView["kind"], string> = {
  continue: "told",
  replan: "told",
  pause: "asked",
  stall: "reason",
};

function labelled(label: string, text: string, style: Style): string {
  const lead = `  ${label.padEnd(9)} `;
  return wrap(inert(text), style.columns, lead, " ".repeat(lead.length));
}
