import { describe, expect, test } from "vitest";

import { decide } from "../../src/core/decide/decide.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { NO_TRACE, type SessionEnding } from "../../src/core/model/session.ts";
import { evidence } from "../support/builders.ts";
import { atLevel, history, interaction, noReport, policy, read, streaks } from "./builders.ts";
import { decides, red } from "./decision-table.ts";

const died = (detail: string, over: Partial<Extract<SessionEnding, { kind: "crashed" }>> = {}) =>
  ({ kind: "crashed", exitCode: 1, signal: null, detail, ...over }) as const;
const saying = (detail: string, over: Partial<Evidence> = {}) =>
  evidence({ ending: died(detail), report: noReport, gates: [], ...over });
const closing = (text: string, over: Partial<Evidence> = {}) =>
  evidence({
    report: noReport,
    gates: [],
    trace: { ...NO_TRACE, toolCalls: 3, closing: text },
    ...over,
  });

const LIMIT = "Error: usage limit reached. Your limit resets in 2 hours.";
const KEY = "Error: ANTHROPIC_API_KEY is not set";
const again = history({ streaks: streaks({ crashed: 1 }) });
const FULL = "write /tmp/x: no space left on device";

describe("the last words of a program that died", () => {
  const throttled = saying("HTTP 429: Too many requests, please slow down");
  const ninth = { streaks: streaks({ providerCause: "rate_limit", providerTries: 8 }) };
  const long = saying("prompt is too long: 214000 tokens > 200000 maximum");
  const other = saying("TypeError: x is not a function");
  const reported = saying(KEY, { report: read(), gates: red });
  const printed = saying("", { trace: { ...NO_TRACE, closing: `Reading the task\n${KEY}` } });
  decides([
    ["name a plan limit with its reset: it is waited for", "wait usage-limit-wait", saying(LIMIT)],
    ["name a throttle: the same after a delay", "backoff provider-backoff", throttled],
    ["name a throttle for the ninth time", "wait usage-limit-poll", throttled, ninth],
    ["name a missing key: a person", "pause/blocker credential-missing", saying(KEY), {}, 1],
    ["name a missing key at level 0: blocked", "blocked credential-missing", saying(KEY), {}, 0],
    ["name a full disk: one more attempt is safe", "feedback session-crashed", saying(FULL), {}, 2],
    ["name it again: a person", "pause/blocker hard-blocker-said", saying(FULL), again, 2],
    ["name it again at level 0: blocked", "blocked hard-blocker-said", saying(FULL), again, 0],
    ["name a used up context: a fresh session continues", "handoff context-handoff", long],
    ["name nothing orch knows: it is told so", "feedback session-crashed", other],
    ["count for nothing beside a report", "feedback gate-red", reported, {}, 3],
    ["are what it printed last", "pause/blocker credential-missing", printed, {}, 1],
  ]);

  test("are waited for until the moment they name", () => {
    const { at } = evidence();
    expect(decide(saying(LIMIT), history(), policy())).toMatchObject({
      how: { kind: "wait", stated: true, untilMs: at.nowMs + 2 * 3_600_000 + 7_500 },
    });
  });
});

describe("the last words of a session that left no report", () => {
  const CHOICE =
    "The task does not say it: should deleting an account also delete its invoices, or keep them?";
  const COURTESY = "All done. Let me know if you would like anything else!";
  const DOUBT = "I am not sure this is the nicest name, but perhaps it is fine.";
  const reported = closing(CHOICE, { report: read(), gates: evidence().gates });
  const used = { questionsAsked: 3 };
  decides(
    [
      ["ask what changes behaviour", "pause/question closing-question", closing(CHOICE)],
      ["ask where it is not worth it", "feedback report-missing", closing(CHOICE), {}, 1],
      ["ask where nobody is there", "feedback report-missing", closing(CHOICE), {}, 0],
      ["are courteous", "feedback report-missing", closing(COURTESY), {}, 5],
      ["are full of doubt", "feedback report-missing", closing(DOUBT), {}, 4],
      ["count for nothing beside a report", "advance gate-green", reported, {}, 5],
      ["ask when the questions are used up", "feedback report-missing", closing(CHOICE), used],
    ],
    3,
  );

  test("are not asked again when they were answered", () => {
    const asked = decide(closing(CHOICE), history(), atLevel(3));
    if (asked.kind !== "pause") throw new Error("it asks");
    const answered = history({ interactions: [interaction({ question: asked.ask.question })] });
    expect(decide(closing(CHOICE), answered, atLevel(3)).rule).toBe("report-missing");
  });
});
