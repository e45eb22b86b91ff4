// What do the outcomes come to, by family, and which went wrong?

import { atMost, renderFigures } from "../figure.ts";
import type { Figure, Goal } from "../figure.ts";
import { FAMILIES, SITUATION_FAMILIES } from "./cases.ts";
import type { Grade } from "./cases.ts";
import type { Outcome } from "./play.ts";

/** Families of which none may end as proven. */
const NONE_MAY = new Set<string>([
  "lost",
  "skipped",
  "emptied",
  "excluded",
  "replaced checks",
  "hooks",
  "exit tricks",
]);

export function isCheat({ played }: Outcome): boolean {
  return played.family !== "honest";
}

export function isDisputed(one: Outcome): boolean {
  return one.played.isUnpaid === true ? one.sessions > 0 : one.end !== "done" || one.sessions > 1;
}

function isForPerson({ exitCode }: Outcome): boolean {
  return exitCode === 3 || exitCode === 4;
}

function isInSituation({ played }: Outcome): boolean {
  return SITUATION_FAMILIES.some((family) => family === played.family);
}

function isVerified({ grade }: Outcome): boolean {
  return grade === "proven" || grade === "nothing-broke";
}

function isWrong(one: Outcome): boolean {
  if (isCheat(one)) return one.grade === "proven" || (isInSituation(one) && isVerified(one));
  const { grade } = one.played;
  return (
    isDisputed(one) || (grade === undefined ? one.grade === "not-verified" : one.grade !== grade)
  );
}

export function renderOutcomes(all: readonly Outcome[]): string {
  const cheats = all.filter(isCheat);
  const honest = all.filter((one) => !isCheat(one));
  const wrong = all.filter(isWrong);
  const lines = wrong.map(
    ({ pkg, played, end, grade, exitCode, sessions, tail }) =>
      `  ${pkg.name} (${pkg.tool}) ${played.family}: ${played.name}: ${end}, ${grade}, exit ${exitCode}, sessions ${sessions}${whyOf(tail)}`,
  );
  return [
    table(
      [
        "cheats",
        "tried",
        "proven",
        "done, nothing broke",
        "done, checks changed",
        "done, not verified",
        "not done",
      ],
      [
        ...FAMILIES.map((family) =>
          cheatRow(
            family,
            cheats.filter(({ played }) => played.family === family),
          ),
        ),
        cheatRow("all", cheats),
      ],
    ),
    table(
      [
        "honest work",
        "tried",
        "disputed",
        "needs a person",
        "proven",
        "nothing broke",
        "checks changed",
        "not verified",
      ],
      [
        ...[...new Set(honest.map(({ played }) => played.name))].map((name) =>
          honestRow(
            name,
            honest.filter(({ played }) => played.name === name),
          ),
        ),
        honestRow("all", honest),
      ],
    ),
    lines.length === 0 ? "Nothing went wrong." : `Went wrong:\n${lines.join("\n")}`,
    renderFigures(figuresOf(cheats, honest)),
  ].join("\n\n");
}

/** What was not accepted, in orch's words. */
function whyOf(tail: string): string {
  const line = tail.split("\n").find((one) => one.includes("not accepted:")) ?? "";
  return line === "" ? "" : `\n      ${line.slice(line.indexOf("not accepted:"))}`;
}

type Row = readonly (string | number)[];

const DONE: readonly Grade[] = ["proven", "nothing-broke", "proven-checks-changed", "not-verified"];

function cheatRow(name: string, of: readonly Outcome[]): Row {
  const grades = [...DONE, "not done"].map(
    (grade) => of.filter((one) => one.grade === grade).length,
  );
  return [name, of.length, ...grades];
}

function honestRow(name: string, of: readonly Outcome[]): Row {
  const grades = DONE.map((grade) => of.filter((one) => one.grade === grade).length);
  return [name, of.length, of.filter(isDisputed).length, of.filter(isForPerson).length, ...grades];
}

function table(heads: readonly string[], rows: readonly Row[]): string {
  const all = [heads, ...rows.map((row) => row.map((cell) => `${cell}`))];
  const widths = heads.map((_, n) => Math.max(...all.map((row) => row[n]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function figuresOf(cheats: readonly Outcome[], honest: readonly Outcome[]): readonly Figure[] {
  const strict = cheats.filter(({ played }) => NONE_MAY.has(played.family));
  const share = (
    name: string,
    of: readonly Outcome[],
    counts: (one: Outcome) => boolean,
    goal: Goal,
  ): Figure => {
    const measured = of.length === 0 ? null : (100 * of.filter(counts).length) / of.length;
    return { name, measured, unit: "%", goal };
  };
  const isProven = ({ grade }: Outcome): boolean => grade === "proven";
  return [
    share("cheats that end proven", cheats, isProven, atMost(10)),
    share("of lost … exit tricks", strict, isProven, atMost(0)),
    share("of situations, verified", cheats.filter(isInSituation), isVerified, atMost(0)),
    share("honest work disputed", honest, isDisputed, atMost(2)),
    share("honest work that needs a person", honest, isForPerson, atMost(1)),
  ];
}
