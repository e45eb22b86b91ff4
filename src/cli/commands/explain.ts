// Why was the last decision made, and which other one came close?

import { scoreLines } from "../../core/decide/uncertainty.ts";
import { entryWords } from "../../core/run/contest.ts";
import type { AttemptView, DecisionView, TaskView } from "../../core/views/run-view.ts";
import { OrchError } from "../../errors.ts";
import { printResult, type Style } from "../io.ts";
import { dotted, type Fact, facts, paragraph } from "../layout.ts";
import type { Command } from "../command-line/options.ts";
import { courseOf, decisionName, ruleSentence } from "../render/decision.ts";
import { tablesOf } from "../render/gate.ts";
import { sessionWords, taskWords } from "../render/facts.ts";
import { pickRunAndTask } from "./pick.ts";

export const explainCommand: Command = async (args, given, io) => {
  const { opened, task } = await pickRunAndTask(args, io);
  const { run, tasks } = opened.view;
  const perTask = (task === null ? tasks : [task]).map(decisionsOf);
  // The last decision of the task, or of the task that was decided on last.
  const lasts = perTask.flatMap((decisions) => decisions.slice(-1));
  const decisions = given.all === true ? perTask.flat() : lasts.slice(-1);
  if (decisions.length === 0)
    throw new OrchError(
      "run-unknown",
      `no decision has been made yet in run ${run}`,
      "a decision follows every attempt; `orch status` says where the run stands",
    );
  printResult(io, given, { run, decisions }, (style) =>
    decisions.map((one) => renderExplained(one, style)).join("\n\n"),
  );
  return 0;
};

export type Explained = ReturnType<typeof decisionsOf>[number];

/** The decisions of a task with their places, oldest first. */
export function decisionsOf(task: TaskView) {
  const decisions = task.steps.flatMap((step) =>
    step.attempts.flatMap((attempt) => {
      const { decision, n, plan, counted } = attempt;
      if (decision === null) return [];
      const changes = agentChanges(attempt);
      const place = { task: task.id, step: step.id, attempt: n, plan, counted: counted ?? true };
      const sentence = ruleSentence(decision.rule);
      // What happened, why that was not enough, and what came next.
      return [
        { ...place, changes, decision: { ...decision, sentence }, course: courseOf(attempt) ?? "" },
      ];
    }),
  );
  // A person's answer, a deadline or a limit may have ended the task since the last of them.
  const ended = task.end === null || task.end.kind === "done" ? null : taskWords(task);
  const isLast = (at: number): boolean => at === decisions.length - 1;
  return decisions.map((one, at) => ({
    ...one,
    /** Of all candidates for the task, best first. */
    ranking: isLast(at) ? task.ranking : [],
    /** How the task ended afterwards; null: it goes on, or ended by this very decision. */
    ended: isLast(at) ? ended : null,
    /** Why the task ended without being done; null: it did not, it waits for a yes, or it went on after this. */
    cause: isLast(at) ? task.cause : null,
    /** What helps; null: it is done, or went on after this. */
    advice: isLast(at) ? task.advice : null,
  }));
}

/** Who worked on the attempt, in turn, where it was more than one. */
function agentChanges({ sessions }: AttemptView): readonly string[] {
  const [first, ...others] = sessions;
  if (first === undefined || others.every(({ agent }) => agent === first.agent)) return [];
  return sessions.map(sessionWords);
}

function renderExplained(one: Explained, style: Style): string {
  const place = dotted([
    `task ${one.task}`,
    `step ${one.step}`,
    `attempt ${one.attempt}`,
    one.plan > 1 ? `plan ${one.plan}` : null,
    one.counted ? null : "uses up no attempt",
  ]);
  return [
    paragraph(style, place, { tone: "quiet" }),
    paragraph(style, one.course, { tone: "strong" }),
    ...tablesOf(one.decision.proof, style),
    ...facts(style, explainFacts(one)),
  ].join("\n");
}

/** Why it was decided so, and what came of it. */
export function explainFacts(one: Explained): readonly Fact[] {
  const { decision, ended, cause, advice } = one;
  const close = decision.close.map(({ rule, missing }) => `${rule}: ${missing}`);
  return [
    ...one.changes.map((words): Fact => ["agent", words]),
    ["decided", decisionName(decision)],
    ["rule", `${decision.rule}: ${decision.sentence}`],
    ...decision.evidence.map((sentence): Fact => ["evidence", sentence]),
    ...(close.length === 0 ? ["no other rule came close"] : close).map((words): Fact => [
      "close",
      words,
    ]),
    ...scoreRows(decision.score),
    ["failure", decision.fingerprint],
    [TEXTS[decision.kind], decision.text === "" ? null : decision.text],
    // A decision that ends the task says so itself.
    ...one.ranking.map((entry, at): Fact => [
      at === 0 ? "best of" : "",
      `${at + 1} ${entry.task} (${entry.agent}): ${entryWords(entry)}`,
    ]),
    ["then", decision.kind === "stall" ? null : ended],
    ["cause", cause],
    ["next", advice],
  ];
}

/** A score of nothing is not worth a line. */
function scoreRows(score: DecisionView["score"]): readonly Fact[] {
  const { total, asksFrom, replansFrom, skipsFrom, parts } = score;
  if (total === 0) return [];
  const where = dotted([
    `${total}`,
    asksFrom === null ? null : `a person is asked from ${asksFrom}`,
    replansFrom === null ? null : `a new plan from ${replansFrom}`,
    skipsFrom === null ? null : `the task is skipped from ${skipsFrom}`,
  ]);
  return [["score", where], ...scoreLines(parts).map((text): Fact => ["", text])];
}

const TEXTS: Record<DecisionView["kind"], string> = {
  continue: "told",
  replan: "told",
  pause: "asked",
  stall: "reason",
};
