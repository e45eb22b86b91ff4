import { describe, expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import type { SessionEnding } from "../../src/core/model/session.ts";
import { evidence } from "../support/builders.ts";
import { atLevel, history, interaction, noReport, policy, read, streaks } from "./builders.ts";
import { decides, red } from "./decision-table.ts";

const died = (detail: string, over: Partial<Extract<SessionEnding, { kind: "crashed" }>> = {}) =>
  ({ kind: "crashed", exitCode: 1, signal: null, detail, ...over }) as const;
const saying = (detail: string, over: Partial<Evidence> = {}) =>
  evidence({ ending: died(detail), report: noReport, gates: [], ...over });
const closing = (text: string, over: Partial<Evidence> = {}) =>
  evidence({ report: noReport, gates: [], trace: { toolCalls: 3, closing: text }, ...over });

const LIMIT = "Error: usage limit reached. Your limit resets in 2 hours.";
const KEY = "Error: ANTHROPIC_API_KEY is not set";
const again = history({ streaks: streaks({ crashed: 1 }) });
const FULL = "write /tmp/x: no space left on device";

describe("the last words of a program that died", () => {
  decides([
    [
      "name a plan limit with its reset: it is waited for",
      saying(LIMIT),
      history(),
      policy(),
      "continue/wait",
      "usage-limit-wait",
    ],
    [
      "name a throttle: the same again after a delay",
      saying("HTTP 429: Too many requests, please slow down"),
      history(),
      policy(),
      "continue/backoff",
      "provider-backoff",
    ],
    [
      "name a throttle for the ninth time: it is a limit without a reset",
      saying("HTTP 429: Too many requests, please slow down"),
      history({ streaks: streaks({ providerCause: "rate_limit", providerTries: 8 }) }),
      policy(),
      "continue/wait",
      "usage-limit-poll",
    ],
    [
      "name a missing key: a person is needed",
      saying(KEY),
      history(),
      atLevel(1),
      "pause/blocker",
      "credential-missing",
    ],
    [
      "name a missing key at level 0: blocked",
      saying(KEY),
      history(),
      atLevel(0),
      "stall/blocked",
      "credential-missing",
    ],
    [
      "name a full disk: one more attempt is safe",
      saying(FULL),
      history(),
      atLevel(2),
      "continue/feedback",
      "session-crashed",
    ],
    [
      "name a full disk: a person is needed",
      saying(FULL),
      again,
      atLevel(2),
      "pause/blocker",
      "hard-blocker-said",
    ],
    [
      "name a full disk at level 0: blocked",
      saying(FULL),
      again,
      atLevel(0),
      "stall/blocked",
      "hard-blocker-said",
    ],
    [
      "name a used up context: a fresh session goes on",
      saying("prompt is too long: 214000 tokens > 200000 maximum"),
      history(),
      policy(),
      "continue/handoff",
      "context-handoff",
    ],
    [
      "name nothing orch knows: it died, and is told so",
      saying("TypeError: x is not a function"),
      history(),
      policy(),
      "continue/feedback",
      "session-crashed",
    ],
    [
      "count for nothing beside a report",
      saying(KEY, { report: read(), gates: red }),
      history(),
      atLevel(3),
      "continue/feedback",
      "gate-red",
    ],
    [
      "are the last it printed, where its error output is empty",
      saying("", { trace: { toolCalls: null, closing: `Reading the task\n${KEY}` } }),
      history(),
      atLevel(1),
      "pause/blocker",
      "credential-missing",
    ],
  ]);

  test("are waited for until the moment they name", () => {
    const { at } = evidence();
    expect(decide(saying(LIMIT), history(), policy())).toMatchObject({
      how: { kind: "wait", stated: true, untilMs: at.nowMs + 2 * 3_600_000 + 90_000 },
    });
  });
});

describe("the last words of a session that left no report", () => {
  const CHOICE =
    "The task does not say it: should deleting an account also delete its invoices, or keep them?";
  const COURTESY = "All done. Let me know if you would like anything else!";
  const DOUBT = "I am not sure this is the nicest name, but perhaps it is fine.";
  const reportAsked = { report: read({ status: "completed" }) };
  decides([
    [
      "ask what changes behaviour: asked at level 3",
      closing(CHOICE),
      history(),
      atLevel(3),
      "pause/question",
      "closing-question",
    ],
    [
      "ask at a level where it is not worth it",
      closing(CHOICE),
      history(),
      atLevel(1),
      "continue/feedback",
      "report-missing",
    ],
    [
      "ask where nobody is there",
      closing(CHOICE),
      history(),
      atLevel(0),
      "continue/feedback",
      "report-missing",
    ],
    [
      "are courteous",
      closing(COURTESY),
      history(),
      atLevel(5),
      "continue/feedback",
      "report-missing",
    ],
    [
      "are full of doubt",
      closing(DOUBT),
      history(),
      atLevel(4),
      "continue/feedback",
      "report-missing",
    ],
    [
      "count for nothing beside a report",
      closing(CHOICE, { ...reportAsked, gates: evidence().gates }),
      history(),
      atLevel(5),
      "continue/advance",
      "gate-green",
    ],
    [
      "are not asked once the questions are used up",
      closing(CHOICE),
      history({ questionsAsked: 3 }),
      atLevel(3),
      "continue/feedback",
      "report-missing",
    ],
  ]);

  test("are not asked again when they were answered", () => {
    const asked = decide(closing(CHOICE), history(), atLevel(3));
    if (asked.kind !== "pause") throw new Error("it asks");
    const answered = history({ interactions: [interaction({ question: asked.ask.question })] });
    expect(decide(closing(CHOICE), answered, atLevel(3)).rule).toBe("report-missing");
  });
});
