import { assert, integer, option, property, record } from "fast-check";
import { describe, expect, test } from "vitest";

import { idOf, type TaskId } from "../../src/core/model/ids.ts";
import { NO_OVERRIDES } from "../../src/core/model/settings.ts";
import { resolveTask } from "../../src/core/run/resolve.ts";
import { parseConfig } from "../../src/schema/config.ts";
import { POLICY_KEYS } from "../../src/schema/policy-keys.ts";
import { policyRows, type Layer } from "../../src/schema/policy-rows.ts";
import { DEFAULT_CONFIG_POLICY, put, valueAt } from "../../src/schema/policy-values.ts";
import { parseTaskFile } from "../../src/schema/task-file.ts";

function leavesOf(value: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof value !== "object" || value === null) return [path.join(".")];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}

describe("the keys", () => {
  test("name every value of the policy that a config can set", () => {
    const named = POLICY_KEYS.map(({ at }) => at.join("."));
    const leaves = leavesOf(DEFAULT_CONFIG_POLICY);
    expect(leaves.filter((leaf) => !named.includes(leaf))).toEqual([]);
    expect(named.filter((path) => !leaves.includes(path))).toEqual([]);
    expect(new Set(POLICY_KEYS.map(({ key }) => key)).size).toBe(named.length);
  });

  test("are all shown", () => {
    const shown = policyRows([{ step: "do", layers: [] }]).map(({ key }) => key);
    // The same value as budget.replans.
    expect(POLICY_KEYS.map(({ key }) => key).filter((key) => !shown.includes(key))).toEqual([
      "replans",
    ]);
  });
});

const saying = (name: string, ...keys: readonly string[]): Layer => {
  const document = keys.reduce((all, key) => put(all, key.split("."), 100), {});
  return { name, document };
};
const rowOf = (key: string, ...layers: readonly Layer[]) =>
  policyRows([{ step: "do", layers }]).find((row) => row.key === key);

describe("a value's source", () => {
  const silent = saying("config");

  test("is built in where nobody names it", () => {
    expect(rowOf("budget.attempts", silent, silent)?.source).toBe("built in");
  });

  test("is the strongest of those who name it", () => {
    const layers = [saying("task", "budget.attempts"), saying("config", "budget.attempts")];
    expect(rowOf("budget.attempts", ...layers)?.source).toBe("task");
  });

  test.each([
    ["budget.attemptsWithProgress", "budget.attempts"],
    ["waitForRateLimitReset.maxWait", "waitForRateLimitReset"],
    ["waitForRateLimitReset", "waitForRateLimitReset.maxWait"],
    ["budget.replans", "replans"],
  ])("of %s is also who sets %s", (key, named) => {
    expect(rowOf(key, saying("config", named))?.source).toBe("config");
  });

  test("of a raised limit of the run is the config's limit of a task", () => {
    const key = "budget.run.costUsd";
    expect(rowOf(key, saying("config", "budget.costUsd"))?.source).toBe("config");
    expect(rowOf(key, silent)).toMatchObject({ source: "built in", value: 50 });
  });

  test("is told for each step where the steps differ, and once where they agree", () => {
    const config = { name: "config", document: { interactionThreshold: 2 } };
    const stepLayer = { name: "step do", document: { interactionThreshold: 3 } };
    const rows = (...steps: readonly (readonly Layer[])[]) =>
      policyRows(steps.map((layers, at) => ({ step: `s${at}`, layers })))
        .filter(({ key }) => key === "interactionThreshold")
        .map(({ step, value, source }) => [step, value, source]);
    expect(rows([config], [config])).toEqual([[null, 2, "config"]]);
    expect(rows([config], [stepLayer, config])).toEqual([
      ["s0", 2, "config"],
      ["s1", 3, "step do"],
    ]);
  });
});

test("the values are those with which the task would run", () => {
  const some = (least: number, most: number) =>
    option(integer({ min: least, max: most }), { nil: undefined });
  const level = some(0, 5);
  const budget = record({ attempts: some(1, 4), attemptsWithProgress: some(4, 9) });
  const layers = record({
    config: record({ interactionThreshold: level, budget, replans: some(0, 9) }),
    task: record({ interactionThreshold: level, budget }),
    step: record({ interactionThreshold: level, attempts: some(1, 9) }),
  });
  assert(
    property(layers, ({ config, task, step }) => {
      const steps = [{ name: "do", prompt: "self", ...step }];
      const raw = written({ ...config, gates: "none", pipelines: { default: steps } });
      const settings = valueOf(parseConfig(raw, "config"));
      const front = written(task);
      const file = valueOf(parseTaskFile(`---\n${JSON.stringify(front)}\n---\n# T\n`, "t.md"));
      const draft = {
        id: idOf<TaskId>("t"),
        title: "T",
        body: "",
        source: { kind: "words" as const },
        context: [],
        settings: file.settings,
        dependsOn: [],
      };
      const resolved = resolveTask(draft, {
        flags: NO_OVERRIDES,
        environmentLevel: null,
        settings,
      });
      const threshold = written({ interactionThreshold: step.interactionThreshold });
      const budgetOfStep =
        step.attempts === undefined ? {} : { budget: { attempts: step.attempts } };
      const documents = [front, { ...threshold, ...budgetOfStep }, raw];
      const shown = policyRows([
        { step: "do", layers: documents.map((document, at) => ({ name: `${at}`, document })) },
      ]);
      const [first] = resolved.ok ? resolved.task.steps : [];
      for (const { key, at } of POLICY_KEYS.filter(({ at: [part] }) => part === "limits"))
        if (key !== "replans")
          expect([key, shown.find((row) => row.key === key)?.value]).toEqual([
            key,
            valueAt(first, at),
          ]);
      expect(shown.find(({ key }) => key === "interactionThreshold")?.value).toBe(first?.level);
    }),
  );
});

/** Without what was not written. */
function written(value: object): object {
  return JSON.parse(JSON.stringify(value));
}

function valueOf<T>(read: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (!read.ok) throw new Error("not read");
  return read.value;
}
