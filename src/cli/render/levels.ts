// What does each interaction level ask, in words a person can choose by?

import { inert } from "../../core/model/excerpt.ts";
import type { Level } from "../../core/model/level.ts";
import type { LevelRules } from "../../core/views/level-table.ts";
import type { Source } from "../../core/views/policy-sources.ts";
import type { Impact } from "../../core/model/report.ts";
import type { Style } from "../io.ts";
import { dotted, paint, paragraph, table } from "../layout.ts";
import { sourceWords } from "./policy.ts";
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

type Part = readonly [name: string, words: (rules: LevelRules) => string, meaning: string];

const asks = (is: boolean, otherwise: string): string => (is ? "asks" : otherwise);

const PARTS: readonly Part[] = [
  [
    "score",
    ({ pausesFrom }) => (pausesFrom === null ? "never" : String(pausesFrom)),
    "the uncertainty score from which a task pauses",
  ],
  [
    "agent's questions",
    questionWords,
    "which of them wait for you; the others are answered at once: take the careful way",
  ],
  [
    "blocker",
    ({ hardBlocker }) => asks(hardBlocker, "ends"),
    'what only a person can solve, or what the agent flags for review; "ends": it is recorded, and other tasks go on',
  ],
  [
    "no undo",
    ({ irreversible }) => asks(irreversible, "refused"),
    "a command that cannot be undone, or that others see",
  ],
  ["giving up", ({ givingUp }) => asks(givingUp, "ends"), "guidance, before a task is given up"],
  ["limit", ({ limit }) => asks(limit, "ends"), "more room, before a limit ends a task"],
  ["plan", ({ plan }) => asks(plan, "no"), "your yes, before the plan is carried out"],
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
      ...PARTS.map(([, words]) => words(rules)),
    ];
    return counted ? row.map((cell) => paint(style, "accent", cell)) : row;
  });
  const meanings = PARTS.map(([name, , meaning]) => [name, meaning]);
  return [
    ...hereLines(here, style),
    "",
    ...table(style, rows, { names: ["", ...PARTS.map(([name]) => name)], wide: WIDE }),
    "",
    ...table(style, meanings).map((line) => paint(style, "quiet", line)),
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
    const place = isOne
      ? subject
      : `in step ${one.step}${one.task === null ? "" : ` of ${one.task}`}`;
    const words = `level ${one.level} counts ${place} (${sourceWords(one.source)})`;
    return dotted([words, one.confirm === null ? null : `"confirm" is ${one.confirm} there`]);
  });
  return [
    ...lines.map((line) => paragraph(style, inert(line), { tone: "strong", hanging: "  " })),
    ...(isOne || more === 0 ? [] : [`… and ${plural(more, "more step")}`]),
  ];
}

function saysSame(one: LevelHere, other: LevelHere): boolean {
  const said = ({ level, source, confirm }: LevelHere) => JSON.stringify([level, source, confirm]);
  return said(one) === said(other);
}

function questionWords({ questions }: LevelRules): string {
  const last = questions.at(-1);
  if (last === undefined) return "none";
  return questions.length === 1 ? QUESTIONS[last] : `+ ${QUESTIONS[last]}`;
}
