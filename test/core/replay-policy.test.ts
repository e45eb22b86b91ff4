import { assert, constantFrom, integer, option, property, record } from "fast-check";
import { describe, expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import { idOf, type StepId, type TaskId } from "../../src/core/model/ids.ts";
import type { Level } from "../../src/core/model/level.ts";
import {
  overlaid,
  policyOfSettings,
  put,
  valueAt,
  type ConfigPolicy,
} from "../../src/core/views/policy-overlay.ts";
import { levelTable, policySections } from "../../src/core/views/policy-sections.ts";
import {
  policyOfStep,
  settingRows,
  type Layer,
  type Source,
} from "../../src/core/views/policy-sources.ts";
import { resolveTask } from "../../src/core/run/resolve.ts";
import {
  NO_OVERRIDES,
  NO_TASK_SETTINGS,
  type StepSettings,
} from "../../src/core/model/settings.ts";
import { defaultSettings } from "../../src/schema/config.ts";
import { POLICY_KEYS } from "../../src/schema/policy-keys.ts";
import { evidence, stepSettings } from "../support/builders.ts";
import { anyPolicy } from "./arbitraries.ts";
import {
  asked,
  atLevel,
  blocker,
  declared,
  HOUR,
  history,
  noReport,
  policy,
  read,
} from "./builders.ts";
import { none, red, seenBefore } from "./decision-table.ts";

const DEFAULTS = policyOfSettings(defaultSettings());

function keys(...names: readonly string[]) {
  return { named: POLICY_KEYS.filter(({ key }) => names.includes(key)), all: POLICY_KEYS };
}

const EVERY = { named: POLICY_KEYS, all: POLICY_KEYS };

function leavesOf(value: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof value !== "object" || value === null) return [path.join(".")];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

describe("the keys", () => {
  test("name every value of the policy that a config can set", () => {
    const named = POLICY_KEYS.map(({ at }) => at.join("."));
    expect(leavesOf(DEFAULTS).filter((leaf) => !named.includes(leaf))).toEqual([]);
    expect(named.filter((path) => !leavesOf(DEFAULTS).includes(path))).toEqual([]);
  });

  test("each stand for one value, and name no value twice", () => {
    const names = POLICY_KEYS.map(({ key }) => key);
    expect(new Set(names).size).toBe(names.length);
  });

  test("are all shown in some section", () => {
    const sections = policySections([{ step: "do", policy: DEFAULTS, layers: [] }], POLICY_KEYS);
    const shown = sections.flatMap(({ settings }) => settings.map(({ key }) => key));
    expect(POLICY_KEYS.map(({ key }) => key).filter((key) => !shown.includes(key))).toEqual([
      // The same value as budget.replans.
      "replans",
    ]);
  });
});

describe("a policy laid over another", () => {
  test("replaces what is named and nothing else", () => {
    const base = policy({ level: 1 });
    const from = {
      ...DEFAULTS,
      level: 4,
      stall: { ...DEFAULTS.stall, noChange: { stall: 9 } },
    } as const;
    expect(overlaid(base, from, keys("stall.noChange.stall"))).toEqual({
      ...base,
      stall: { ...base.stall, noChange: { stall: 9 } },
    });
    expect(overlaid(base, from, keys())).toEqual(base);
  });

  test("is the other one in every value where every key is named, and may be laid over again", () => {
    assert(
      property(anyPolicy, anyPolicy, (base, from) => {
        const once = overlaid(base, from, EVERY);
        for (const { at } of POLICY_KEYS) expect(valueAt(once, at)).toEqual(valueAt(from, at));
        expect(overlaid(once, from, EVERY)).toEqual(once);
        expect(leavesOf(once)).toEqual(leavesOf(base));
      }),
    );
  });

  test("a number of attempts of one's own is not extended by what was recorded", () => {
    const from = policy({ limits: { ...DEFAULTS.limits, attempts: 2, attemptsWithProgress: 2 } });
    expect(overlaid(policy(), from, keys("budget.attempts")).limits).toMatchObject({
      attempts: 2,
      attemptsWithProgress: 2,
    });
  });

  test.each([
    ["raises the run's with it", ["budget.costUsd", "budget.time"], 100, 48 * HOUR],
    [
      "leaves the run's where that is named too",
      ["budget.costUsd", "budget.run.costUsd"],
      60,
      24 * HOUR,
    ],
  ])("a task's limit %s", (_name, named, costUsd, timeMs) => {
    const from = policy({
      limits: { ...DEFAULTS.limits, costUsd: 100, timeMs: 48 * HOUR },
      run: { ...DEFAULTS.run, costUsd: 60 },
    });
    expect(overlaid(policy(), from, keys(...named)).run).toMatchObject({ costUsd, timeMs });
  });

  test("a run without a limit keeps none", () => {
    const base = policy({ run: { ...DEFAULTS.run, costUsd: null } });
    expect(overlaid(base, policy(), keys("budget.costUsd")).run.costUsd).toBeNull();
  });
});

describe("the policy of a step", () => {
  const level = option(constantFrom<Level>(0, 1, 2, 3, 4, 5), { nil: null });
  const attempts = option(integer({ min: 1, max: 9 }), { nil: undefined });
  const limits = record({ attempts, attemptsWithProgress: attempts, replans: attempts }).map(
    (over) => Object.fromEntries(Object.entries(over).filter(([, value]) => value !== undefined)),
  );

  test("is that with which the task would run", () => {
    const layers = record({
      environmentLevel: level,
      config: record({ level, limits }),
      task: record({ level, limits }),
      step: record({ level, attempts: option(integer({ min: 1, max: 9 }), { nil: null }) }),
    });
    assert(
      property(layers, ({ environmentLevel, config, task, step }) => {
        const settings = { ...defaultSettings(), ...config, gates: "none" as const };
        const [pipeline] = settings.pipelines;
        const of: StepSettings = { ...(pipeline?.steps[0] ?? STEP), ...step };
        const all = { ...settings, pipelines: [{ name: "default", steps: [of] }] };
        const taskSettings = { ...NO_TASK_SETTINGS, ...task };
        const resolution = resolveTask(
          {
            id: idOf<TaskId>("t"),
            title: "T",
            body: "",
            source: { kind: "words" },
            context: [],
            settings: taskSettings,
            dependsOn: [],
          },
          { flags: NO_OVERRIDES, environmentLevel, settings: all },
        );
        const shown = policyOfStep({
          settings: all,
          environmentLevel,
          task: taskSettings,
          step: of,
        });
        expect(resolution.ok && resolution.task.steps[0]).toMatchObject({
          level: shown.level,
          limits: shown.limits,
        });
        expect(resolution.ok && resolution.task).toMatchObject({
          stall: shown.stall,
          reset: shown.reset,
          uncertainty: shown.uncertainty,
        });
      }),
    );
  });

  const STEP = stepSettings({ id: idOf<StepId>("do") });
});

describe("a value's source", () => {
  const config: Source = { kind: "config", file: "config.js" };
  const taskSource: Source = { kind: "task", file: "a.md" };
  const saying = (key: string, source: Source): Layer => {
    return { document: put({}, key.split("."), 1), source };
  };
  const SILENT: Layer = { document: {}, source: config };
  const rowsOf = (key: string, ...layers: readonly Layer[]) =>
    settingRows([{ step: "do", policy: DEFAULTS, layers }], ["limits", "run", "reset"], POLICY_KEYS)
      .filter((row) => row.key === key)
      .map(({ source }) => source);

  test("is built in where nobody names it", () => {
    expect(rowsOf("budget.attempts", SILENT, SILENT)).toEqual([{ kind: "default" }]);
  });

  test("is the strongest of those who name it", () => {
    const layers = [saying("budget.attempts", taskSource), saying("budget.attempts", config)];
    expect(rowsOf("budget.attempts", ...layers)).toEqual([taskSource]);
  });

  test.each([
    ["budget.attemptsWithProgress", "budget.attempts"],
    ["waitForRateLimitReset.maxWait", "waitForRateLimitReset"],
    ["waitForRateLimitReset", "waitForRateLimitReset.maxWait"],
    ["budget.replans", "replans"],
  ])("of %s is also who sets %s", (key, named) => {
    expect(rowsOf(key, saying(named, config))).toEqual([config]);
  });

  test("of a raised limit of the run is the config's limit of a task, and never a task's own", () => {
    const raised = { ...DEFAULTS, run: { ...DEFAULTS.run, costUsd: 100 } };
    const source = (layers: readonly Layer[], of: ConfigPolicy = raised) =>
      settingRows([{ step: "do", policy: of, layers }], ["run"], POLICY_KEYS)[0]?.source;
    const inConfig = saying("budget.costUsd", config);
    expect(source([saying("budget.costUsd", taskSource), inConfig])).toEqual(config);
    expect(source([saying("budget.costUsd", taskSource), SILENT])).toEqual({ kind: "default" });
    expect(source([inConfig], DEFAULTS)).toEqual({ kind: "default" });
  });

  test("is told for each step where the steps differ, and once where they agree", () => {
    const named = (step: string, level: Level) => ({
      step,
      policy: { ...DEFAULTS, level },
      layers: [],
    });
    const rows = (...steps: ReturnType<typeof named>[]) =>
      settingRows(steps, ["level"], POLICY_KEYS).map(({ step, value }) => [step, value]);
    expect(rows(named("plan", 2), named("do", 2))).toEqual([[null, 2]]);
    expect(rows(named("plan", 2), named("do", 3))).toEqual([
      ["plan", 2],
      ["do", 3],
    ]);
  });
});

describe("the table of levels says what is decided", () => {
  const LEVELS = [0, 1, 2, 3, 4, 5] as const;
  const { columns, rows } = levelTable(DEFAULTS);
  const cell = (level: Level, name: string) => rows[level]?.[columns.indexOf(name)];

  test.each(LEVELS)("of a hard blocker at level %i", (level) => {
    const seen = evidence({
      ...none,
      report: read({ status: "blocked", blockers: [blocker("missing_credential")] }),
    });
    const isAsked = decide(seen, history(), atLevel(level)).kind === "pause";
    expect(cell(level, "blocker")).toBe(isAsked ? "asks" : "ends");
  });

  test.each(LEVELS)("of stall at level %i", (level) => {
    const decision = decide(evidence({ gates: red }), seenBefore(3), atLevel(level));
    expect(decision.rule).toBe("same-failure-stall");
    expect(cell(level, "stall")).toBe(decision.kind === "pause" ? "asks" : "ends");
  });

  test("has the score of the config, where that sets one", () => {
    const scores = (uncertainty: Partial<ConfigPolicy["uncertainty"]>) =>
      levelTable({ uncertainty: { ...DEFAULTS.uncertainty, ...uncertainty } }).rows.map(
        ([, score]) => score,
      );
    expect(scores({})).toEqual(["never", 10, 8, 5, 4, 3]);
    expect(scores({ threshold: 7 })).toEqual(["never", 7, 7, 7, 7, 7]);
    expect(new Set(scores({ enabled: false }))).toEqual(new Set(["never"]));
  });

  test.each(LEVELS)("of questions at level %i", (level) => {
    const pausing = (["blocking", "contradiction", "major", "minor", "taste"] as const).filter(
      (impact) => {
        const ending = asked(impact, { question: declared(impact).question });
        const seen = evidence({ ending, report: noReport });
        return decide(seen, history(), atLevel(level)).kind === "pause";
      },
    );
    expect(cell(level, "questions that wait")).toEqual(pausing);
  });
});
