import { describe, expect, test } from "vitest";

import {
  afterFault,
  afterHandoff,
  afterWork,
  hasProgressed,
} from "../../src/core/decide/streaks.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { type FailureIdentity, type GateSum } from "../../src/core/model/verdict.ts";
import type { Streaks } from "../../src/core/model/tally.ts";
import { evidence } from "../support/builders.ts";
import { streaks, tree, unchanged } from "./builders.ts";

const failure = (fp: string, failingCount = 1): FailureIdentity => ({
  fp,
  failing: [fp],
  failingCount,
});
/** As `afterWork`, for what matters here; two attempts without progress stand behind it. */
function worked(
  from: Streaks,
  sum: GateSum,
  failed: FailureIdentity | null,
  change: Evidence["tree"],
): Streaks {
  const seen = { sum, failure: failed, progress: true };
  return afterWork(from, evidence({ tree: change }), seen);
}

const counted = { lastFailing: 3, fewestFailing: 3, noFewer: 2, anyFailure: 2 };
const before = streaks({ ...counted, sameFailure: 2, lastFingerprint: "a", unknownGate: 1 });

describe("after an attempt that counts", () => {
  test("the same failure grows its streak and ends that of unknown gates", () => {
    expect(worked(before, "failed", failure("a", 3), tree())).toEqual(
      streaks({ ...counted, sameFailure: 3, lastFingerprint: "a", noFewer: 3, anyFailure: 3 }),
    );
  });

  test("another failure begins a streak of its own", () => {
    expect(worked(before, "failed", failure("b"), tree())).toEqual(
      streaks({
        sameFailure: 1,
        lastFingerprint: "b",
        lastFailing: 1,
        fewestFailing: 1,
        noFewer: 1,
        anyFailure: 1,
      }),
    );
  });

  test("a passed gate ends every streak of failures", () => {
    expect(worked(before, "passed", null, tree())).toEqual(streaks());
  });

  test("an unknown gate neither grows nor ends the streak of one failure, and ends that of any", () => {
    expect(worked(before, "unknown", null, tree())).toEqual({
      ...before,
      anyFailure: 0,
      unknownGate: 2,
    });
  });

  test.each([
    ["an unchanged tree grows the streak", unchanged, 3],
    ["a changed tree ends it", tree(), 0],
    ["a tree that is not measured leaves it", { kind: "not-measured" as const, why: "no git" }, 2],
  ])("%s", (_name, seen, noChange) => {
    expect(worked(streaks({ noChange: 2 }), "passed", null, seen).noChange).toBe(noChange);
  });
});

describe("fewer failing checks than ever", () => {
  const three = worked(streaks(), "failed", failure("a", 3), tree());
  const again = worked(three, "failed", failure("a", 3), tree());

  test("begin a streak of their own, though the failure is the same", () => {
    const fewer = worked(again, "failed", failure("a", 2), tree());
    expect([again.sameFailure, fewer.sameFailure]).toEqual([2, 1]);
    expect(fewer).toMatchObject({ fewestFailing: 2, noFewer: 1 });
  });

  test("are what later attempts are held against, whatever failed between", () => {
    const up = worked(again, "failed", failure("b", 9), tree());
    expect(worked(up, "failed", failure("c", 4), tree())).toMatchObject({
      fewestFailing: 3,
      noFewer: 4,
    });
    expect(worked(up, "passed", null, tree())).toMatchObject({ fewestFailing: null, noFewer: 0 });
  });
});

describe("failures of any kind in a row", () => {
  const fails = (from: Streaks, fp: string, count = 1): Streaks =>
    worked(from, "failed", failure(fp, count), tree());
  const two = fails(fails(streaks(), "a", 3), "b", 3);

  test.each<[string, Streaks, number]>([
    ["are counted, whatever fails", fails(two, "c", 4), 3],
    ["begin anew with fewer failing checks than ever", fails(two, "c", 2), 1],
    ["begin anew after an unknown verdict", fails(worked(two, "unknown", null, tree()), "c", 3), 1],
    ["begin anew after a pass", fails(worked(two, "passed", null, tree()), "c", 3), 1],
    ["are left alone by the provider's faults", fails(afterFault(two, "overloaded"), "c", 3), 3],
  ])("%s", (_sentence, after, expected) => {
    expect(after.anyFailure).toBe(expected);
  });
});

describe("after the world failed", () => {
  test("the same cause again is one more try", () => {
    const once = afterFault(before, "overloaded");
    expect(afterFault(once, "overloaded")).toEqual({
      ...before,
      providerTries: 2,
      providerCause: "overloaded",
    });
  });
});

describe("after a handoff", () => {
  test("one with the same words is stuck, one with others is not", () => {
    const first = afterHandoff(streaks(), "half");
    const second = afterHandoff(first, "half");
    expect(second.stuckHandoffs).toBe(1);
    expect(afterHandoff(second, "most").stuckHandoffs).toBe(0);
  });
});

describe("progress", () => {
  test.each([
    ["a first failure has nothing to be compared with", streaks(), failure("a"), {}, false],
    ["fewer failing checks are progress", before, failure("a", 2), { a: 2 }, true],
    ["as many failing checks are none", before, failure("a", 3), { a: 2 }, false],
    ["more failing checks of a known failure are none", before, failure("a", 4), { a: 2 }, false],
    ["a failure never seen before is progress", before, failure("b", 9), { a: 2 }, true],
    ["an old failure come back is none", before, failure("b", 3), { a: 2, b: 1 }, false],
    ["no failure is approval's business, not progress", before, null, { a: 2 }, false],
  ])("%s", (...[, past, seen, ledger, expected]) => {
    expect(hasProgressed(past, seen, ledger)).toBe(expected);
  });
});
