// Which facts are told of a run and its tasks, each in one wording wherever it stands?

import { alarmLine } from "../../core/model/alarm.ts";
import { crossingWords, outOfScopeWords, refusedWords } from "../../core/model/fence.ts";
import { unusableWords } from "../../core/model/fence.ts";
import { changedWords } from "../../core/decide/lost-checks.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { GRADES } from "../../core/model/decision.ts";
import type { TaskEnd } from "../../core/model/event.ts";
import type { TokenCounts } from "../../core/model/session.ts";
import type { TestCounts } from "../../core/model/verdict.ts";
import type {
  GateProof,
  RunHead,
  SessionView,
  SpentView,
  TaskView,
} from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { dotted, type Fact, paragraph } from "../layout.ts";
import { agentWords, costWords, duration, kindWords, phaseLook, plural } from "./text.ts";
import { progressWords, scaled, STARTS } from "./text.ts";

const WORDS_MAX = 200;

/** Which run it is, how far it came, and what it took. `id`: as short as tells it from the others. */
export function runHeading(
  view: RunHead & { readonly tasks?: readonly TaskView[] },
  { id, at = null }: { readonly id: string; readonly at?: string | null },
  style: Style,
): readonly string[] {
  const { tone } = phaseLook(view.phase);
  const unproven = (view.tasks ?? []).filter(({ end }) => end?.kind === "done" && !end.verified);
  const doubt =
    unproven.length === 0
      ? ""
      : `, ${unproven.length === view.counts.done ? "" : `${unproven.length} of them `}not verified`;
  return [
    paragraph(style, `run ${id}: ${progressWords(view)}${doubt}`, { tone }),
    paragraph(style, dotted([spentWords(view.spent), at]), { tone: "quiet" }),
  ];
}

/** Money, tokens and time, as far as there is any to tell. */
export function spentWords(spent: SpentView): string {
  const { tokensByModel, elapsedMs, workMs, gatesMs, pausedMs } = spent;
  const ofGates = gatesMs >= 60_000 ? `, ${duration(gatesMs)} of it in gates` : "";
  const of = [
    // Several tasks work at the same time: then it says nothing about the clock.
    ...(workMs === 0 || workMs > elapsedMs ? [] : [`${duration(workMs)} at work${ofGates}`]),
    ...(pausedMs < 1_000 ? [] : [`${duration(pausedMs)} paused`]),
  ];
  return dotted([
    costWords(spent),
    tokenWords(Object.values(tokensByModel)),
    elapsedMs === 0
      ? null
      : `${duration(elapsedMs)}${of.length === 0 ? "" : ` (${of.join(", ")})`}`,
  ]);
}

/** "12k tokens in, 800 out, 90k cached"; null: nobody told. */
function tokenWords(models: readonly TokenCounts[]): string | null {
  const all = (kind: keyof TokenCounts): number => models.reduce((sum, one) => sum + one[kind], 0);
  const [fresh, out, cached] = [all("input") + all("cacheWrite"), all("output"), all("cacheRead")];
  if (fresh + out + cached === 0) return null;
  const cachedWords = cached === 0 ? "" : `, ${scaled(cached)} cached`;
  return `${scaled(fresh)} tokens in, ${scaled(out)} out${cachedWords}`;
}

/** How a task ended, and what proves it or why not; or where it stands. */
export function taskWords(task: TaskView): string {
  const { end, phase, proof, waiting } = task;
  if (end === null) {
    const isPutOff = task.doing === "deferred" && waiting?.untilMs === null;
    const words = isPutOff ? "deferred" : phaseLook(phase).words;
    return waiting === null ? words : `${words}: ${excerpt(waiting.cause, WORDS_MAX)}`;
  }
  if (end.kind !== "done") return endWords(end);
  if (end.verified) return [endWords(end), proofWords(proof)].filter(Boolean).join(": ");
  const ungated = proof.length === 0 ? "it has no gates" : "not every step has gates";
  return `${endWords(end)}: ${excerpt(task.unproven ?? ungated, WORDS_MAX)}`;
}

/** What a recorded end says by itself. */
export function endWords(end: TaskEnd): string {
  if (end.kind === "done") return `done, ${GRADES[end.grade]}`;
  const why = end.reason === "" ? "" : `: ${excerpt(end.reason, WORDS_MAX)}`;
  return `${kindWords(end.kind)}${why}`;
}

/** "41 → 43 tests, lint passes"; "": no gate ran. */
export function proofWords(proof: readonly GateProof[]): string {
  const isNamed = proof.length > 1;
  return proof.map((one) => (isNamed ? `${one.gate} ` : "") + gateWords(one, isNamed)).join(", ");
}

function gateWords({ gate, before, now }: GateProof, isNamed: boolean): string {
  const { counts, verdict } = now;
  const isCounted = counts !== null && (verdict !== "passed" || counts.failed === 0);
  if (!isCounted || counts.passed + counts.failed === 0) {
    const words = { passed: "passes", failed: "fails", unknown: "gave no verdict" }[verdict];
    const was = before?.verdict === "failed" ? ", and failed before" : "";
    return `${isNamed ? "" : `${gate} `}${words}${verdict === "passed" ? was : ""}`;
  }
  const [was, is] = [before?.counts ?? null, counts];
  const unit = is.passed + is.failed === 1 ? "test" : "tests";
  if (was === null) return `${share(is)} ${unit}`;
  return share(was) === share(is)
    ? `${share(is)} ${unit}, as before`
    : `${share(was)} → ${share(is)} ${unit}`;
}

/** Those that pass, and of how many where some fail. */
function share({ passed, failed }: TestCounts): string {
  return failed === 0 ? `${passed}` : `${passed} of ${passed + failed}`;
}

/** What a task cost, and how many attempts it took. */
export function effortWords({ end, steps, spent }: TaskView): string {
  const all = steps.flatMap((one) => one.attempts);
  const plans = all.filter(({ role }) => role === "plan").length;
  const attempts = all.length - plans;
  return dotted([
    end === null || attempts === 0 ? null : plural(attempts, "attempt"),
    end === null || plans === 0 ? null : plural(plans, "planning session"),
    costWords(spent),
  ]);
}

/** What a person has to know of a task beside how it stands. Of each kind the first `most`. */
export function taskFacts(task: TaskView, most: number): readonly Fact[] {
  const { end, proof, refusedClaims, permissions, assumptions, unasked } = task;
  const list = <T>(label: string, items: readonly T[], words: (item: T) => string): Fact[] => {
    const more = items.length - most;
    const shown = items.slice(0, most).map((item): Fact => [label, excerpt(words(item), 400)]);
    return more > 0 ? [...shown, ["", `… and ${more} more: orch show ${task.id}`]] : shown;
  };
  const isVerified = end?.kind === "done" && end.verified;
  const [coach] = task.steps.flatMap(({ attempts }) => attempts).at(-1)?.coach?.words ?? [];
  const [given, denied] = [true, false].map((yes) =>
    permissions.filter(({ allowed }) => allowed === yes),
  );
  return [
    ["gates", isVerified || proof.length === 0 ? null : proofWords(proof)],
    ["refused", refusedClaims === 0 ? null : `${plural(refusedClaims, "claim")} of completion`],
    ["criteria", criteriaWords(task.criteria)],
    ["coach", coach?.startsWith("the coach gave no") === true ? coach : null],
    ["accepted", task.acceptedBy === null ? null : `by ${task.acceptedBy}`],
    ...list("allowed", given ?? [], ({ act, by }) => `${act} (by ${by})`),
    ...list("denied", denied ?? [], ({ act, by }) => `${act} (by ${by})`),
    ...list("assumed", assumptions, ({ decision, reason }) =>
      reason === null ? decision : `${decision} (${reason})`,
    ),
    ...list("unasked", unasked, ({ question, answer }) => `${question} → ${answer}`),
    ...list("not heeded", task.notHeeded, (key) => `${key}: the policy of ${task.by} counts`),
    ...list("changed", task.changedChecks, changedWords),
    ...list("outside", task.outOfScope, outOfScopeWords),
    ...list("alarm", alarmsOf(task), (words) => words),
    ...list("noted", task.notes, alarmLine),
  ];
}

/** Nothing where nobody judged any: the task's text says what they are. */
function criteriaWords(criteria: TaskView["criteria"]): string | null {
  const judged = criteria.filter(({ met }) => met !== null);
  const open = criteria.filter(({ met }) => met === false).map(({ text }) => text);
  if (judged.length === 0) return null;
  const unknown = criteria.length - judged.length;
  return dotted([
    `${judged.length - open.length} of ${criteria.length} met`,
    open.length === 0 ? null : `not met: ${excerpt(open.join("; "), 300)}`,
    unknown === 0 ? null : `${unknown} unknown`,
  ]);
}

function alarmsOf({ refused, unusable, crossings }: TaskView): readonly string[] {
  return [
    ...(refused.length === 0 ? [] : [refusedWords(refused)]),
    ...(unusable.length === 0 ? [] : [unusableWords(unusable)]),
    ...crossings.map(crossingWords),
  ];
}

/** Who worked in a session, and how it ended. */
export function sessionWords(session: SessionView): string {
  const ending = session.ending === null ? "runs" : dotted([session.ending, session.detail]);
  // What begins anew needs no word.
  const start = session.start === "fresh" ? null : STARTS[session.start];
  return dotted([agentWords(session.agent, session.model), start, ending]);
}
