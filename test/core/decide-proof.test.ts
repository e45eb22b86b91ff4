import { describe, expect, test } from "vitest";

import { compareInventories, unknownIfUncounted } from "../../src/core/model/verdict.ts";
import type { Check, Comparison, GateResult } from "../../src/core/model/verdict.ts";
import { byFile, changedWords } from "../../src/core/decide/lost-checks.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { decide } from "../../src/core/decide/decide.ts";
import { evidence, FAILED, PASSED, report } from "../support/builders.ts";
import { history, policy } from "./builders.ts";

const STATES = { "+": "passed", "-": "failed", "~": "skipped" } as const;

/** "+a -b ~c": a passed, b failed, c was skipped. A "!" beside them: the gate is red all the same; "!z": for "z". */
function inventory(text: string) {
  const checks = text.split(" ").flatMap((word): readonly Check[] => {
    const mark = word.charAt(0);
    if (mark !== "+" && mark !== "-" && mark !== "~") return [];
    return [{ name: word.slice(1), state: STATES[mark] }];
  });
  const count = (state: Check["state"]) => checks.filter((one) => one.state === state).length;
  const counts = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
  return { counts: { runner: "tap", ...counts }, checks };
}

function compared(base: string, now: string): Comparison {
  return compareInventories("test", inventory(base), inventory(now));
}

function gate(text: string): GateResult {
  const { counts, checks } = inventory(text);
  const failed = checks.filter(({ state }) => state === "failed");
  const findings = failed.map(({ name }) => ({ check: name, message: "" }));
  const limit = { check: text.includes("!z") ? "z" : "test", message: "" };
  const excerpt = text.includes("!limit") ? "ERROR: Coverage does not meet the threshold" : "";
  const verdict = { kind: "failed" as const, findings: failed.length === 0 ? [limit] : findings };
  const like = failed.length > 0 || text.includes("!") ? { ...FAILED, verdict } : PASSED;
  return { ...like, name: "test", counts, excerpt };
}

describe("what became of the checks since the base", () => {
  const NONE = { count: 0, names: [] };
  const CALM = {
    kind: "compared",
    gate: "test",
    gone: NONE,
    skipped: NONE,
    broken: NONE,
    stillFailing: NONE,
    mended: NONE,
    added: NONE,
  };
  const one = (name: string) => ({ count: 1, names: [name] });

  test.each<[string, string, string, object]>([
    ["nothing", "+a +b", "+a +b", {}],
    ["one is gone", "+a +b", "+a", { gone: one("b") }],
    ["one is skipped", "+a +b", "+a ~b", { skipped: one("b") }],
    ["one is broken", "+a +b", "+a -b", { broken: one("b") }],
    ["one is mended", "+a -b", "+a +b", { mended: one("b") }],
    ["one still fails", "+a -b", "+a -b", { stillFailing: one("b") }],
    ["one is added", "+a", "+a +b", { added: one("b") }],
    [
      "one that failed is skipped, so it is not mended",
      "+a -b",
      "+a ~b",
      { stillFailing: one("b") },
    ],
    ["one that failed is gone, so it is not mended", "+a -b", "+a", { stillFailing: one("b") }],
    ["one that failed has another in its place", "+a -b", "+a +c", { added: one("c") }],
    ["of two of one name the worse counts", "+a +a", "+a -a", { broken: one("a") }],
  ])("%s", (_name, base, now, changes) => {
    expect(compared(base, now)).toEqual({ ...CALM, ...changes });
  });

  test("where no check is named, their number says how many are gone", () => {
    const silent = (text: string) => ({ ...inventory(text), checks: [] });
    const comparison = compareInventories("test", silent("+a +b +c"), silent("+a +b"));
    expect(comparison).toMatchObject({ gone: { count: 1, names: [] }, broken: { count: 0 } });
  });

  test("a runner that counted before and is silent now cannot be compared", () => {
    const now = { counts: null, checks: [] };
    expect(compareInventories("test", inventory("+a"), now)).toMatchObject({
      kind: "not-comparable",
    });
  });
});

interface Case {
  readonly base: string;
  readonly now: string;
  /** What the gate says of the original checks; null: nothing that proves was changed. */
  readonly original: string | null;
  /** What it says of its checks on the product as it was; null: nothing had turned. */
  readonly control?: string | null;
  readonly reasons?: readonly string[];
  readonly allow?: readonly string[];
  /** The source of Rust that it became. */
  readonly moved?: readonly [from: string, to: string];
}

function controlOf(now: string, control: string | null | undefined): Evidence["control"] {
  if (control === undefined) return { kind: "not-known" };
  if (control === null) return { kind: "not-needed" };
  const comparisons = [compared(now, control)];
  const made = { kind: "made", putBack: ["src/a.js"], left: ["kit/a.js"], comparisons } as const;
  return { ...made, gates: [gate(control)], isBase: control.endsWith(" =base") };
}

function seenOf({ base, now, original, control, reasons = [], moved }: Case): Evidence {
  const [path = "", to = null] = moved ?? [];
  const tests = moved === undefined ? [] : [{ path, how: "renamed" as const, to, checks: [] }];
  const changedChecks = reasons.map((check) => ({ check, reason: "the task says so" }));
  return evidence({
    report: { kind: "read", report: report({ changedChecks }), notes: [] },
    gates: [gate(now)],
    baseline: [gate(base)],
    comparisons: [compared(base, now)],
    control: controlOf(now, control),
    integrity: { kind: "checked", alarms: [], notes: [], tests },
    originals:
      original === null
        ? { kind: "not-needed" }
        : {
            kind: "made",
            putBack: ["test/a.test.js"],
            left: [],
            gates: [gate(original)],
            comparisons: [compared(base, original)],
          },
  });
}

/** Lost checks, files of tests with the checks that stood in them, and the words. */
const DEEDS = `
gone b, c · a deleted b, c; z edited · deleted a (2 tests), which passed before the work
gone b · a deleted b · deleted a (1 test), which passed before the work
gone b · a emptied b · emptied a (1 test), which passed before the work
gone b · a renamed b · renamed a to a.bak (1 test), which passed before the work
gone a.js > s > b · a.js edited a.js > s > b · removed "s > b" from a.js, which passed before the work
gone s > b · a edited s > b · removed "s > b" from a, which passed before the work
gone b · a edited b; z edited b · lost "b", which passed before the work
gone b · z edited · lost "b", which passed before the work
gone 3 checks of test · a deleted · deleted a (3 tests), which passed before the work
gone 3 checks of test · a deleted; z edited · lost 3 checks of test, which passed before the work
skipped b · a edited b; z edited · skipped "b" in a, which passed before the work
fails-as-it-was b · a edited b · changed "b" in a; as it was before the work, it fails
fails-as-it-was test · none · changed what test checks; as it was before the work, it fails
replaced b · a edited b · replaced "b" in a; as it was before the work, it still passes
turned-elsewhere b · none · turned green "b"; it is green even with the sources as they were`;

describe("what the agent did with checks, and with their files", () => {
  test.each(DEEDS.trim().split("\n"))("%s", (row) => {
    const [lost = "", files = "", words] = row.split(" · ");
    const [, how = "", checks = ""] = /^(\S+) (.*)/.exec(lost) ?? [];
    const tests = files.split("; ").flatMap((text) => {
      const [, path, deed = "", state = ""] = /^(\S+) (\S+) ?(.*)/.exec(text) ?? [];
      const to = deed === "renamed" ? `${path}.bak` : null;
      return path === undefined ? [] : [{ path, how: deed, to, checks: state.split(", ") }];
    });
    const all = checks.split(", ").map((check) => ({ gate: "test", check, how, reason: null }));
    // @ts-expect-error -- The rows say how, in words.
    expect(byFile(all, { kind: "checked", tests }).map(changedWords)).toEqual([words]);
  });
});

describe("work that is reported complete, on green gates", () => {
  test.each<[string, Case, string]>([
    ["is proven where red is green now", { base: "+a -b", now: "+a +b", original: null }, "proven"],
    [
      "is proven where what turned green is red again without it",
      { base: "+a -b", now: "+a +b", original: null, control: "+a -b" },
      "proven",
    ],
    [
      "is proven where a new check fails without it",
      { base: "+a", now: "+a +c", original: null, control: "+a -c" },
      "proven",
    ],
    [
      "is proven where a new check cannot be loaded without it",
      { base: "+a", now: "+a +c", original: null, control: "+a -file" },
      "proven",
    ],
    [
      "broke nothing where its new check passes without it, too",
      { base: "+a", now: "+a +c", original: null, control: "+a +c" },
      "nothing-broke",
    ],
    [
      "broke nothing where a new check is just not there without it",
      { base: "+a", now: "+a +c", original: null, control: "+a" },
      "nothing-broke",
    ],
    [
      "broke nothing where all was green before, and nothing is new",
      { base: "+a", now: "+a", original: null, control: null },
      "nothing-broke",
    ],
    [
      "is not verified where what was red on the very same tree is green now",
      { base: "+a -b", now: "+a +b", original: null, control: "+a +b =base" },
      "not-verified",
    ],
    [
      "is disputed where what was red is green without it, too",
      { base: "+a -b", now: "+a +b", original: null, control: "+a +b" },
      "disputed",
    ],
    [
      "is proven with changed checks where the agent says why that is so",
      { base: "+a -b", now: "+a +b", original: null, control: "+a +b", reasons: ["b"] },
      "proven-checks-changed",
    ],
    [
      "is so where the reason names the file that did it",
      { base: "+a -b", now: "+a +b", original: null, control: "+a +b", reasons: ["a.js"] },
      "proven-checks-changed",
    ],
    [
      "is proven where its own new test is green, and the old ones are",
      { base: "+a", now: "+a +b", original: "+a" },
      "proven",
    ],
    [
      "is proven with a changed check where one was renamed, or another took its place",
      { base: "+a +b", now: "+a +c", original: "+a +b" },
      "proven-checks-changed",
    ],
    [
      "is not verified where one of its title passes, and it cannot be loaded as it was",
      { base: "+a +x::b", now: "+a +y::b", original: "+a -load" },
      "not-verified",
    ],
    [
      "is disputed where none of its title passes, and it cannot be loaded as it was",
      { base: "+a +x::b", now: "+a +y::c", original: "+a -load" },
      "disputed",
    ],
    [
      "is disputed where the work breaks a check, and another took its place",
      { base: "+a +b", now: "+a +c", original: "+a -b" },
      "disputed",
    ],
    [
      "is disputed where another check took the place of a red one",
      { base: "+a -b", now: "+a +c", original: "+a -b" },
      "disputed",
    ],
    [
      "is proven where a test was moved to another file",
      { base: "+a +x::b", now: "+a +y::b", original: "+a +x::b" },
      "proven",
    ],
    ...(
      [
        ["broke nothing where it", "+a", "+b::t::x", null, "nothing-broke"],
        ["broke nothing where, as it was, it", "+a", "+b::t::x", "+a +b::t::x", "nothing-broke"],
        ["is disputed where it fails as it was and", "+a", "+b::t::x", "+a -b::t::x", "disputed"],
        ["is disputed where another one", "+a", "+c::t::x", null, "disputed"],
        ["is disputed where one of another title", "+a", "+b::t::y", null, "disputed"],
        ["is disputed where another is gone, and it", "+z::t::x", "+b::t::x", null, "disputed"],
      ] as const
    ).map(([what, more, now, original, expected]): [string, Case, string] => [
      `${what} passes in the source of Rust that its own became`,
      {
        base: `+a::t::x ${more}`,
        now: more === "+a" ? `${more} ${now}` : now,
        original,
        moved: ["src/a.rs", "src/b/mod.rs"],
        control: null,
      },
      expected,
    ]),
    [
      "is disputed where what was red is not made any more, and nothing that proves was changed",
      { base: "+a -b", now: "+a", original: null },
      "disputed",
    ],
    [
      "is disputed where what was red cannot be run as it was",
      { base: "+a -beta", now: "+a +beta", original: "-load" },
      "disputed",
    ],
    [
      "is not verified where it cannot, and the agent says why",
      { base: "+a -beta", now: "+a +beta", original: "-load", reasons: ["beta"] },
      "not-verified",
    ],
    [
      "is not verified where the original checks of a green base are not made any more",
      { base: "+a +b", now: "+a +b", original: "-load" },
      "not-verified",
    ],
    [
      "is proven with changed checks where the reason names the file that was put back",
      { base: "+alpha", now: "+alpha", original: "-alpha", reasons: ["a.test.js"] },
      "proven-checks-changed",
    ],
    [
      "is proven where the task allows that a red test is changed",
      { base: "+a -b", now: "+a +b", original: "+a -b", allow: ["checks-changed: b"] },
      "proven",
    ],
    [
      "is disputed where a red test was made green by changing it",
      { base: "+a -b", now: "+a +b", original: "+a -b" },
      "disputed",
    ],
    ["is disputed where a test is gone", { base: "+a +b", now: "+a", original: null }, "disputed"],
    [
      "is disputed where a test is skipped, and fails as it was",
      { base: "+a +b", now: "+a ~b", original: "+a -b" },
      "disputed",
    ],
    [
      "is disputed where a test that passed was made to agree with the work",
      { base: "+a +b", now: "+a +b", original: "+a -b" },
      "disputed",
    ],
    [
      "is proven with changed checks where the agent gave a reason for each",
      { base: "+a +b", now: "+a +b", original: "+a -b", reasons: ["b"] },
      "proven-checks-changed",
    ],
    [
      "is disputed where a red test was changed, whatever the reason",
      { base: "+a -b", now: "+a +b", original: "+a -b", reasons: ["b"] },
      "disputed",
    ],
    [
      "is disputed where a limit was lowered that the work does not keep",
      { base: "+a", now: "+a", original: "+a !" },
      "disputed",
    ],
    [
      "is disputed where another runner of the gate says what fails as it was",
      { base: "+a", now: "+a +c", original: "+a !z" },
      "disputed",
    ],
    [
      "is proven with changed checks where the agent says why, by the name that that one gives",
      { base: "+a", now: "+a +c", original: "+a !z", reasons: ["z"] },
      "proven-checks-changed",
    ],
    [
      "is proven where a limit is kept by its own new check alone",
      { base: "+a", now: "+a +c", original: "+a !limit", control: "+a -c" },
      "proven",
    ],
    [
      "is disputed where the reason names the gate and none of its checks",
      { base: "+alpha", now: "+alpha", original: "-alpha", reasons: ["test"] },
      "disputed",
    ],
    [
      "is proven with changed checks where the task allows the loss",
      { base: "+a +b", now: "+a", original: null, allow: ["checks-lost"] },
      "proven-checks-changed",
    ],
  ])("%s", (_name, one, expected) => {
    const decision = decide(seenOf(one), history(), policy({ level: 0, allow: one.allow ?? [] }));
    const grade =
      decision.kind === "continue" && decision.how.kind === "advance" ? decision.how.grade : null;
    expect(grade ?? decision.rule).toBe(expected);
  });

  test("with a check that something else turned says which files may have", () => {
    const seen = seenOf({ base: "+a -b", now: "+a +b", original: null, control: "+a +b" });
    expect(decide(seen, history(), policy({ level: 0 }))).toMatchObject({
      how: { feedback: expect.stringContaining('turned green "b" by kit/a.js; it is green even') },
    });
  });

  test("with changed checks is shown to a person once, from level 3 on", () => {
    const seen = seenOf({ base: "+a", now: "+a", original: "-a", reasons: ["a"] });
    const asked = decide(seen, history(), policy({ level: 3 }));
    expect([asked.kind, asked.rule]).toEqual(["pause", "checks-changed"]);
    const after = decide(seen, history({ previousRule: "checks-changed" }), policy({ level: 3 }));
    expect(after.rule).toBe("gate-green");
  });

  test("with changed checks needs no reason twice: one of an earlier attempt counts", () => {
    const seen = seenOf({ base: "+alpha", now: "+alpha", original: "-alpha" });
    const reasons = [{ check: "alpha", reason: "the task says so" }];
    expect(decide({ ...seen, reasons }, history(), policy({ level: 0 })).rule).toBe("gate-green");
  });

  test("is not verified where the original checks could not be run", () => {
    const seen = seenOf({ base: "+a", now: "+a", original: null });
    const originals = { kind: "not-made", why: "no copy could be made" } as const;
    const decision = decide({ ...seen, originals }, history(), policy());
    expect(decision).toMatchObject({ how: { verified: false, grade: "not-verified" } });
  });

  test.each([
    ["fails before it counts: they may not be built any more", FAILED.verdict, "not-verified"],
    ["passes without counting any", PASSED.verdict, null],
  ] as const)("where a runner that counted %s", (_name, verdict, grade) => {
    const seen = seenOf({ base: "+a +b", now: "+a +b", original: "+a +b" });
    if (seen.originals.kind !== "made") throw new Error("they were run");
    const gates = seen.originals.gates.map((gate) => ({ ...gate, verdict, counts: null }));
    const originals = { ...seen.originals, gates, comparisons: [] };
    const decision = decide({ ...seen, originals }, history(), policy());
    expect(decision.rule).toBe(grade === null ? "disputed" : "gate-green");
    if (grade !== null) expect(decision).toMatchObject({ how: { grade } });
  });

  test.each([
    ["adds two", "gate-green"],
    ["takes one", "disputed"],
  ])(
    "of a gate that names no checks may give its reason for one in the output: %s",
    (check, rule) => {
      const seen = seenOf({ base: "+a", now: "+a", original: "-a", reasons: [check] });
      if (seen.originals.kind !== "made") throw new Error("they were run");
      const silent = (gates: readonly GateResult[], excerpt = "") =>
        gates.map((gate) => ({ ...gate, counts: null, excerpt }));
      const originals = {
        ...seen.originals,
        gates: silent(seen.originals.gates, "FAIL cart > adds two\n1 failed"),
        comparisons: [],
      };
      const decision = decide(
        { ...seen, baseline: silent(seen.baseline), gates: silent(seen.gates), originals },
        history(),
        policy({ level: 0 }),
      );
      expect(decision.rule).toBe(rule);
    },
  );

  test("whose runner has fallen silent proves nothing, and the agent is told why", () => {
    const seen = seenOf({ base: "+a", now: "+a", original: null });
    const before = { ...PASSED, name: "test" };
    const silent = unknownIfUncounted({ ...before, counts: null }, before);
    const decision = decide({ ...seen, gates: [silent] }, history(), policy());
    expect(decision.rule).toBe("gate-unknown");
    expect(decision).toMatchObject({
      how: { feedback: expect.stringContaining("counted 12 checks before the work") },
    });
    expect(unknownIfUncounted({ ...before, counts: null }, null).verdict).toEqual({
      kind: "passed",
    });
    expect(unknownIfUncounted(before, before)).toBe(before);
  });
});

test.each<[string, Partial<Evidence>, string]>([
  ["that fails as before is asked about once", {}, "gate-red-before"],
  ["of which some is mended is asked about, too", mended(), "gate-red-before"],
  ["that the task names is not 'as before'", { wanted: ["b"] }, "gate-red"],
])("what fails and %s", (_name, more, rule) => {
  const seen = { ...seenOf({ base: "+a -b", now: "+a -b", original: null }), ...more };
  const failedBefore = { ...seen, readings: { ...seen.readings, failedBefore: true } };
  expect(decide(failedBefore, history(), policy()).rule).toBe(rule);
});

function mended(): Partial<Evidence> {
  return { comparisons: [compared("+a -b -c", "+a -b +c")] };
}
