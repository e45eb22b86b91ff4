// Would the recorded attempts be decided otherwise under another policy, or by these rules?

import { readLog, requireLog } from "../../adapters/log/event-log.ts";
import { pickRun, requireRuns } from "../../adapters/log/run-reader.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import { problemError } from "../../adapters/project/config-loader.ts";
import type { Recorded } from "../../core/model/event.ts";
import { isObject } from "../../core/model/json.ts";
import type { Policy } from "../../core/model/policy.ts";
import { replay, type Reasoned, type Replayed } from "../../core/views/replay.ts";
import { readAgain } from "../../readers/read-evidence.ts";
import { valueAt } from "../../schema/policy-values.ts";
import { VERSION } from "../../version.ts";
import { printResult, type Style } from "../io.ts";
import type { Command } from "../command-line/options.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { dotted, type Fact, facts, paragraph } from "../layout.ts";
import { decisionWords, named } from "../render/decision.ts";
import { plural } from "../render/text.ts";

const EXIT_DIFFERS = 1;

/** Without another policy this is a check: 1 where the rules do not give what the log has. */
export const replayCommand: Command = async (args, given, io) => {
  const here = requireRuns(io.cwd);
  // The flag takes several words, and so takes the runs behind it too; those have no "=".
  const words = (given.set ?? []).filter((word) => word.includes("="));
  const wanted = [...args, ...(given.set ?? []).filter((word) => !word.includes("="))];
  const chosen = await chosenPolicy(words);
  const picked = (wanted.length === 0 ? [null] : wanted).map((one) => pickRun(here, one));
  const runs = [...new Set(picked)].map((run) => {
    const { log } = runFiles(here.root, run);
    io.logAtHand.path = log;
    const { events } = requireLog(log, readLog(log));
    const decisions = replay(events.map(readAgain), chosen?.under ?? null);
    return { run, decisions, writtenBy: writersOf(events), version: VERSION };
  });
  const shown = { policy: chosen?.values ?? [], reproduced: isReproduced(runs), runs };
  printResult(io, given, shown, (style) => renderReplays(shown, given.all === true, style));
  return chosen === null && !shown.reproduced ? EXIT_DIFFERS : 0;
};

/** What was chosen, as it is named to a person, and how it is laid over a recorded policy; null: nothing. */
async function chosenPolicy(words: readonly string[]) {
  if (words.length === 0) return null;
  // It loads the config's schema.
  const { choiceFromWords, policyUnder } = await import("../../schema/policy-choice.ts");
  const choice = choiceFromWords(words);
  if (!choice.ok)
    throw problemError("usage", choice.problems, "`orch policy` shows the keys with their values");
  const { named, document } = choice.value;
  const values = named.map(({ key }) => ({ key, value: valueAt(document, key.split(".")) }));
  return {
    // `{ maxWait: "2h" }` is shown by the key inside it.
    values: values.filter(({ value }) => !isObject(value)),
    under: (recorded: Policy) => policyUnder(choice.value, recorded),
  };
}

/** The versions of orch whose processes wrote the log. */
function writersOf(events: readonly Recorded[]): readonly string[] {
  const versions = events.flatMap(({ event }) =>
    event.type === "run-started" || event.type === "run-resumed" ? [event.orch] : [],
  );
  return [...new Set(versions)];
}

interface ReplayedRun {
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

interface ReplayShown {
  readonly runs: readonly ReplayedRun[];
  /** What is laid over the recorded policy; empty: nothing is, the rules are checked. */
  readonly policy: readonly ChosenValue[];
}

const REASON_CHARS_MAX = 240;
const HYPOTHETICAL = "~";

/** True where every decision is the recorded one, by these rules and the recorded policy. */
function isReproduced(runs: readonly ReplayedRun[]): boolean {
  return runs.every(({ decisions }) => decisions.every(({ byRules }) => byRules !== "differs"));
}

/** `all`: also the decisions that do not differ. */
function renderReplays({ runs, policy }: ReplayShown, all: boolean, style: Style): string {
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
