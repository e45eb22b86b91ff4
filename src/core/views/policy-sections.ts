// What are the tables by which decisions are made here?

import { BLOCKERS } from "../model/blocker.ts";
import { levelRules } from "./level-table.ts";
import {
  ATTEMPTS_BETWEEN_REPLANS,
  BACKOFF,
  HANDOFFS_WITHOUT_MOVEMENT_MAX,
  RESET_MARGIN,
  RESET_POLL_MS,
  THROTTLE_MOST_MS,
} from "../model/policy.ts";
import type { ConfigPolicy, PolicyKey } from "./policy-overlay.ts";
import { settingRows, type SettingRow, type StepPolicy } from "./policy-sources.ts";

export type Cell = string | number | readonly string[] | readonly number[];

export interface Column {
  readonly name: string;
  readonly unit: "words" | "count" | "time";
}

/** Built in; no key of the config changes it. */
export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Section {
  readonly id: string;
  readonly title: string;
  /** Values that a config can set. */
  readonly settings: readonly SettingRow[];
  readonly tables: readonly Table[];
}

interface SectionSpec {
  readonly id: string;
  readonly title: string;
  /** Parts of the policy whose values stand in it. */
  readonly parts: readonly (keyof ConfigPolicy)[];
  readonly tables: readonly ((policy: ConfigPolicy) => Table)[];
}

/** What each level asks, under the limits of the score that count here. */
export function levelTable({ uncertainty }: Pick<ConfigPolicy, "uncertainty">): Table {
  return {
    title: "what a level asks",
    columns: [
      { name: "level", unit: "count" },
      { name: "score", unit: "count" },
      { name: "hard blocker", unit: "words" },
      { name: "no undo", unit: "words" },
      { name: "giving up", unit: "words" },
      { name: "questions that pause", unit: "words" },
    ],
    rows: levelRules(uncertainty).map((rules) => [
      rules.level,
      rules.pausesFrom ?? "never",
      rules.hardBlocker ? "asks" : "ends the task",
      rules.irreversible ? "asks" : "refused",
      rules.givingUp ? "asks" : "ends the task",
      rules.questions,
    ]),
  };
}

const PLAN_TABLE: Table = {
  title: "between plans and sessions",
  columns: [
    { name: "limit", unit: "words" },
    { name: "value", unit: "count" },
  ],
  rows: [
    ["attempts of a new plan before the next one", ATTEMPTS_BETWEEN_REPLANS],
    ["hand-overs whose resume point does not move", HANDOFFS_WITHOUT_MOVEMENT_MAX],
  ],
};

const BACKOFF_TABLE: Table = {
  title: "delays after a fault of the provider",
  columns: [
    { name: "fault", unit: "words" },
    { name: "first up to", unit: "time" },
    { name: "longest", unit: "time" },
    { name: "tries", unit: "count" },
  ],
  rows: Object.entries(BACKOFF).map(([fault, { firstMs, mostMs, tries }]) => [
    fault,
    firstMs,
    mostMs,
    tries,
  ]),
};

const RESET_TABLE: Table = {
  title: "times around a reset",
  columns: [
    { name: "when", unit: "words" },
    { name: "time", unit: "time" },
  ],
  rows: [
    ["added to a stated reset", RESET_MARGIN.firstMs],
    ["and by chance up to this much more", RESET_MARGIN.spreadMs],
    ["an unstated reset is looked for after", RESET_POLL_MS],
    ["a stated delay is a plan limit beyond", THROTTLE_MOST_MS],
  ],
};

const BLOCKER_TABLE: Table = {
  title: "a hard one needs a person, a soft one is fed back",
  columns: [
    { name: "type", unit: "words" },
    { name: "class", unit: "words" },
  ],
  rows: Object.entries(BLOCKERS),
};

/** In the order in which they are shown. A further part of the policy is one more line. */
const SECTIONS: readonly SectionSpec[] = [
  { id: "level", title: "interaction level", parts: ["level"], tables: [levelTable] },
  { id: "limits", title: "limits", parts: ["limits", "run"], tables: [() => PLAN_TABLE] },
  { id: "stall", title: "the same trouble in a row", parts: ["stall"], tables: [] },
  { id: "uncertainty", title: "uncertainty score", parts: ["uncertainty"], tables: [] },
  { id: "judge", title: "second opinion", parts: ["judge"], tables: [] },
  { id: "backoff", title: "back-off", parts: [], tables: [() => BACKOFF_TABLE] },
  { id: "proof", title: "proof", parts: ["proof"], tables: [] },
  { id: "reset", title: "plan limits", parts: ["reset"], tables: [() => RESET_TABLE] },
  { id: "blockers", title: "blockers", parts: [], tables: [() => BLOCKER_TABLE] },
];

export function policySections(
  steps: readonly StepPolicy[],
  keys: readonly PolicyKey[],
): readonly Section[] {
  const [first] = steps;
  return SECTIONS.map(({ id, title, parts, tables }) => ({
    id,
    title,
    settings: settingRows(steps, parts, keys),
    tables: first === undefined ? [] : tables.map((table) => table(first.policy)),
  }));
}
