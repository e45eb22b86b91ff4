// Which keys of a config set values of the policy?

import { z } from "zod";

import type { AskingPolicy } from "../core/model/question.ts";
import { SIGNALS, type SignalId } from "../core/model/signals.ts";
import { milliseconds } from "../core/model/duration.ts";
import { costUsd, count, duration } from "./fields.ts";
import { group, key, needed } from "./key.ts";

/** A key of a limit. */
function limit<T extends z.ZodType>(at: string, schema: T, about: string): z.ZodOptional<T> {
  return key(schema, about, { policy: `limits.${at}` });
}

/** One that counts while a session runs. */
function ofSession<T extends z.ZodType>(at: string, schema: T, about: string): z.ZodOptional<T> {
  return key(schema, about, { policy: { at: `limits.${at}`, whileRunning: true } });
}

/** The budget of a task, as config and front matter write it. */
const budgetShape = {
  attempts: key(
    count(1),
    "Attempts of one step under one plan. A number of your own is not extended for progress, unless you also give the next key.",
    { policy: { at: "limits.attempts", brings: ["limits.attemptsWithProgress"] } },
  ),
  attemptsWithProgress: limit(
    "attemptsWithProgress",
    count(1),
    "The same, if there is progress; at least `attempts`.",
  ),
  replans: limit("replans", count(0), "New plans."),
  handoffs: limit("handoffs", count(0), "Fresh sessions from a written resume point."),
  sessions: limit("sessions", count(1), "Sessions, those after provider faults included."),
  questions: limit("questions", count(0), "Questions of the agent that a person gets."),
  costUsd: limit("costUsd", costUsd, "US dollars, or `null`."),
  tokens: limit("tokens", count(1).nullable(), "Fresh input, output and cache writes; or `null`."),
  time: limit("timeMs", duration, "Time at work, without pauses and waits."),
  turns: ofSession("turns", count(1), "Model rounds of one session."),
};

export const budgetOfTask = z.strictObject(budgetShape).meta({ id: "BudgetConfig" });

const ofTaskAndRun = {
  ...budgetShape,
  run: group({
    costUsd: key(costUsd, "Of all tasks of a run together; or `null`.", {
      otherwise: "`50`, and at least `costUsd`",
      policy: { at: "run.costUsd", raisedBy: "budget.costUsd" },
    }),
    time: key(duration, "The same for time at work.", {
      otherwise: '`"24h"`, and at least `time`',
      policy: { at: "run.timeMs", raisedBy: "budget.time" },
    }),
    questions: key(count(0), "The same for questions.", { policy: "run.questions" }),
  }),
};

export const budget = z.strictObject(ofTaskAndRun);

export const timeouts = z.strictObject({
  idle: ofSession("idleMs", duration, "Silence of the agent that ends a session."),
  session: ofSession("sessionMs", duration, "Wall time of one session."),
  join: limit(
    "joinMs",
    duration,
    "So long one that joins both sides of a conflict holds up other merges.",
  ),
});

const rung = (at: string, about: string) => key(count(1), about, { policy: `stall.${at}` });

export const stall = z.strictObject({
  sameFailure: group({
    demand: rung(
      "sameFailure.demand",
      "The agent must try a different approach, where no new plan is left.",
    ),
    replan: rung("sameFailure.replan", "A new plan, if one is left."),
    stall: rung("sameFailure.stall", "The task stalls."),
  }),
  anyFailure: group({
    rollback: rung(
      "anyFailure.rollback",
      "Any failures with nothing else between them, and none with fewer failing checks: back to the [last tree that passed](decisions.md#rollback), with a new plan.",
    ),
  }),
  unknownGate: group({
    demand: rung(
      "unknownGate.demand",
      "The agent must change something that keeps the gates from a verdict.",
    ),
    stall: rung("unknownGate.stall", "The task stalls."),
  }),
  noChange: group({
    stall: rung("noChange.stall", "Attempts without a change to the tree. The task stalls."),
  }),
  plateau: group({
    replan: rung(
      "plateau.replan",
      "Attempts whose number of failing checks does not fall, one more if the failure is new: a new plan, if one is left, else the task stalls.",
    ),
  }),
  timedOut: group({
    replan: rung(
      "timedOut.replan",
      "Sessions that ran out of time or went silent: a new plan, if one is left.",
    ),
  }),
  stateReturns: group({
    stall: rung(
      "stateReturns.stall",
      "Over all plans: returns to an earlier [state](decisions.md#streaks). The task stalls.",
    ),
  }),
  sameFingerprintEver: rung(
    "sameFingerprintEver",
    "Over all plans: the same failure. The task stalls.",
  ),
});

export const questions = z.strictObject({
  expiresIn: key(
    duration,
    "How long a question waits for a person. Then an agent's question takes its default, or the most conservative reading; what orch itself asked ends the task.",
    "for ever",
  ),
});

export function askingOf({ expiresIn }: z.infer<typeof questions> = {}): AskingPolicy {
  return { expiresInMs: expiresIn === undefined ? null : milliseconds(expiresIn) };
}

const WEIGHT_MAX = 100;
const WEIGHT_WORDS = `expected a number from 0 to ${WEIGHT_MAX}`;
const weight = z
  .number({ error: WEIGHT_WORDS })
  .min(0, { error: WEIGHT_WORDS })
  .max(WEIGHT_MAX, { error: WEIGHT_WORDS });
const ids: readonly SignalId[] = Object.keys(SIGNALS).filter(isSignal);
const weights = z.partialRecord(z.enum(ids), weight);

const threshold = z
  .number({ error: "expected a number above 0" })
  .gt(0, { error: "expected a number above 0" })
  .max(1_000, { error: "expected at most 1000" });

export const uncertainty = z.strictObject({
  enabled: key(z.boolean(), "`false`: nothing is added up.", { policy: "uncertainty.enabled" }),
  threshold: key(threshold, "The score at which orch acts, at every level.", {
    otherwise: "by level: 10, 8, 5, 4, 3 from level 1 on, 5 at level 0",
    policy: { at: "uncertainty.threshold", none: "by level" },
  }),
  autoSkipThreshold: key(
    threshold,
    "The score at which a task is skipped if nobody may be asked.",
    { policy: "uncertainty.autoSkipThreshold" },
  ),
  interactive: key(
    z.boolean(),
    "`false`: no person is asked because of a score, at any level; what level 0 does is done.",
    { policy: "uncertainty.interactive" },
  ),
  weights: key(weights, "What each sign adds, from 0 to 100; 0 switches it off.", {
    otherwise: "below",
    policy: "uncertainty.weights",
  }),
});

export const proof = z.strictObject({
  changedChecks: key(
    z.enum(["list", "ask", "refuse"]),
    'If checks that passed before were changed, each with a reason: `"list"` them, `"ask"` a person, or `"refuse"`.',
    {
      otherwise: '`"list"`; from level 3 on `"ask"`',
      policy: { at: "proof.changedChecks", none: "by level" },
    },
  ),
  place: key(
    z.enum(["own", "tree"]),
    'Where gates run: on the commit, in a place of orch\'s `"own"`; or in the `"tree"` where the agent works, which proves nothing.',
    { policy: "proof.place" },
  ),
});

export const waitForRateLimitReset = z.union(
  [
    z.boolean(),
    z.strictObject({
      maxWait: needed(
        duration,
        'Instead of `true`: `{ maxWait: "2h" }`. All that a task may wait: for resets, and a provider that fails. What would be longer ends with exit code 75.',
        { policy: { at: "reset.maxWaitMs", brings: ["reset.waits"] } },
      ),
    }),
  ],
  { error: 'expected true, false, or { maxWait: "6h" }' },
);

function isSignal(text: string): text is SignalId {
  return Object.hasOwn(SIGNALS, text);
}
