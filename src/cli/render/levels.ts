// What does each interaction level ask, in words a person can choose by?

import { assertNever } from "../../core/model/assert.ts";
import { inert } from "../../core/model/excerpt.ts";
import type { Level } from "../../core/model/level.ts";
import type { LevelRules } from "../../core/views/level-table.ts";
import type { Source } from "../../core/views/policy-sources.ts";
import type { Impact } from "../../core/model/report.ts";
import type { Style } from "../io.ts";
import { paint, paragraph, table } from "../layout.ts";
import { plural } from "./text.ts";

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

const STEPS_MAX = 20;

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
/** The agent's questions, after the level and the score. */
const WIDE = 2;

export function renderLevels(
  levels: readonly LevelRules[],
  here: readonly LevelHere[],
  style: Style,
): string {
  const counts = new Set(here.map(({ level }) => level));
  const rows = levels.map((rules) => {
    const counted = counts.has(rules.level);
    const row = [
      `${counted ? "▸" : " "} level ${rules.level}`,
      ...PARTS.map(({ words }) => words(rules)),
    ];
    return counted ? row.map((cell) => paint(style, "accent", cell)) : row;
  });
  return [
    ...hereLines(here, style),
    "",
    ...table(style, rows, { names: ["", ...PARTS.map(({ name }) => name)], wide: WIDE }),
    "",
    ...table(
      style,
      PARTS.map(({ name, meaning }) => [name, meaning]),
    ).map((line) => paint(style, "quiet", line)),
  ].join("\n");
}

function hereLines(here: readonly LevelHere[], style: Style): readonly string[] {
  const [first] = here;
  if (first === undefined) return [];
  const isOne = here.every((one) => saysSame(one, first));
  const whose = first.task === null || here.some(({ task }) => task !== first.task);
  const subject = whose ? "here" : `in task ${first.task ?? ""}`;
  const shown = isOne ? [first] : here.slice(0, STEPS_MAX);
  const more = here.length - shown.length;
  const lines = shown.map((one) => {
    const place = isOne ? subject : `in ${placeOf(one)}`;
    return `level ${one.level} counts ${place}: ${sourceWords(one.source)}`;
  });
  return [
    ...lines.map((line) => paragraph(style, inert(line), { tone: "strong", hanging: "  " })),
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
    .map((line) => paragraph(style, inert(line), { tone: "quiet", hanging: "  " }));
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
    case "task":
      return `the ${source.kind} says so, ${lineWords(source)}`;
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

function lineWords({ file, line }: { readonly file: string; readonly line: number | null }) {
  return line === null ? file : `${file}:${line}`;
}

function questionWords({ questions }: LevelRules): string {
  const last = questions.at(-1);
  if (last === undefined) return "none";
  return questions.length === 1 ? QUESTIONS[last] : `+ ${QUESTIONS[last]}`;
}
