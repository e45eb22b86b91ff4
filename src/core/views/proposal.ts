// What does a pull request say of the work: what was proven, and what was taken for granted?

import { changedWords } from "../decide/lost-checks.ts";
import { GRADES } from "../model/decision.ts";
import { clip, unmarked } from "../model/excerpt.ts";
import { isRefusedClaim } from "./projection-attempt.ts";
import type { AttemptView, RunView, TaskView } from "./run-view.ts";

const TITLE_CHARS_MAX = 100;
const LINE_CHARS_MAX = 300;
const LISTED_MAX = 20;
/** What a host takes is twice as much. */
const BODY_CHARS_MAX = 30_000;

export function proposalOf(view: RunView): { readonly title: string; readonly body: string } {
  const done = view.tasks.filter(({ end }) => end?.kind === "done");
  const left = view.tasks.filter(({ end }) => end?.kind !== "done");
  const [only] = done;
  const title =
    done.length === 1 && only !== undefined ? only.title : `${done.length} tasks of ${view.run}`;
  const lines = [
    ...done.flatMap(sectionOf),
    ...(left.length === 0
      ? []
      : ["## Not part of this", "", ...left.map(({ id, phase }) => `- ${id}: ${phase}`), ""]),
    `Made by orch, run \`${view.run}\`.`,
  ];
  return { title: unmarked(title, TITLE_CHARS_MAX), body: clip(lines.join("\n"), BODY_CHARS_MAX) };
}

function sectionOf(task: TaskView): readonly string[] {
  const attempts = task.steps.flatMap((step) => step.attempts);
  const assumed = task.assumptions.map(({ decision, reason }) =>
    reason === null ? decision : `${decision} (${reason})`,
  );
  return [
    `## ${unmarked(task.title, TITLE_CHARS_MAX)}`,
    "",
    unmarked(attempts.findLast(({ report }) => report !== null)?.report?.summary ?? "", 1_000),
    "",
    `**Done, ${GRADES[task.grade ?? "not-verified"]}.**`,
    ...listed("Gates", lastGates(task)),
    ...listed("Changed checks", task.changedChecks.map(changedWords)),
    ...listed("Assumptions", assumed),
    ...listed("Claims that were refused", attempts.flatMap(refused)),
    "",
  ];
}

function lastGates({ steps }: TaskView): readonly string[] {
  return steps.flatMap(({ attempts }) =>
    (attempts.at(-1)?.gates ?? []).map(({ name, verdict, counts, why }) => {
      const counted = counts === null ? "" : `: ${counts.passed} passed, ${counts.failed} failed`;
      return `${name} ${verdict}${counted}${why === null ? "" : ` (${why})`}`;
    }),
  );
}

function refused({ report, decision }: AttemptView): readonly string[] {
  if (report === null || decision === null || !isRefusedClaim(decision, report.status)) return [];
  return [`"${report.summary}": ${decision.evidence[0] ?? decision.rule}`];
}

function listed(title: string, items: readonly string[]): readonly string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, LISTED_MAX).map((item) => `- ${unmarked(item, LINE_CHARS_MAX)}`);
  const more = items.length - shown.length;
  return ["", `${title}:`, "", ...shown, ...(more > 0 ? [`- … and ${more} more`] : [])];
}
