// Which decisions of a recorded run differ, by other rules or under another policy?

import { excerpt } from "../../core/model/excerpt.ts";
import type { Reasoned, Replayed } from "../../core/views/replay.ts";
import type { Style } from "../io.ts";
import { dotted, type Fact, facts, paragraph } from "../layout.ts";
import { decisionWords, named } from "./decision.ts";
import { plural } from "./text.ts";

export interface ReplayedRun {
  readonly run: string;
  readonly decisions: readonly Replayed[];
  /** The versions of orch that wrote the log. */
  readonly writtenBy: readonly string[];
  /** The version that decides now. */
  readonly version: string;
}

/** A value of another policy, by its key in the config. */
interface ChosenValue {
  readonly key: string;
  readonly value: unknown;
}

export interface ReplayShown {
  readonly runs: readonly ReplayedRun[];
  /** What is laid over the recorded policy; empty: nothing is, the rules are checked. */
  readonly policy: readonly ChosenValue[];
}

const REASON_CHARS_MAX = 240;
const HYPOTHETICAL = "~";

/** True where every decision is the recorded one, by these rules and the recorded policy. */
export function isReproduced(runs: readonly ReplayedRun[]): boolean {
  return runs.every(({ decisions }) => decisions.every(({ byRules }) => byRules !== "differs"));
}

/** `all`: also the decisions that do not differ. */
export function renderReplays({ runs, policy }: ReplayShown, all: boolean, style: Style): string {
  return runs.map((one) => runLines(one, policy, all, style).join("\n")).join("\n\n");
}

function runLines(
  one: ReplayedRun,
  policy: ReplayShown["policy"],
  all: boolean,
  style: Style,
): readonly string[] {
  const { run, decisions } = one;
  const heading = paragraph(style, `run ${run}`, { tone: "strong" });
  if (decisions.length === 0) return [heading, "nothing was decided yet"];
  const isListed = ({ byRules, byPolicy }: Replayed): boolean =>
    all || byRules === "differs" || byPolicy === "differs";
  const listed = decisions.filter(isListed);
  const isMarked = listed.some((each) => markOf(each) !== "");
  const note = `${HYPOTHETICAL} after the first difference of its task: this attempt might never have been`;
  return [
    heading,
    ...underLines(policy, style),
    ...headlines(one, policy.length > 0, style),
    ...listed.flatMap((each) => ["", ...decisionLines(each, policy.length > 0, style)]),
    ...(isMarked ? ["", paragraph(style, note, { tone: "quiet", hanging: "  " })] : []),
  ];
}

function markOf({ hypothetical, byPolicy }: Replayed): string {
  return hypothetical && byPolicy === "differs" ? `${HYPOTHETICAL} ` : "";
}

function underLines(policy: ReplayShown["policy"], style: Style): readonly string[] {
  if (policy.length === 0) return [];
  const words = policy.map(
    ({ key, value }) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [paragraph(style, `under ${words.join(", ")}`, { tone: "quiet", hanging: "  " })];
}

function headlines(
  { decisions, writtenBy, version }: ReplayedRun,
  isChosen: boolean,
  style: Style,
): readonly string[] {
  const all = plural(decisions.length, "decision");
  const count = (how: (each: Replayed) => boolean): number => decisions.filter(how).length;
  const byRules = count((each) => each.byRules === "differs");
  const byPolicy = count((each) => each.byPolicy === "differs");
  const rules = `${byRules} of ${all} not as these rules decide: the log was written by other rules (by orch ${writtenBy.join(", ")}; this is ${version})`;
  const policy = byPolicy === 0 ? `${all}, none differs` : `${byPolicy} of ${all} differ`;
  const verdict = (isGood: boolean, text: string): string =>
    paragraph(style, text, { tone: isGood ? "good" : "attention", hanging: "  " });
  return [
    ...(byRules > 0 ? [verdict(false, rules)] : []),
    ...(isChosen ? [verdict(byPolicy === 0, policy)] : []),
    ...(byRules > 0 || isChosen ? [] : [verdict(true, `${all}, all as recorded`)]),
  ];
}

function decisionLines(each: Replayed, isChosen: boolean, style: Style): readonly string[] {
  const { recorded, again, other, byRules, byPolicy } = each;
  const place = dotted([
    each.task,
    each.step,
    `attempt ${each.attempt}`,
    each.plan > 1 ? `plan ${each.plan}` : null,
  ]);
  return [
    paragraph(style, `${markOf(each)}${place}`, { tone: "strong", hanging: "  " }),
    ...facts(style, [
      ["recorded", decisionWords(named(recorded.decision))],
      ...(byRules === "differs" ? reasoned(isChosen ? "rules" : "instead", again) : []),
      ...(byPolicy === "differs" ? reasoned("instead", other) : []),
    ]),
  ];
}

function reasoned(label: string, { decision, evidence }: Reasoned): readonly Fact[] {
  const [reason = null] = evidence;
  return [
    [label, decisionWords(named(decision))],
    ["because", reason === null ? null : excerpt(reason, REASON_CHARS_MAX)],
  ];
}
