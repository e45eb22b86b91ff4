import { describe, expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import type { DeclaredQuestion } from "../../src/core/model/report.ts";
import { taskOf } from "../../src/core/run/select.ts";
import type { UnaskedQuestion } from "../../src/core/model/session.ts";
import { unaskedOf } from "../../src/core/views/account.ts";
import {
  answer,
  attempt,
  FEEDBACK,
  pauseFor,
  question,
  report,
  runStarted,
  stateOf,
  step,
  task,
  taskStarted,
} from "../support/builders.ts";
import { asked as asks, taskId } from "./builders.ts";

const PORT = "Which port?";
const declared = (over: Partial<DeclaredQuestion> = {}): DeclaredQuestion => ({
  question: PORT,
  options: [],
  default: null,
  impact: "minor",
  ...over,
});
const alone = (over: Partial<UnaskedQuestion> = {}): UnaskedQuestion => ({
  question: PORT,
  impact: "minor",
  why: "level",
  answer: "80",
  ...over,
});
const lists = (...questions: readonly DeclaredQuestion[]): readonly RunEvent[] =>
  attempt({ report: report({ questions }) });
const answeredAlone = (...unasked: readonly UnaskedQuestion[]): readonly RunEvent[] =>
  attempt().map((event) => (event.type === "session-ended" ? { ...event, unasked } : event));

function stateAfter(events: readonly RunEvent[], over: Parameters<typeof step>[0] = {}) {
  const one = task("add-login", { steps: [step(over)] });
  const state = stateOf([...runStarted([one]), taskStarted(), ...events]);
  return taskOf(state, taskId("add-login"));
}
function unaskedAfter(events: readonly RunEvent[], over: Parameters<typeof step>[0] = {}) {
  return unaskedOf(stateAfter(events, over)).map((one) => [one.question, one.answer]);
}

describe("what was put to nobody", () => {
  const put = question({ question: "which port" });
  const asked: readonly RunEvent[] = [
    ...attempt({ decision: pauseFor(put), report: report({ questions: [declared()] }) }),
    { type: "question-asked", question: put },
  ];
  const aborted: RunEvent = {
    type: "task-ended",
    task: taskId("add-login"),
    end: { kind: "stalled", reason: "aborted by a person", gatesFailing: true },
  };
  const stopped = attempt({
    decision: { ...FEEDBACK, rule: "agent-asked-alone" },
    evidence: { ending: asks("minor") },
  });
  test.each<[string, readonly RunEvent[], readonly (readonly string[])[]]>([
    ["is nothing where nothing was open", attempt(), []],
    ["is what a session stopped for", stopped, [[PORT, "left to the agent"]]],
    ["is what orch answered by itself", answeredAlone(alone()), [[PORT, "80"]]],
    ["is what a report lists, left to the agent", lists(declared()), [[PORT, "left to the agent"]]],
    [
      "is told with the default that the agent named",
      lists(declared({ default: "443" })),
      [[PORT, "443"]],
    ],
    [
      "is told once, however often it came up",
      lists(declared(), declared({ question: "which PORT" })),
      [[PORT, "left to the agent"]],
    ],
    ["is not what a person is being asked", asked, []],
    ["is not what was put to a person who never answered", [...asked, aborted], []],
    [
      "is not what a person answered",
      [...asked, { type: "answered", answer: answer({ id: put.id }), inbox: null }],
      [],
    ],
  ])("%s", (_name, events, expected) => {
    expect(unaskedAfter(events)).toEqual(expected);
  });

  test.each<[string, Parameters<typeof step>[0], number]>([
    ["is a plan that nobody confirmed at level 0", { level: 0, confirms: true }, 1],
    ["is no plan that a person is shown", { level: 1, confirms: true }, 0],
    ["is no plan that nobody wanted confirmed", { level: 0, confirms: false }, 0],
  ])("%s", (_name, over, count) => {
    expect(unaskedAfter(attempt(), over)).toHaveLength(count);
  });
});
