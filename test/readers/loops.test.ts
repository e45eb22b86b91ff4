import { describe, expect, test } from "vitest";

import { toolArguments } from "../../src/readers/loops/canonical.ts";
import { afterStep, detectLoop } from "../../src/readers/loops/detect-loop.ts";
import { loopIn } from "../../src/readers/loops/find-loop.ts";
import { NO_LOOP } from "../../src/readers/loops/memory.ts";
import type { LoopRuleId, Mode, Step } from "../../src/readers/loops/step.ts";

const ok = (text: string) => ({ text, isError: false });
const failed = (text: string) => ({ text, isError: true });
const call = (args: unknown, result: ReturnType<typeof ok> | null, tool = "Bash"): Step => ({
  kind: "tool",
  tool,
  args: toolArguments(args),
  result,
});
const say = (text: string): Step => ({ kind: "message", text });
const person: Step = { kind: "user-message" };
const shrink: Step = { kind: "condensation" };
const times = (count: number, steps: (turn: number) => Step | readonly Step[]): readonly Step[] =>
  Array.from({ length: count }, (_, turn) => steps(turn)).flat();
const nth = <T>(list: readonly T[], turn: number): T => {
  const item = list[turn];
  if (item === undefined) throw new Error(`no item ${turn}`);
  return item;
};

const list = call({ command: "ls" }, ok("a.ts"));
const read = call({ file_path: "a.ts" }, ok("const a = 1;"), "Read");
const tests = call({ command: "npm test" }, failed("Tests 1 failed | 8 passed"));
const edit = (from: string, to: string): Step =>
  call({ file_path: "a.ts", old_string: from, new_string: to }, ok("ok"), "Edit");

function check(steps: readonly Step[], rule: LoopRuleId | null, mode: Mode = "headless"): void {
  expect(detectLoop(steps, mode)?.rule ?? null).toBe(rule);
}

describe("one call again and again", () => {
  test.each<[string, readonly Step[], LoopRuleId | null]>([
    ["three equal calls are none", times(3, () => list), null],
    ["the fourth with the same result is one", times(4, () => list), "same-call"],
    ["no answer that can be seen counts as the same", times(4, () => call({}, null)), "same-call"],
    ["two failures are none", times(2, () => tests), null],
    ["the third failure is one", times(3, () => tests), "failing-call"],
    [
      "a failure in other words is a failure",
      times(3, (i) => call({ p: "/x" }, failed(nth(["denied", "cannot open", "no"], i)))),
      "failing-call",
    ],
    [
      "an error and a success are none",
      [tests, call({ command: "npm test" }, ok("ok")), tests],
      null,
    ],
    [
      "keys in another order are the same arguments",
      times(4, (i) =>
        call(i % 2 ? { a: 1, b: { c: 2, d: 3 } } : { b: { d: 3, c: 2 }, a: 1 }, ok("")),
      ),
      "same-call",
    ],
    [
      "another gloss beside the same command is the same call",
      times(4, (i) => call({ command: "ls", description: `look ${i}` }, ok(""))),
      "same-call",
    ],
    [
      "a description that is no gloss counts",
      times(4, (i) => call({ title: "bug", description: `part ${i}` }, ok(""))),
      null,
    ],
    ["another offset is another call", times(6, (i) => call({ offset: i * 100 }, ok("ok"))), null],
    ["other arguments for each try", times(5, (i) => call({ n: i }, failed("no"))), null],
    ["words between are no work", times(4, (i) => [say(`try ${i}`), list]), "same-call"],
    ["a summary between is no work", times(4, () => [shrink, list]), "same-call"],
    ["a loop that was left is none", [...times(5, () => list), read], null],
    ["pictures cannot be compared", times(6, () => call({}, ok("[image]"))), null],
  ])("%s", (_name, steps, rule) => check(steps, rule));
});

/** What a run prints that has not changed: only what it measured is new, and where it listened. */
const took = (turn: number): string => nth(["1.84", "0.97", "12.031", "3.2"], turn);
const REPEATED: readonly (readonly [what: string, output: (turn: number) => string])[] = [
  [
    "node --test in TAP",
    (i) =>
      `TAP version 13\nnot ok 1 - adds up\n  ---\n  duration_ms: ${took(i)}\n  error: 'no'\n  ...\n# tests 1\n# fail 1\n# duration_ms ${took(3 - i)}`,
  ],
  [
    "node --test for people",
    (i) => `✖ adds up (${took(i)}ms)\n  'no'\nℹ tests 1\nℹ fail 1\nℹ duration_ms ${took(3 - i)}`,
  ],
  [
    "a report of JUnit",
    (i) =>
      `<testsuite tests="2" time="${took(i)}" timestamp="2026-01-02T03:04:0${i}">\n<testcase name="a" time="0.${i}1"/>`,
  ],
  ["a server on another port", (i) => `no answer from http://127.0.0.1:${41_013 + i * 7}/health`],
  [
    "a server on a port below ten thousand",
    (i) => `localhost:${nth([5173, 5174, 8080, 3000], i)} failed`,
  ],
];

test.each(REPEATED)("%s is no news when only its measures change", (_what, output) => {
  check(
    times(3, (i) => call({}, failed(output(i)))),
    "failing-call",
  );
  check(
    times(4, (i) => call({}, ok(output(i)))),
    "same-call",
  );
});

describe("an answer that moves", () => {
  test.each<[string, readonly Step[], LoopRuleId | null]>([
    ["a poll whose answer changes", times(6, (i) => call({}, ok(`${i} of 9 ready`))), null],
    ["a job whose clock runs", times(6, (i) => call({}, ok(`running for ${i}0s`))), null],
    [
      "durations that come and go",
      times(4, (i) => call({}, ok(`12 passed in ${nth([31, 28, 33, 30], i)}ms`))),
      "same-call",
    ],
    [
      "a time of day is no news",
      times(4, (i) => call({}, ok(`2026-01-02T03:04:0${i}Z idle (pid ${900 + i * 7})`))),
      "same-call",
    ],
    ["a count of errors that falls", times(4, (i) => call({}, failed(`${9 - i} errors`))), null],
    [
      "an error that moves on to a later line",
      times(3, (i) => call({}, failed(`a.c:${i + 4}:1`))),
      null,
    ],
    [
      "a count of tries is no movement",
      times(3, (i) => call({}, failed(`no (attempt ${i})`))),
      "failing-call",
    ],
    [
      "scrolling that is only acknowledged",
      times(9, () => call({ action: "scroll_down" }, ok("ok"), "browser")),
      null,
    ],
    [
      "scrolling that tells where it is",
      times(4, () =>
        call({ action: "scroll_down" }, ok("You are at the very end of the page: 100%")),
      ),
      "same-call",
    ],
  ])("%s", (_name, steps, rule) => check(steps, rule));
});

describe("a cycle of calls", () => {
  test.each<[string, readonly Step[], LoopRuleId | null]>([
    ["two calls in turn, twice", times(2, () => [list, read]), null],
    ["two calls in turn, three times", times(3, () => [list, read]), "cycle"],
    ["seen from its second half", [...times(3, () => [list, read]), list], "cycle"],
    ["an edit and its inverse", times(3, () => [edit("a", "b"), edit("b", "a")]), "cycle"],
    ["edits that differ, and tests", times(5, (i) => [edit(`${i}`, `${i + 1}`), tests]), null],
    [
      "the same file after each edit",
      times(5, (i) => [edit("a", "b"), call({ file_path: "a.ts" }, ok(`v${i}`), "Read")]),
      null,
    ],
    ["five calls in turn", times(3, () => times(5, (i) => call({ i }, ok("ok")))), "cycle"],
    [
      "six calls in turn are too many to be sure",
      times(3, () => times(6, (i) => call({ i }, ok("")))),
      null,
    ],
    [
      "waiting for a job with two calls",
      times(4, (i) => [
        call({ command: "sleep 9" }, ok("")),
        call({}, ok(`elapsed 0:${i}, ${i}9s`)),
      ]),
      null,
    ],
  ])("%s", (_name, steps, rule) => check(steps, rule));
});

describe("words without deeds", () => {
  test.each<[string, readonly Step[], LoopRuleId | null]>([
    ["the same message twice", times(2, () => say("All done.")), null],
    ["three times", times(3, () => say("All done.")), "monologue"],
    [
      "with other spaces and capitals",
      [say("All done."), say("all  done. "), say("All\ndone.")],
      "monologue",
    ],
    ["two messages in turn", times(3, () => [say("First this."), say("No, that.")]), "monologue"],
    ["with work between", times(4, (i) => [say("Next."), edit(`${i}`, "b")]), null],
    ["empty messages", times(5, () => say(" \n")), null],
    ["rows of a table one by one", times(5, () => say("| a | b |\n")), null],
    ["lines of code one by one", [say("```\n"), ...times(5, () => say("a, b, c\n"))], null],
    ["nine summaries", times(9, () => shrink), null],
    ["ten summaries", times(10, () => shrink), "condensation"],
    ["summaries with words between", times(12, () => [shrink, say("Going on.")]), null],
    ["summaries with work between", times(12, (i) => [shrink, edit(`${i}`, "b")]), null],
  ])("%s", (_name, steps, rule) => check(steps, rule));
});

describe("a person in the conversation", () => {
  test.each<[string, readonly Step[], LoopRuleId | null, LoopRuleId | null]>([
    ["between equal calls", [...times(3, () => list), person, list], null, "same-call"],
    ["after a loop", [...times(4, () => list), person], null, "same-call"],
    ["before a loop", [person, ...times(4, () => list)], "same-call", "same-call"],
    ["between equal messages", times(3, () => [person, say("Still running.")]), null, "monologue"],
    ["between summaries", [...times(9, () => shrink), person, shrink], null, "condensation"],
  ])("%s", (_name, steps, interactive, headless) => {
    check(steps, interactive, "interactive");
    check(steps, headless, "headless");
  });
});

describe("a finding", () => {
  test("is one line that says what happened, and how long", () => {
    expect(
      detectLoop(
        times(6, () => list),
        "headless",
      ),
    ).toEqual({
      rule: "same-call",
      evidence: 'ran `Bash {"command":"ls"}` 6 times with the same result',
      length: 6,
    });
  });

  test("shows nothing that a terminal would obey", () => {
    const steps = times(4, () => call("\u001b[31mrm\u001b[0m\n\u0007", ok("")));
    expect(detectLoop(steps, "headless")?.evidence).toBe(
      'ran `Bash "\\u001b[31mrm\\u001b[0m\\n\\u0007"` 4 times with the same result',
    );
  });

  test("is there as soon as the step is, and gone with the next one that differs", () => {
    const seen: (string | null)[] = [];
    [list, list, list, list, read].reduce((state, step) => {
      const next = afterStep(state, step, "headless");
      seen.push(loopIn(next)?.rule ?? null);
      return next;
    }, NO_LOOP);
    expect(seen).toEqual([null, null, null, "same-call", null]);
  });
});
