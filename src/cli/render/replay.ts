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

export interface ReplayShown {
  readonly replays: readonly ReplayedRun[];
  /** What is laid over the recorded policy; empty: nothing is, the rules are checked. */
  readonly chosen: readonly {
    readonly key: string;
    readonly value: unknown;
    readonly from: string;
  }[];
  /** Also the decisions that do not differ. */
  readonly all: boolean;
}

const REASON_CHARS_MAX = 240;
const HYPOTHETICAL = "~";

/** True where every decision is the recorded one, by these rules and the recorded policy. */
export function isReproduced(replays: readonly ReplayedRun[]): boolean {
  return replays.every(({ decisions }) => decisions.every(({ byRules }) => byRules !== "differs"));
}

/** For programs: every decision, whether it differs or not. */
export function replaysForPrograms({ replays, chosen }: ReplayShown) {
  return { policy: chosen, reproduced: isReproduced(replays), runs: replays };
}

export function renderReplays(shown: ReplayShown, style: Style): string {
  return shown.replays.map((one) => runLines(one, shown, style).join("\n")).join("\n\n");
}

function runLines(one: ReplayedRun, shown: ReplayShown, style: Style): readonly string[] {
  const { run, decisions } = one;
  const listed = decisions.filter((each) => shown.all || isListed(each, shown));
  const heading = paragraph(style, `run ${run}`, { tone: "strong" });
  if (decisions.length === 0) return [heading, "nothing was decided yet"];
  const isMarked = listed.some((each) => markOf(each) !== "");
  const note = `${HYPOTHETICAL} after the first difference of its task: this attempt might never have been`;
  return [
    heading,
    ...underLines(shown, style),
    ...headlines(one, shown, style),
    ...listed.flatMap((each) => ["", ...decisionLines(each, shown, style)]),
    ...(isMarked ? ["", paragraph(style, note, { tone: "quiet", hanging: "  " })] : []),
  ];
}

/** Without another policy only the rules can make a difference. */
function isListed({ byRules, byPolicy }: Replayed, { chosen }: ReplayShown): boolean {
  return byRules === "differs" || (chosen.length > 0 && byPolicy === "differs");
}

function markOf({ hypothetical, byPolicy }: Replayed): string {
  return hypothetical && byPolicy === "differs" ? `${HYPOTHETICAL} ` : "";
}

function underLines({ chosen }: ReplayShown, style: Style): readonly string[] {
  if (chosen.length === 0) return [];
  const words = chosen.map(({ key, value, from }) => {
    const text = `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`;
    return from.startsWith("--") ? text : `${text} (${from})`;
  });
  return [paragraph(style, `under ${words.join(", ")}`, { tone: "quiet", hanging: "  " })];
}

function headlines(one: ReplayedRun, { chosen }: ReplayShown, style: Style): readonly string[] {
  const { decisions, writtenBy, version } = one;
  const all = plural(decisions.length, "decision");
  const count = (how: (each: Replayed) => boolean): number => decisions.filter(how).length;
  const byRules = count((each) => each.byRules === "differs");
  const byPolicy = count((each) => each.byPolicy === "differs");
  const otherWords = count((each) => each.byRules === "other-words");
  const rules = `${byRules} of ${all} ${byRules === 1 ? "is" : "are"} not what these rules decide: the log was written by other rules (by orch ${writtenBy.join(", ")}; this is ${version})`;
  const policy =
    byPolicy === 0
      ? `${all}, none differs`
      : `${byPolicy} of ${all} ${byPolicy === 1 ? "differs" : "differ"}`;
  const worded = otherWords === 0 ? "" : `, ${otherWords} of them in other words`;
  const said = (isGood: boolean, text: string): string =>
    paragraph(style, text, { tone: isGood ? "good" : "attention", hanging: "  " });
  return [
    ...(byRules > 0 ? [said(false, rules)] : []),
    ...(chosen.length > 0 ? [said(byPolicy === 0, policy)] : []),
    ...(byRules === 0 && chosen.length === 0
      ? [said(true, `${all}, all as recorded${worded}`)]
      : []),
  ];
}

function decisionLines(each: Replayed, shown: ReplayShown, style: Style): readonly string[] {
  const { recorded, again, other, byRules, byPolicy } = each;
  const place = dotted([
    each.task,
    each.step,
    `attempt ${each.attempt}`,
    each.plan > 1 ? `plan ${each.plan}` : null,
  ]);
  const isChosen = shown.chosen.length > 0;
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
