import { describe, expect, test } from "vitest";

import { decideExplained } from "../../src/core/decide/decide.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { NO_TRACE, NO_USAGE } from "../../src/core/model/session.ts";
import { causeOfRule, type StallCause } from "../../src/core/run/outcome.ts";
import { evidence } from "../support/builders.ts";
import {
  atLevel,
  crashed,
  fault,
  finished,
  history,
  noReport,
  streaks,
  unchanged,
} from "./builders.ts";
import { decides, red, seenBefore } from "./decision-table.ts";

const cut = { report: noReport, gates: red };
const killed = { ...cut, ending: { ...crashed, exitCode: null, signal: "SIGTERM" } };
const oom = { ...cut, ending: { ...crashed, exitCode: null, signal: "SIGKILL" } };
const turns = { ...cut, ending: { kind: "limit", limit: "turns" } } as const;
const hook = "a hook kept the agent from stopping: run the linter first";
const hooked = { ...cut, ending: finished, trace: { ...NO_TRACE, hook } };
const noCall = {
  ...cut,
  gates: [],
  ending: finished,
  usage: { ...NO_USAGE, turns: 0 },
  tree: unchanged,
};
const heldBack = {
  ...noCall,
  trace: { ...NO_TRACE, hook: "a hook refused the prompt: no ticket" },
};
const looped = {
  ...cut,
  ending: { kind: "looped", rule: "same-call", detail: "again" },
} as const;
const refused = { ...cut, ending: fault("refusal") };

const times = (ending: string, endings: number) =>
  history({ streaks: streaks({ ending, endings }) });
const tried = history({ streaks: streaks({ providerCause: "no_call", providerTries: 1 }) });

describe("the way a session ended", () => {
  decides([
    ["goes on with what a kill left", "feedback session-crashed", killed],
    ["is no reason for a new plan", "feedback session-crashed", killed, seenBefore(2)],
    ["goes to a person the third time", "blocked ending-again", killed, times("killed", 2)],
    ["begins anew after another ending", "feedback session-crashed", killed, times("turns", 2)],
    ["is told where a hook spoke last", "feedback hook-refused", hooked],
    ["is told where turns are used up", "feedback phase-incomplete", turns],
    ["still ends with the last attempt", "stalled attempts-spent", turns, { counted: 2 }],
    ["counts for nothing where no model was called", "backoff agent-never-ran", noCall],
    ["goes to a person where that comes twice", "blocked agent-never-ran", noCall, tried],
    ["or is asked", "pause/blocker agent-never-ran", heldBack, tried, 1],
    ["does not count where the work is claimed", "advance gate-green", { ending: killed.ending }],
  ]);

  test.each<[string, Partial<Evidence>, ReturnType<typeof history>, StallCause]>([
    [
      "the agent's program was killed (SIGTERM), 3 sessions in a row",
      killed,
      times("killed", 2),
      "environment",
    ],
    [
      "the agent's program was killed (SIGKILL), 2 sessions in a row; out of memory?",
      oom,
      history({ streaks: streaks({ crashed: 1 }) }),
      "environment",
    ],
    [`${hook}, 3 sessions in a row`, hooked, times("hooked", 2), "environment"],
    ["a hook refused the prompt: no ticket, 2 sessions in a row", heldBack, tried, "environment"],
    [
      "the agent left no report and changed nothing, 3 sessions in a row",
      { report: noReport, gates: red, tree: unchanged },
      times("idle", 2),
      "environment",
    ],
    ["the agent made no call to its model, 2 sessions in a row", noCall, tried, "environment"],
    ["the agent looped: again, 3 sessions in a row", looped, times("looped", 2), "agent"],
    [
      "the session used up its turns, 3 sessions in a row",
      turns,
      times("turns", 2),
      "context-pollution",
    ],
    [
      "the model refused: it said no, 3 sessions in a row",
      refused,
      times("refused", 2),
      "provider",
    ],
    [
      "the session used up its turns; 3 attempts are used up",
      turns,
      history({ counted: 2 }),
      "context-pollution",
    ],
  ])("is the first thing that is read: %s", (reason, seen, past, cause) => {
    const { decision, explanation } = decideExplained(evidence(seen), past, atLevel(0));
    expect(decision).toMatchObject({ kind: "stall", reason });
    expect(explanation.evidence[0]).toBe(reason);
    expect(causeOfRule(decision.rule, evidence(seen))).toBe(cause);
  });
});
