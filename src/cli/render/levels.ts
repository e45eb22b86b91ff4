// What does each interaction level ask, in words a person can choose by?

import { assertNever } from "../../core/model/assert.ts";
import { inert } from "../../core/model/excerpt.ts";
import type { Level } from "../../core/model/level.ts";
import type { LevelRules } from "../../core/views/level-table.ts";
import type { Source } from "../../core/views/policy-sources.ts";
import type { Impact } from "../../core/model/report.ts";
import type { Style } from "../io.ts";
import { cells, dotted, pad, paint, plural, wrap } from "./text.ts";

/** The level that would count in one step. */
export interface LevelHere {
  /** null: no task was named. */
  readonly task: string | null;
  readonly step: string;
  readonly level: Level;
  readonly source: Source;
  /** What the step itself says about confirming a plan; null: nothing. */
  readonly confirm: boolean | null;
}

const COLUMNS_FOR_ROWS = 76;
const STEPS_MAX = 20;
const GAP = "  ";

/** An agent's question, by what hangs on it. */
const QUESTIONS: Readonly<Record<Impact, string>> = {
  blocking: "where it cannot go on",
  contradiction: "contradictions in the task",
  major: "behaviour or data, costly to reverse",
  minor: "visible, easy to reverse",
  taste: "naming and taste: every one",
};

interface Part {
  readonly name: string;
  readonly meaning: string;
  readonly words: (rules: LevelRules) => string;
}

const asks = (is: boolean, otherwise: string): string => (is ? "asks" : otherwise);

const PARTS: readonly Part[] = [
  {
    name: "score",
    meaning: "the uncertainty score from which a task pauses",
    words: ({ pausesFrom }) => (pausesFrom === null ? "never" : String(pausesFrom)),
  },
  {
    name: "agent's questions",
    meaning: "which of them wait for you; the others are answered at once: take the careful way",
    words: questionWords,
  },
  {
    name: "blocker",
    meaning:
      'what only a person can solve, or what the agent flags for review; "ends": it is recorded, and other tasks go on',
    words: ({ hardBlocker }) => asks(hardBlocker, "ends"),
  },
  {
    name: "no undo",
    meaning: "a command that cannot be undone, or that others see",
    words: ({ irreversible }) => asks(irreversible, "refused"),
  },
  {
    name: "giving up",
    meaning: "guidance, before a task is given up",
    words: ({ givingUp }) => asks(givingUp, "ends"),
  },
  {
    name: "limit",
    meaning: "more room, before a limit ends a task",
    words: ({ limit }) => asks(limit, "ends"),
  },
  {
    name: "plan",
    meaning: "your yes, before the plan is carried out",
    words: ({ plan }) => asks(plan, "no"),
  },
];

export function renderLevels(
  levels: readonly LevelRules[],
  here: readonly LevelHere[],
  style: Style,
): string {
  const counts = new Set(here.map(({ level }) => level));
  const isWide = style.columns >= COLUMNS_FOR_ROWS;
  return [
    ...hereLines(here, style),
    "",
    ...(isWide ? tableLines(levels, counts, style) : stackedLines(levels, counts, style)),
    "",
    ...PARTS.map(({ name, meaning }) => legendLine(name, meaning, style)),
  ].join("\n");
}

function hereLines(here: readonly LevelHere[], style: Style): readonly string[] {
  const [first] = here;
  if (first === undefined) return [];
  const isOne = here.every((one) => saysSame(one, first));
  const whose = first.task === null || here.some(({ task }) => task !== first.task);
  const subject = whose ? "here" : `in task ${first.task ?? ""}`;
  const shown = here.slice(0, STEPS_MAX);
  const more = here.length - shown.length;
  const lines = isOne
    ? [`level ${first.level} counts ${subject}: ${sourceWords(first.source)}`]
    : shown.map(
        (one) => `level ${one.level} counts in ${placeOf(one)}: ${sourceWords(one.source)}`,
      );
  return [
    ...lines.map((line) => paint(style, "strong", wrap(inert(line), style.columns, "", GAP))),
    ...(isOne || more === 0 ? [] : [`… and ${plural(more, "more step")}`]),
    ...confirmLines(here, style),
  ];
}

/** A step's own word about its plan stands over the level's. */
function confirmLines(here: readonly LevelHere[], style: Style): readonly string[] {
  const words = here.flatMap(({ step, confirm }) => {
    if (confirm === null) return [];
    return confirm
      ? [`step ${step} has its plan confirmed from level 1 on: "confirm" in the config`]
      : [`step ${step} has no plan confirmed: "confirm" in the config`];
  });
  return [...new Set(words)]
    .slice(0, STEPS_MAX)
    .map((line) => paint(style, "quiet", wrap(inert(line), style.columns, "", GAP)));
}

function saysSame(one: LevelHere, other: LevelHere): boolean {
  return one.level === other.level && JSON.stringify(one.source) === JSON.stringify(other.source);
}

function placeOf({ task, step }: LevelHere): string {
  return task === null ? `step ${step}` : `step ${step} of ${task}`;
}

function sourceWords(source: Source): string {
  switch (source.kind) {
    case "default":
      return "the default, because nobody says anything else";
    case "config":
      return `the config says so, ${lineWords(source)}`;
    case "task":
      return `the task says so, ${lineWords(source)}`;
    case "step":
      return `the step ${source.step} says so, ${lineWords(source)}`;
    case "environment":
      return `the environment says so, ${source.variable}`;
    case "flag":
      return `the command line says so, ${source.flag}`;
    default:
      return assertNever(source, "source");
  }
}

function lineWords({
  file,
  line,
}: {
  readonly file: string;
  readonly line: number | null;
}): string {
  return line === null ? file : `${file}:${line}`;
}

function questionWords({ questions }: LevelRules): string {
  const last = questions.at(-1);
  if (last === undefined) return "none";
  return questions.length === 1 ? QUESTIONS[last] : `+ ${QUESTIONS[last]}`;
}

function tableLines(
  levels: readonly LevelRules[],
  counts: ReadonlySet<Level>,
  style: Style,
): readonly string[] {
  const rows = levels.map((rules) => [
    `${counts.has(rules.level) ? "▸" : " "} ${rules.level}`,
    ...PARTS.map(({ words }) => words(rules)),
  ]);
  const names = ["level", ...PARTS.map(({ name }) => name)];
  const fixed = names.map((name, at) => (at === WIDE_AT ? 0 : cells(name) + GAP.length));
  const room = style.columns - fixed.reduce((sum, width) => sum + width, 0);
  const line = (row: readonly string[]): string => {
    const [first = "", ...more] = wrap(row[WIDE_AT] ?? "", room - GAP.length).split("\n");
    const beside = row.map((cell, at) =>
      pad(at === WIDE_AT ? first : cell, at === WIDE_AT ? room : (fixed[at] ?? 0)),
    );
    const before = " ".repeat(fixed.slice(0, WIDE_AT).reduce((sum, width) => sum + width, 0));
    return [beside.join("").trimEnd(), ...more.map((rest) => `${before}${GAP}${rest}`)].join("\n");
  };
  return [
    paint(style, "quiet", line(names)),
    ...rows.map((row, at) =>
      counts.has(levels[at]?.level ?? 0) ? paint(style, "accent", line(row)) : line(row),
    ),
  ];
}

/** The column that takes what room there is: after the level and the score. */
const WIDE_AT = 2;

function stackedLines(
  levels: readonly LevelRules[],
  counts: ReadonlySet<Level>,
  style: Style,
): readonly string[] {
  return levels.flatMap((rules) => {
    const isHere = counts.has(rules.level);
    const head = `${isHere ? "▸" : " "} level ${rules.level}`;
    const facts = PARTS.map(({ name, words }) => `${name}: ${words(rules)}`);
    return [
      isHere ? paint(style, "accent", head) : head,
      wrap(dotted(facts), style.columns, GAP.repeat(2)),
    ];
  });
}

function legendLine(name: string, meaning: string, style: Style): string {
  const columns = Math.max(...PARTS.map((part) => cells(part.name))) + GAP.length;
  const isWide = style.columns >= COLUMNS_FOR_ROWS;
  const words = isWide
    ? wrap(meaning, style.columns, pad(name, columns), " ".repeat(columns))
    : wrap(`${name}: ${meaning}`, style.columns, "", GAP);
  return paint(style, "quiet", words);
}
