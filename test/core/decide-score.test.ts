import { describe, expect, test } from "vitest";

import { decide, decideExplained } from "../../src/core/decide/decide.ts";
import { DEFAULT_UNCERTAINTY, SIGNALS, type Score } from "../../src/core/model/signals.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import type { GateResult } from "../../src/core/model/verdict.ts";
import { evidence } from "../support/builders.ts";
import { asked, atLevel, failed, history, noReport, policy, read } from "./builders.ts";
import { decides, red } from "./decision-table.ts";

/** A task whose score stands at this before the attempt; the attempt itself adds 3 for its claim. */
function scored(weight: number, over: Partial<Score> = {}): Score {
  const part = { signal: "no_progress", subject: "turns", weight, detail: "3 turns" } as const;
  return { parts: [part], replanned: false, ...over };
}

const seen = evidence({ gates: red });
const at = (weight: number, over: Partial<Score> = {}) => history({ score: scored(weight, over) });
const shy = { ...DEFAULT_UNCERTAINTY, interactive: false };
const off = { ...DEFAULT_UNCERTAINTY, enabled: false };

describe("the uncertainty score", () => {
  const noPlan = { score: scored(2), replans: 2 };
  const lastAttempt = { score: scored(7), counted: 2 };
  const quiet = atLevel(4, { uncertainty: shy });
  const disabled = atLevel(3, { uncertainty: off });
  const asks = "pause/guidance uncertain-ask";
  decides([
    ["below what level 3 asks from changes nothing", "feedback gate-red", seen, at(1), 3],
    ["at what level 3 asks from asks for guidance", asks, seen, at(2), 3],
    ["that level 3 asks at is too low for level 2", "feedback gate-red", seen, at(2), 2],
    ["of eight asks at level 2", asks, seen, at(5), 2],
    ["of ten asks at level 1", asks, seen, at(7), 1],
    ["of three asks at level 5", asks, seen, {}, 5],
    ["of five at level 0 makes a new plan", "replan uncertain-replan", seen, at(2)],
    ["makes a new plan once only", "feedback gate-red", seen, at(2, { replanned: true })],
    ["makes none where none is left", "feedback gate-red", seen, noPlan],
    ["of ten at level 0 skips", "skipped uncertain-skip", seen, at(7, { replanned: true })],
    ["that may not ask replans at any level", "replan uncertain-replan", seen, at(2), quiet],
    ["that is switched off does nothing", "feedback gate-red", seen, at(50), disabled],
    ["never takes back a proof", "advance gate-green", {}, at(50), 5],
    ["waits for the last attempt", "pause/guidance attempts-spent", seen, lastAttempt, 2],
  ]);

  test("asks with its parts, heaviest first", () => {
    const decision = decide(seen, at(4), atLevel(3));
    if (decision.kind !== "pause") throw new Error("it asks");
    expect(decision.ask.question).toBe(
      `too much is uncertain (${SIGNALS.no_progress}: 3 turns; and 1 more cause)`,
    );
    expect(decision.ask.context.slice(-2)).toEqual([
      `${SIGNALS.no_progress}: 3 turns`,
      `${SIGNALS.conflicting_signals}: the report says completed, the gates are red`,
    ]);
  });

  test("is explained with every decision, whatever decided", () => {
    // A turn that got somewhere halves it.
    expect(decideExplained(evidence(), at(4), atLevel(2)).explanation.score).toMatchObject({
      total: 2,
      asksFrom: 8,
      replansFrom: null,
      skipsFrom: null,
    });
  });
});

test("an attempt that uses up nothing adds nothing to the score that is told", () => {
  const asking = evidence({ ending: asked("major"), report: noReport, gates: [] });
  const before = history({ score: scored(2) });
  expect(decide(asking, before, atLevel(3))).toMatchObject({ rule: "agent-asked" });
  expect(decideExplained(asking, before, atLevel(3)).explanation.score.parts).toEqual(
    before.score.parts,
  );
});

describe("what failed before the task began", () => {
  const counted = (passed: number, names: readonly string[] = ["logs in"]) =>
    failed(...names).map((gate): GateResult => ({
      ...gate,
      counts: { runner: "vitest", passed, failed: names.length, skipped: 0 },
    }));
  const now = (passed: number, base: readonly GateResult[], names?: readonly string[]) =>
    evidence({ gates: counted(passed, names), baseline: base });
  const asked = history({ previousRule: "gate-red-before" });
  const partial = { ...now(12, counted(11)), report: read({ status: "partial" }) };
  const uncounted = { gates: red, baseline: failed("logs in") };
  const more = now(12, counted(11), ["logs in", "logs out"]);
  const moved = now(12, counted(11, ["logs out"]));
  const better = now(12, counted(11));
  const same = now(11, counted(11));
  const because = (tree: Evidence["tree"]) => ({
    ...same,
    tree,
    report: read({ changedChecks: [{ check: "logs in", reason: "a fault of the server" }] }),
  });
  const unchanged = { ...same.tree, sinceBaseCount: 0 };
  const repaired = history({ repairedBy: "repair" });
  const repairedSince = { ...asked, repairedBy: "repair" };
  const taken = history({ repairedBy: "repair", accepted: ["dispute"] });
  decides([
    ["does not block a claim with more passing", "advance failed-before", better],
    ["is asked about once where nothing more passes", "feedback gate-red-before", same],
    ["ends a second claim where nothing more passes", "stalled red-as-before", same, asked],
    ["does not block work that says why it is left", "advance failed-before", because(same.tree)],
    ["blocks where nothing was changed", "feedback gate-red-before", because(unchanged)],
    ["blocks where nobody counted", "feedback gate-red", uncounted, asked],
    ["is a failure like any other without a claim", "feedback gate-red", partial, asked],
    ["excuses nothing else that fails", "feedback gate-red", more, asked],
    ["excuses nothing where something else failed", "feedback gate-red", moved, asked],
    ["excuses nothing where nobody looked", "feedback gate-red", now(12, []), asked],
    ["is measured with what repaired it", "bring-up repaired-meanwhile", same, repaired],
    ["is so after it was asked about", "bring-up repaired-meanwhile", same, repairedSince],
    ["is so where more passes beside it", "bring-up repaired-meanwhile", better, repaired],
    ["is not where the work is not claimed done", "feedback gate-red", partial, repaired],
    ["is not where something else fails, too", "feedback gate-red", more, repaired],
    ["is not where a person took the work", "advance failed-before", same, taken],
  ]);

  test("is asked about free of charge, even with no attempt left", () => {
    const last = history({ counted: policy().limits.attempts - 1 });
    const rules = [history(), last].map((past) => decideExplained(same, past, policy()));
    expect(rules.map(({ decision, tally }) => [decision.rule, tally.counted])).toEqual([
      ["gate-red-before", false],
      ["gate-red-before", false],
    ]);
    expect(decide(more, last, policy()).rule).toBe("attempts-spent");
  });

  test("leaves the step done and not verified", () => {
    const unproven = "1 check fails as before (test: logs in)";
    const how = { kind: "advance", verified: false, unproven };
    expect(decide(better, history(), policy())).toMatchObject({ how });
  });
});
