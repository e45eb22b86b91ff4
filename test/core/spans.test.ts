import { expect, test } from "vitest";

import type { RunEvent } from "../../src/core/model/event.ts";
import { idOf, type TaskId } from "../../src/core/model/ids.ts";
import { NO_SPANS, spansAfter, type Span } from "../../src/core/views/spans.ts";
import {
  answer,
  attempt,
  attemptBegun,
  FAILED,
  measured,
  pauseFor,
  question,
  recorded,
  runStarted,
  sessionEnded,
  taskStarted,
} from "../support/builders.ts";

const task = idOf<TaskId>("add-login");
const KILLED: RunEvent = { type: "run-resumed", stopped: "killed", orch: "0.1.0" };
const WHOLE: readonly RunEvent[] = [
  ...runStarted(),
  taskStarted(),
  measured("base", FAILED),
  ...attempt({ gates: [FAILED], decision: pauseFor(question()) }),
  { type: "question-asked", question: question() },
  { type: "run-ended", exitCode: 4 },
  { ...KILLED, stopped: "in-order" },
  { type: "answered", answer: answer(), inbox: null },
  ...attempt({ n: 2 }),
  { type: "merge-started", task, commit: "c0ffee", onto: "b0bbed" },
  { type: "merge-ended", task, result: { kind: "merged", commit: "b0bbed" } },
  { type: "task-ended", task, end: { kind: "blocked", reason: "no", gatesFailing: false } },
  { type: "run-ended", exitCode: 3 },
];

function spansOf(events: readonly RunEvent[]): readonly Span[] {
  let spans = NO_SPANS;
  return recorded(events).flatMap((one) => (spans = spansAfter(spans, one)).ended);
}

/** Each with the names of those around it, and what failed. */
function summaries(events: readonly RunEvent[]): readonly string[] {
  const all = spansOf(events);
  const path = ({ name, parentId }: Span): string => {
    const outer = all.find(({ spanId }) => spanId === parentId);
    return `${outer === undefined ? "" : `${path(outer)} > `}${name}`;
  };
  return all.map((span) => `${path(span)}${span.error === null ? "" : `: ${span.error}`}`);
}

test("a run is a tree of its tasks, attempts, sessions, gates, merges and questions", () => {
  expect(summaries(WHOLE)).toEqual([
    "orch run > task add-login > gate test",
    "orch run > task add-login > attempt 1 > invoke_agent claude-code",
    "orch run > task add-login > attempt 1 > gate test: the gate test failed",
    "orch run > task add-login > attempt 1",
    "orch run",
    "orch run > task add-login > question",
    "orch run > task add-login > attempt 2 > invoke_agent claude-code",
    "orch run > task add-login > attempt 2 > gate test",
    "orch run > task add-login > attempt 2",
    "orch run > task add-login > merge",
    "orch run > task add-login: no",
    "orch run > orch resume: a task was blocked or skipped",
  ]);
});

test("a session is named by the conventions for generative AI, without a word of it", () => {
  const [base, session, gate, first] = spansOf(WHOLE);
  expect((base?.endMs ?? 0) - (base?.startMs ?? 0)).toBe(FAILED.elapsedMs);
  expect(gate?.attributes).toMatchObject({ "orch.measured": "work", "orch.verdict": "failed" });
  expect(first?.attributes).toMatchObject({ "orch.decision": "pause" });
  expect(session?.attributes).toEqual({
    "orch.task": "add-login",
    "orch.step": "implement",
    "orch.attempt": 1,
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.provider.name": "anthropic",
    "gen_ai.agent.name": "claude-code",
    "gen_ai.request.model": "opus",
    "gen_ai.conversation.id": "session-1",
    "gen_ai.usage.input_tokens": 10_500,
    "gen_ai.usage.output_tokens": 800,
    "error.type": null,
    "orch.cost_usd": 0.42,
  });
});

test("a run that was killed ends with its last fact, and goes on in the same trace", () => {
  const ending = sessionEnded({ ending: { kind: "lost" } });
  const begun = [...runStarted(), taskStarted(), ...attemptBegun({})];
  const spans = spansOf([...begun, KILLED, ending]);
  expect(spans.map(({ name, error }) => [name, error])).toEqual([
    ["orch run", "cut off"],
    ["invoke_agent claude-code", "lost"],
  ]);
  expect(spans[0]?.endMs).toBe(Date.parse(recorded(begun).at(-1)?.at ?? ""));
  expect(spans[1]?.spanId).toBe(spansOf([...begun, ending])[0]?.spanId);
});
