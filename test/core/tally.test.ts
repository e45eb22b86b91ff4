import { array, assert, property, record } from "fast-check";
import { expect, test } from "vitest";

import type { Recorded } from "../../src/core/model/event.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { fold } from "../../src/core/run/reduce.ts";
import { projectRun } from "../../src/core/views/projection.ts";
import { step, task } from "../support/builders.ts";
import { anyEvidence, anyPolicy } from "./arbitraries.ts";
import { simulate } from "./simulate.ts";

const anyRun = record({
  sessions: array(anyEvidence, { minLength: 1, maxLength: 6 }),
  policy: anyPolicy,
}).map(({ sessions, policy: { level, limits, stall, reset } }) => {
  const one = task("add-login", { steps: [step({ level, limits })], stall, reset });
  return simulate(one, (n) => sessions[n % sessions.length] ?? noSession(), level > 0).log;
});

/** Each run is folded several times. */
const RUNS = { numRuns: 40 };

function noSession(): never {
  throw new Error("there is at least one session");
}

function changed(
  log: readonly Recorded[],
  change: (evidence: Evidence) => Partial<Evidence>,
): readonly Recorded[] {
  return log.map((line) => {
    const { event } = line;
    if (event.type !== "decided") return line;
    const evidence = { ...event.evidence, ...change(event.evidence) };
    return { ...line, event: { ...event, evidence } };
  });
}

/** Everything that later decisions look at. */
function countersOf(log: readonly Recorded[]): unknown {
  return fold(log).tasks.map(
    ({ steps, plan, replans, handoffs, ledger, visited, score, cursor }) => ({
      steps: steps.map(({ attempts, ...counters }) => [
        counters,
        attempts.map((a) => a.outcome?.counted),
      ]),
      others: [plan, replans, handoffs, ledger, visited, score, cursor],
    }),
  );
}

test("a fold does not change when a text rule changes", () => {
  assert(
    property(anyRun, (log) => {
      const otherRules = changed(log, () => ({
        readings: {
          failure: { fp: "0123456789abcdef", failing: ["another reader's name"], failingCount: 7 },
          failedBefore: true,
          crash: null,
          closing: { question: "Another question?", impact: "blocking", options: [] },
          doubts: ["perhaps"],
        },
      }));
      expect(countersOf(otherRules)).toEqual(countersOf(log));
    }),
    RUNS,
  );
});

test("a line without a tally is folded to the same state", () => {
  assert(
    property(anyRun, (log) => {
      const older = log.map((line) =>
        line.event.type === "decided" ? { ...line, event: { ...line.event, tally: null } } : line,
      );
      expect(projectRun(fold(older))).toEqual(projectRun(fold(log)));
      expect(countersOf(older)).toEqual(countersOf(log));
    }),
    RUNS,
  );
});
