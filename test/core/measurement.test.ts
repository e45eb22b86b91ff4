import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { checksOf, comparisonOf, namedChecks, specOf } from "../../src/core/model/measurement.ts";
import type { Measurement, NamedBy } from "../../src/core/model/measurement.ts";
import { knownOn } from "../../src/core/run/known-on.ts";
import { comparisonsOf } from "../../src/core/run/wanted.ts";
import { idOf, type StepId } from "../../src/core/model/ids.ts";
import { statesOf, type Check, type GateResult } from "../../src/core/model/verdict.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import {
  at,
  attemptBegun,
  commandGate,
  FAILED,
  firstTask,
  PASSED,
  runStarted,
  sessionEnded,
  stateOf,
  step,
  task,
  unnamed,
} from "../support/builders.ts";
import { NO_WORDS } from "../../src/core/model/measurement.ts";

const checks = fc.array(
  fc.record({
    name: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
    state: fc.constantFrom<Check["state"]>("passed", "failed", "skipped"),
  }),
);
const by = fc.constantFrom("report", "text of tap");
const named = fc.record({ by, checks });

const sorted = (all: readonly Check[]) => [...statesOf(all)].sort(([a], [b]) => (a < b ? -1 : 1));

describe("names of checks", () => {
  test("come out of the log as they went in, each once and as the worst of its states", () => {
    fc.assert(
      fc.property(named, fc.option(named), (now, before) => {
        const base = before && namedChecks(before, null);
        const kept = namedChecks(now, base);
        expect(sorted(checksOf(kept, base))).toEqual(sorted(now.checks));
      }),
    );
  });

  test("stand once for the base, and then only where they differ", () => {
    const base = namedChecks(all("a b c"), null);
    const now = namedChecks(all("a b d"), base);
    expect(now).toEqual({
      kind: "since-base",
      by: "report",
      passed: ["d"],
      failed: [],
      skipped: [],
      gone: ["c"],
    });
  });

  test("are kept whole where another reader named those of the base", () => {
    const base = namedChecks({ ...all("a"), by: "text of tap" }, null);
    expect(namedChecks(all("a"), base)).toMatchObject({ kind: "all", passed: ["a"] });
  });

  test("are only those that failed where there are too many", () => {
    const many = Array.from({ length: 50_001 }, (_, n): Check => ({
      name: `${n}`,
      state: "passed",
    }));
    const kept = namedChecks({ by: "report", checks: [...many, red("x")] }, null);
    expect(kept).toEqual({ kind: "failing", by: "report", failed: ["x"] });
  });
});

describe("two measurements of a gate", () => {
  const measurement = (now: NamedBy, base: Measurement | null = null): Measurement => ({
    ...unnamed(PASSED),
    counts: { runner: "go test", passed: now.checks.length, failed: 0, skipped: 0 },
    checks: namedChecks(now, base?.checks ?? null),
  });
  const before = measurement(all("a b"));

  test("are compared by the names of their checks", () => {
    expect(comparisonOf(before, measurement(all("b c"), before))).toMatchObject({
      gone: { names: ["a"] },
      added: { names: ["c"] },
    });
  });

  test("are compared by number where names are of two kinds", () => {
    const now = measurement({ ...all("c"), by: "text of tap" }, before);
    expect(comparisonOf(before, now)).toMatchObject({ gone: { count: 1, names: [] } });
  });

  test("cannot be compared where the numbers are of half an output", () => {
    const now = measurement({ ...all("c"), by: "cut" }, before);
    expect(comparisonOf(before, now).kind).toBe("not-comparable");
  });
});

describe("checks that an earlier step was to leave red", () => {
  const toFail = commandGate("red", { run: "npm test", expect: "fail" });
  const toPass = commandGate("test");
  const [first, second] = [
    step({ gates: { kind: "gates", gates: [toFail] } }),
    step({ id: idOf<StepId>("second"), gates: { kind: "gates", gates: [toPass] } }),
  ];
  const named = (result: GateResult, checks: readonly Check[]): Measurement => ({
    ...unnamed(result),
    checks: namedChecks({ by: "report", checks }, null),
  });
  const written = [...all("a").checks, red("new")];
  const firstTaskAfter = firstTask(
    stateOf([
      ...runStarted([task("add-login", { steps: [first, second] })]),
      ...attemptBegun(),
      sessionEnded(),
      {
        type: "measured",
        ...at(1),
        of: "work",
        from: null,
        ...loggedAs(named({ ...PASSED, name: "red" }, written)),
      },
    ]),
  );
  const inSecond = {
    ...firstTaskAfter,
    stepIndex: 1,
    baseline: [named(PASSED, all("a").checks)],
  };
  const open = (checks: readonly Check[]) =>
    comparisonsOf(inSecond, [named(PASSED, checks)]).map((one) =>
      one.kind === "compared" ? one.stillFailing.names : one.kind,
    );

  test.each<[string, readonly Check[], readonly string[]]>([
    ["are open where they are gone", all("a").checks, ["new"]],
    [
      "are open where they are skipped",
      [...all("a").checks, { name: "new", state: "skipped" }],
      ["new"],
    ],
    ["are not where they pass", all("a new").checks, []],
  ])("%s", (_sentence, checks, names) => {
    expect(open(checks)).toEqual([names]);
  });
});

function loggedAs({ spec, taken, checks, stale, ...result }: Measurement) {
  return { result, spec, taken, checks, stale, notes: [] };
}

describe("what a run knows of a tree", () => {
  const gate = commandGate("test");
  const taken = { commit: "c", tree: "t" };
  const measuredAs = (
    of: "base" | "work" | "landed",
    result = PASSED,
    names = all("a"),
  ): RunEvent => ({
    type: "measured",
    ...NO_WORDS,
    ...at(of === "base" ? 0 : 1),
    of,
    result,
    spec: specOf(gate),
    taken,
    checks: namedChecks(names, null),
    from: null,
  });
  const after = (...events: readonly RunEvent[]) =>
    stateOf([...runStarted(), ...attemptBegun(), sessionEnded(), ...events]);
  const redNames = { by: "report", checks: [red("a")] };

  test.each([
    ["what was green as the base is green as the work", measuredAs("base"), "work", true],
    ["and the other way round", measuredAs("work"), "base", true],
    ["a landing that a crash cut short goes on from there", measuredAs("landed"), "landed", true],
    ["a flaky gate says nothing", measuredAs("base", { ...PASSED, flaky: true }), "work", false],
    ["red work may be flaky", measuredAs("work", FAILED, redNames), "work", false],
    ["a base that is red by name stays so", measuredAs("base", FAILED, redNames), "base", true],
    ["but not as work", measuredAs("base", FAILED, redNames), "work", false],
    [
      "a base that is red without names may be otherwise",
      measuredAs("base", FAILED),
      "base",
      false,
    ],
  ] as const)("%s", (_sentence, event, of, isKnown) => {
    expect(knownOn(after(event), of, gate, taken) !== null).toBe(isKnown);
  });

  test.each([
    ["another gate", commandGate("test", { run: "make test" }), taken],
    ["another tree", gate, { commit: "c", tree: "other" }],
  ])("but nothing of %s", (_what, asked, where) => {
    expect(knownOn(after(measuredAs("base")), "work", asked, where)).toBeNull();
  });
});

function all(names: string): NamedBy {
  return { by: "report", checks: names.split(" ").map((name) => ({ name, state: "passed" })) };
}

function red(name: string): Check {
  return { name, state: "failed" };
}
