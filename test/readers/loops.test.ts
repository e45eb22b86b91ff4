import { array, assert, constantFrom, oneof, property, record, string } from "fast-check";
import { describe, expect, test } from "vitest";

import type { SessionEvent } from "../../src/core/model/session.ts";
import { afterEvent, loopIn, NO_WATCH } from "../../src/readers/loops.ts";

let calls = 0;
const ask = (input: string, id = `c${calls++}`): SessionEvent & { type: "tool-call" } => ({
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
const ruleOf = (events: readonly SessionEvent[]) => loopIn(watched(events))?.rule ?? null;

describe("the same action is", () => {
  test.each<[string, readonly SessionEvent[], string | null]>([
    ["four equal calls with equal answers", times(4, () => ran("{}", "a")), "same-call"],
    ["not three", times(3, () => ran("{}", "a")), null],
    [
      "not one that another came between",
      [...times(3, () => ran("{}")), ...ran("[]"), ...ran("{}")],
      null,
    ],
    ["one that was talked about", times(4, (i) => [text(`try ${i}`), ...ran("{}")]), "same-call"],
    ["one that fails each time", times(4, () => ran("{}", "no such file", true)), "same-call"],
    ["not a call with other arguments", times(9, (i) => ran(`{"n":${i}}`, "ok")), null],
    ["not one with other answers", times(9, (i) => ran("{}", `${i} errors`)), null],
    ["not one that fails in another way", times(9, (i) => ran("{}", `line ${i}`, true)), null],
    ["not one that fails every other time", times(9, (i) => ran("{}", "", i % 2 === 0)), null],
    ["not one whose answer nobody can read", times(9, () => ran("{}", "[image]\n[image]")), null],
    [
      "one with a description",
      times(4, (i) =>
        ran(
          i % 2 ? '{"command":"ls","timeout":5}' : '{"command":"ls","description":"x","timeout":5}',
        ),
      ),
      "same-call",
    ],
    ["one whose answer tells the time", times(4, (i) => ran("{}", `10:00:0${i} ok`)), "same-call"],
    ["one that is no JSON", times(4, () => ran("{not json", "a")), "same-call"],
    ["not one without an answer yet", times(9, () => [ask("{}")]), null],
    ["not an answer to a call that was never seen", times(9, () => [answer("?", "ok")]), null],
  ])("%s", (_name, events, rule) => {
    expect(ruleOf(events)).toBe(rule);
  });

  test("not what is asked for at once", () => {
    const batch = (at: number): readonly SessionEvent[] => {
      const all = Array.from({ length: 6 }, (_, i) => ask("{}", `b${at}-${i}`));
      return [...all, ...all.map((call) => answer(call.id, "same"))];
    };
    expect(ruleOf(batch(0))).toBeNull();
    expect(ruleOf(times(4, batch))).toBe("same-call");
  });

  test("told with the call and its count", () => {
    expect(loopIn(watched(times(5, () => ran('{"command":"ls"}', "a"))))?.evidence).toBe(
      "ran `ls` 5 times with the same result",
    );
  });

  test("told apart where only the middle of a long answer differs in length", () => {
    const long = (chars: number) => ran("{}", "a".repeat(40_000 + chars));
    expect(ruleOf(times(4, () => long(0)))).toBe("same-call");
    expect(ruleOf(times(4, long))).toBeNull();
  });
});

describe("the same message is", () => {
  test.each<[string, readonly SessionEvent[], string | null]>([
    ["three equal ones", times(3, () => [text("All done.")]), "same-message"],
    ["not two", times(2, () => [text("All done.")]), null],
    ["one that a hook answers", times(3, () => [text("All done."), note]), "same-message"],
    [
      "one with other spaces and letters",
      [" Done.\n", "done.", "DONE. "].map(text),
      "same-message",
    ],
    ["not one with a call between", times(9, (i) => [text("Next."), ask(`{"n":${i}}`)]), null],
    ["not one with other words", times(9, (i) => [text(`Step ${i}.`)]), null],
    ["not an empty one", times(9, () => [text(" \n")]), null],
    ["not a thought", times(9, () => [{ type: "thinking", text: "hm" }]), null],
  ])("%s", (_name, events, rule) => {
    expect(ruleOf(events)).toBe(rule);
  });
});

const word = string({ unit: "binary", maxLength: 40 });
const anyEvent = oneof(
  word.map(text),
  record({ input: word, id: constantFrom("1", "2", "3") }).map(({ input, id }) => ask(input, id)),
  record({ output: word, id: constantFrom("1", "2", "3") }).map(({ output, id }) =>
    answer(id, output),
  ),
);

describe("the memory of a session", () => {
  test("finds a loop behind whatever came before", () => {
    assert(
      property(array(anyEvent, { maxLength: 20 }), (before) => {
        expect(ruleOf([...before, ...times(4, () => ran('{"same":1}', "ok"))])).toBe("same-call");
      }),
    );
  });

  test("stays small, whatever is called and said", () => {
    const huge = "1:1:1 /tmp/a ".repeat(80_000);
    const events = times(60, (i) => [text(huge), ask(`${i}${huge}`), ...ran(huge, huge)]);
    const watch = watched(events.slice(0, 60));
    expect(JSON.stringify(watch).length).toBeLessThan(10_000);
  });
});
