import { anything, array, assert, constantFrom, property, record } from "fast-check";
import { describe, expect, test } from "vitest";

import { assessHistory } from "../../src/readers/loops/assess.ts";
import { historyFrom } from "../../src/readers/loops/history-record.ts";
import type { Turn } from "../../src/readers/loops/task-history.ts";

const turn = (over: Partial<Turn> = {}): Turn => ({
  gate: "failed",
  verdict: "sent-back",
  feedback: "no",
  worker: "ended",
  summary: "edits",
  hasChanged: true,
  criteria: null,
  ...over,
});
const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));

describe("a recorded history", () => {
  const assessed = (value: unknown) => {
    const history = historyFrom(value);
    return history === null ? null : assessHistory(history).rule;
  };
  const observed = (text: string, more: object = {}) => ({
    text,
    is_error: false,
    exit_code: null,
    ...more,
  });

  test("of steps is read with what was seen", () => {
    const ls = {
      action: { kind: "tool", tool: "run", args: { command: "ls" } },
      observation: observed("a"),
    };
    const failing = { ...ls, observation: observed("no", { exit_code: 2 }) };
    const told = {
      action: { kind: "instruction", text: "go" },
      observation: observed("I clicked 'x'."),
    };
    const unseen = { action: ls.action, observation: null };
    const summary = { action: null, observation: observed("short", { kind: "condensation" }) };
    const said = { action: { kind: "message", text: "Done, all of it." }, observation: null };
    const person = { action: { kind: "user_message", text: "go on" }, observation: null };
    const steps = (mode: string, ...sequence: readonly unknown[]) =>
      assessed({ kind: "steps", mode, sequence });
    expect(steps("headless", ls, ls, ls, ls)).toBe("same-call");
    expect(steps("headless", unseen, unseen, unseen, unseen)).toBe("same-call");
    expect(steps("headless", failing, failing, failing)).toBe("failing-call");
    expect(steps("headless", told, told, told, told)).toBe("same-account");
    expect(steps("headless", said, said, said)).toBe("monologue");
    expect(steps("headless", ...times(10, () => summary))).toBe("condensation");
    expect(steps("headless", ls, ls, ls, ls, person)).toBe("same-call");
    expect(steps("interactive", ls, ls, ls, ls, person)).toBe("moving");
    expect(steps("interactive", null, 7, {}, { action: { kind: "dance" } })).toBe("moving");
  });

  test("of turns is read with what was measured", () => {
    const row = {
      turn: 1,
      worker: "success",
      summary: "1 files created, 2 modified, 3 tests",
      gate: false,
      verdict: "feedback",
      feedback: "no",
      criteria: [1, 6],
    };
    expect(historyFrom({ kind: "turns", sequence: [row] })).toEqual({
      kind: "turns",
      turns: [turn({ feedback: "no", summary: row.summary, criteria: { verified: 1, total: 6 } })],
    });
    expect(
      historyFrom({
        kind: "turns",
        sequence: [
          {
            gate: null,
            worker: "error",
            verdict: "approve",
            summary: "0 files created, 0 modified",
          },
        ],
      }),
    ).toEqual({
      kind: "turns",
      turns: [
        turn({
          gate: "unknown",
          worker: "failed",
          verdict: "accepted",
          feedback: "",
          summary: "0 files created, 0 modified",
          hasChanged: false,
        }),
      ],
    });
    expect(historyFrom({ kind: "turns", sequence: [{}] })).toEqual({
      kind: "turns",
      turns: [turn({ gate: "unknown", feedback: "", summary: "", hasChanged: null })],
    });
  });

  test("of plans is read with whether they served", () => {
    expect(
      historyFrom({
        kind: "replans",
        sequence: [{ plan: "a", request_satisfied: false }, { plan: "b" }],
      }),
    ).toEqual({
      kind: "replans",
      plans: [
        { text: "a", isSatisfied: false },
        { text: "b", isSatisfied: null },
      ],
    });
  });

  test.each([
    [null],
    [7],
    ["steps"],
    [[]],
    [{}],
    [{ kind: "steps" }],
    [{ kind: "songs", sequence: [] }],
  ])("is not %j", (value) => {
    expect(historyFrom(value)).toBeNull();
  });

  test("is read whatever it holds", () => {
    const row = record({
      action: anything(),
      observation: anything(),
      gate: anything(),
      summary: anything(),
      criteria: anything(),
      plan: anything(),
    });
    assert(
      property(constantFrom("steps", "turns", "replans"), array(row), (kind, sequence) => {
        expect(assessed({ kind, sequence })).toEqual(expect.any(String));
      }),
    );
  });
});
