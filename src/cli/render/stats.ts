// How are the statistics of many runs put into words?

import { GRADES, type Grade } from "../../core/model/decision.ts";
import { ANSWERED_BY, type Stats, type Totals } from "../../core/views/stats.ts";
import { dotted, type Fact } from "../layout.ts";
import { cost, duration, kindWords, plural, scaled } from "./text.ts";

export function statsHeading({ runs, tasks, spent }: Stats): string {
  const money = spent.sessions === 0 ? null : cost(spent);
  return dotted([plural(runs, "run"), plural(tasks, "task"), money]);
}

export function statsFacts(stats: Totals): readonly Fact[] {
  const { ends, grades, spent, acceptedAt, refusedClaims, questions, causes } = stats;
  const done = ends.done ?? 0;
  const isGrade = (name: string): name is Grade => Object.hasOwn(GRADES, name);
  const shares = Object.entries(grades).flatMap(([name, count]) =>
    isGrade(name) ? `${GRADES[name]} ${count}` : [],
  );
  return [
    ["ended", countWords(ends)],
    ["proof", done === 0 ? null : shares.join(", ")],
    ["accepted", done === 0 ? null : acceptedWords(acceptedAt, stats.tasks - (ends.outdone ?? 0))],
    ["refused", refusedClaims === 0 ? null : plural(refusedClaims, "claim") + " of completion"],
    ["tokens", tokenWords(stats)],
    ["time", `${duration(spent.workMs)} at work, ${duration(spent.pausedMs)} paused`],
    ["asked", questionWords(questions)],
    ["causes", causes.length === 0 ? null : causes.map(([cause, n]) => `${cause} ${n}`).join(", ")],
  ];
}

/** One row a group: name, tasks, done, proven, attempts a task, cost. */
export function statsRows({ groups }: Stats): readonly (readonly string[])[] {
  return groups.map(({ name, tasks, ends, grades, spent }) => [
    name,
    plural(tasks, "task"),
    `${percent(ends.done ?? 0, tasks - (ends.outdone ?? 0))} done`,
    `${percent(grades.proven ?? 0, tasks - (ends.outdone ?? 0))} proven`,
    spent.sessions === 0 ? "" : cost(spent),
    `${duration(spent.workMs)} at work`,
  ]);
}

function countWords(ends: Totals["ends"]): string {
  return Object.entries(ends)
    .map(([kind, count]) => `${count} ${kindWords(kind)}`)
    .join(", ");
}

/** "at the 1st attempt 60 %, 2nd 20 %": of all tasks. */
function acceptedWords(acceptedAt: readonly number[], tasks: number): string {
  const nth = ["1st", "2nd", "3rd"];
  const shares = acceptedAt.flatMap((count, at) =>
    count === 0 ? [] : `${nth[at] ?? `${at + 1}th`} ${percent(count, tasks)}`,
  );
  return `by attempt: ${shares.join(", ")} of all tasks`;
}

function tokenWords({ spent: { fresh, cached, out } }: Totals): string | null {
  if (fresh + cached + out === 0) return null;
  return `${scaled(fresh)} in, ${scaled(cached)} from the cache, ${scaled(out)} out`;
}

const BY: Readonly<Record<(typeof ANSWERED_BY)[number], string>> = {
  person: "answered by a person",
  nobody: "left to their deadline",
  waits: "open",
  unasked: "below the level, not asked",
};

function questionWords(questions: Totals["questions"]): string | null {
  const words = ANSWERED_BY.flatMap((by) =>
    questions[by] === 0 ? [] : `${questions[by]} ${BY[by]}`,
  );
  return words.length === 0 ? null : words.join(", ");
}

function percent(part: number, all: number): string {
  return all === 0 ? "–" : `${Math.round((100 * part) / all)} %`;
}
