import { describe, expect, test } from "vitest";

import { loopIn } from "../../src/readers/loops/find-loop.ts";
import { afterEvent, NO_WATCH } from "../../src/readers/loops/live.ts";
import type { SessionEvent } from "../../src/core/model/session-event.ts";

let next = 0;
const ask = (input: string, id = `c${next++}`): SessionEvent & { type: "tool-call" } => ({
  type: "tool-call",
  id,
  tool: "Bash",
  input,
});
const answer = (id: string, output = "", isError = false): SessionEvent => ({
  type: "tool-result",
  id,
  isError,
  output,
});
const ran = (input: string, output = "", isError = false): readonly SessionEvent[] => {
  const call = ask(input);
  return [call, answer(call.id, output, isError)];
};
const text = (words: string): SessionEvent => ({ type: "text", text: words });
const note: SessionEvent = { type: "note", text: "a hook wants a report" };
const times = (count: number, events: (turn: number) => readonly SessionEvent[]) =>
  Array.from({ length: count }, (_, turn) => events(turn)).flat();

const watched = (events: readonly SessionEvent[]) => events.reduce(afterEvent, NO_WATCH);
const ruleOf = (events: readonly SessionEvent[]) => loopIn(watched(events).loop)?.rule ?? null;

describe("the events of a session", () => {
  test("of every kind a driver emits are understood", () => {
    const emitted: readonly SessionEvent[] = [
      { type: "text", text: "I look." },
      { type: "thinking", text: "hm" },
      { type: "tool-call", id: "1", tool: "Bash", input: '{"command":"ls"}' },
      { type: "retry", detail: "overloaded" },
      { type: "tool-result", id: "1", isError: false, output: "a.ts" },
      { type: "note", text: "the limit is near" },
    ];
    expect(ruleOf(emitted)).toBeNull();
    expect(ruleOf(times(4, () => emitted))).toBe("same-call");
  });

  test.each<[string, readonly SessionEvent[], string | null]>([
    ["equal calls with equal answers", times(4, () => ran('{"command":"ls"}', "a")), "same-call"],
    [
      "keys in another order, and a gloss",
      times(4, (i) =>
        ran(
          i % 2
            ? '{"command":"ls","timeout":5}'
            : '{"timeout":5,"command":"ls","description":"look"}',
        ),
      ),
      "same-call",
    ],
    ["arguments that are no JSON", times(4, () => ran("{not json", "a")), "same-call"],
    ["calls that fail", times(3, (i) => ran("{}", `no ${"abc"[i]}`, true)), "failing-call"],
    ["calls with other arguments", times(9, (i) => ran(`{"n":${i}}`, "ok")), null],
    ["calls without an answer yet", times(9, () => [ask("{}")]), null],
    ["answers to calls nobody saw", times(9, () => [answer("?", "ok")]), null],
    ["one message in blocks", times(3, () => [text("All done.")]), null],
    ["messages that a hook answers", times(3, () => [text("All done."), note]), "monologue"],
    ["a chant", times(9, () => [text("I have to look at the log again.")]), "chanting"],
    [
      "thoughts",
      times(20, () => [{ type: "thinking", text: "I have to look at the log again." }]),
      null,
    ],
    ["summaries", times(10, () => [{ type: "condensation", text: "" }]), "condensation"],
  ])("%s", (_name, events, rule) => {
    expect(ruleOf(events)).toBe(rule);
  });

  test("asked for at once are one question", () => {
    const batch = (at: number): readonly SessionEvent[] => {
      const calls = Array.from({ length: 6 }, (_, i) => ask("{}", `b${at}-${i}`));
      return [...calls, ...calls.map((call) => answer(call.id, "same"))];
    };
    expect(ruleOf(batch(0))).toBeNull();
    expect(ruleOf(times(4, batch))).toBe("same-call");
  });

  test("whose answers never come are forgotten in their order, and seen as calls", () => {
    const events = times(60, (i) => [ask(`{"n":${i}}`)]);
    expect(watched(events).pending).toHaveLength(32);
    expect(watched(events).loop.calls.length).toBeGreaterThan(0);
  });
});
