import { assert, integer, option, property, record } from "fast-check";
import { describe, expect, test } from "vitest";

import { idOf, type TaskId } from "../../src/core/model/ids.ts";
import { NO_OVERRIDES, NO_TASK_SETTINGS } from "../../src/core/model/settings.ts";
import { resolveTask } from "../../src/core/run/resolve.ts";
import { parseConfig } from "../../src/schema/config.ts";
import { POLICY_KEYS } from "../../src/schema/policy-keys.ts";
import { policyRows, type Layer } from "../../src/schema/policy-keys.ts";
import { DEFAULT_CONFIG_POLICY, put, valueAt } from "../../src/schema/policy-values.ts";

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
    const shown = policyRows(saying("config"), saying("variable")).map(({ key }) => key);
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
const rowOf = (key: string, config: Layer, above = saying("variable")) =>
  policyRows(config, above).find((row) => row.key === key);

describe("a value's source", () => {
  const silent = saying("config");

  test("is built in where nobody names it", () => {
    expect(rowOf("budget.attempts", silent)?.source).toBe("built in");
  });

  test("is the stronger of two that name it", () => {
    const layers = [
      saying("config", "parallel"),
      saying("variable", "interactionThreshold"),
    ] as const;
    expect(rowOf("interactionThreshold", ...layers)).toMatchObject({ source: "variable" });
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
});

test("the values are those with which a task would run", () => {
  const some = (least: number, most: number) =>
    option(integer({ min: least, max: most }), { nil: undefined });
  const budget = record({ attempts: some(1, 4), attemptsWithProgress: some(4, 9) });
  const config = record({ interactionThreshold: some(0, 5), budget, replans: some(0, 9) });
  assert(
    property(config, (one) => {
      const raw = written({ ...one, gates: "none" });
      const settings = valueOf(parseConfig(raw, "config"));
      const draft = {
        id: idOf<TaskId>("t"),
        title: "T",
        body: "",
        source: { kind: "words" as const },
        contest: null,
        context: [],
        settings: NO_TASK_SETTINGS,
        dependsOn: [],
      };
      const layers = { flags: NO_OVERRIDES, environmentLevel: null, settings };
      const resolved = resolveTask(draft, layers);
      const shown = policyRows({ name: "config", document: raw }, saying("variable"));
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
