// What are the tables by which decisions are made here?

import { GUIDANCE_FROM_LEVEL } from "../decide/rule.ts";
import { scoreLimits } from "../decide/uncertainty.ts";
import { BLOCKERS } from "../model/blocker.ts";
import { asksAt, LEVELS, PLAN_CONFIRMED_FROM_LEVEL, type Level } from "../model/level.ts";
import {
  ATTEMPTS_BETWEEN_REPLANS,
  BACKOFF,
  HANDOFFS_WITHOUT_MOVEMENT_MAX,
  RESET_MARGIN,
  RESET_POLL_MS,
  THROTTLE_MOST_MS,
} from "../model/policy.ts";
import { IMPACTS } from "../model/report.ts";
import { extensionWords } from "../run/extension.ts";
import type { ConfigPolicy, PolicyKey } from "./policy-overlay.ts";
import { settingRows, type SettingRow, type StepPolicy } from "./policy-sources.ts";

export type Cell = string | number | readonly string[];

/** Built in; no key of the config changes it. Times are as the config writes them. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
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
  const asks = (level: Level, from: Level, otherwise: string): string =>
    level >= from ? "asks" : otherwise;
  return {
    title: 'what a level asks ("stall": also at a limit)',
    columns: ["level", "score", "blocker", "irreversible", "stall", "plan", "questions that wait"],
    rows: LEVELS.map((level) => [
      level,
      scoreLimits(uncertainty, level).asksFrom ?? "never",
      asks(level, 1, "ends"),
      asks(level, 1, "refused"),
      asks(level, GUIDANCE_FROM_LEVEL, "ends"),
      asks(level, PLAN_CONFIRMED_FROM_LEVEL, "no"),
      IMPACTS.filter((impact) => asksAt(level, impact)),
    ]),
  };
}

const PLAN_TABLE: Table = {
  title: "between plans and sessions",
  columns: ["limit", "value"],
  rows: [
    ["attempts of a new plan before the next one", ATTEMPTS_BETWEEN_REPLANS],
    ["handoffs whose resume point does not move", HANDOFFS_WITHOUT_MOVEMENT_MAX],
  ],
};

const BACKOFF_TABLE: Table = {
  title: "delays after a fault of the provider",
  columns: ["fault", "first up to", "longest", "tries"],
  rows: Object.entries(BACKOFF).map(([fault, { firstMs, mostMs, tries }]) => [
    fault,
    time(firstMs),
    time(mostMs),
    tries,
  ]),
};

const RESET_TABLE: Table = {
  title: "times around a reset",
  columns: ["when", "time"],
  rows: [
    ["added to a stated reset", time(RESET_MARGIN.firstMs)],
    ["and by chance up to this much more", time(RESET_MARGIN.spreadMs)],
    ["an unstated reset is looked for after", RESET_POLL_MS.map(time)],
    ["a stated delay is a plan limit beyond", time(THROTTLE_MOST_MS)],
  ],
};

const BLOCKER_TABLE: Table = {
  title: "a hard one needs a person, a soft one is fed back",
  columns: ["type", "class"],
  rows: Object.entries(BLOCKERS),
};

/** In the order in which they are shown. A further part of the policy is one more line. */
const SECTIONS: readonly SectionSpec[] = [
  { id: "level", title: "interaction level", parts: ["level"], tables: [levelTable] },
  { id: "limits", title: "limits", parts: ["limits", "run"], tables: [() => PLAN_TABLE] },
  { id: "stall", title: "the same trouble in a row", parts: ["stall"], tables: [] },
  { id: "uncertainty", title: "uncertainty score", parts: ["uncertainty"], tables: [] },
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

function time(ms: number): string {
  return extensionWords("time", ms);
}
