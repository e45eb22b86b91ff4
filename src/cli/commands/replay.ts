// Would the recorded attempts be decided otherwise under another policy, or by these rules?

import { readLog, requireLog } from "../../adapters/log/event-log.ts";
import { pickRun, requireRuns } from "../../adapters/log/run-reader.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import { problemError } from "../../adapters/project/config-loader.ts";
import { isObject } from "../../core/model/json.ts";
import type { Policy } from "../../core/model/policy.ts";
import { replay, type Replayed } from "../../core/views/replay.ts";
import { readAgain } from "../../readers/read-evidence.ts";
import { valueAt } from "../../schema/policy-values.ts";
import { printResult, type Style } from "../io.ts";
import type { Command } from "../command-line/options.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { dotted, facts, paragraph } from "../layout.ts";
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
    const { events } = requireLog(log, readLog(log));
    return { run, decisions: replay(events.map(readAgain), chosen?.under ?? null) };
  });
  const reproduced = runs.every((one) => one.decisions.every(({ isReproduced }) => isReproduced));
  const shown = { policy: chosen?.values ?? [], reproduced, runs };
  printResult(io, given, shown, (style) =>
    runs
      .map((one) => runLines(one, shown.policy, given.all === true, style).join("\n"))
      .join("\n\n"),
  );
  return chosen === null && !reproduced ? EXIT_DIFFERS : 0;
};

/** What was chosen, as it is named to a person, and how it is laid over a recorded policy; null: nothing. */
async function chosenPolicy(words: readonly string[]) {
  if (words.length === 0) return null;
  // It loads the config's schema.
  const { choiceFromWords, policyUnder } = await import("../../schema/policy-keys.ts");
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

interface ReplayedRun {
  readonly run: string;
  readonly decisions: readonly Replayed[];
}

/** What is laid over the recorded policy; empty: nothing is, the rules are checked. */
type Laid = readonly { readonly key: string; readonly value: unknown }[];

const REASON_CHARS_MAX = 240;

/** `all`: also the decisions that do not differ. */
function runLines(
  { run, decisions }: ReplayedRun,
  policy: Laid,
  all: boolean,
  style: Style,
): readonly string[] {
  const heading = paragraph(style, `run ${run}`, { tone: "strong" });
  if (decisions.length === 0) return [heading, "nothing was decided yet"];
  const differs = (one: Replayed): boolean => one.isChanged || !one.isReproduced;
  const listed = decisions.filter((one) => all || differs(one));
  return [
    heading,
    ...underLines(policy, style),
    ...headlines(decisions, policy.length > 0, style),
    ...listed.flatMap((one) => ["", ...decisionLines(one, differs(one), style)]),
  ];
}

function underLines(policy: Laid, style: Style): readonly string[] {
  if (policy.length === 0) return [];
  const words = policy.map(
    ({ key, value }) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [paragraph(style, `under ${words.join(", ")}`, { tone: "quiet", hanging: "  " })];
}

function headlines(
  decisions: readonly Replayed[],
  isChosen: boolean,
  style: Style,
): readonly string[] {
  const all = plural(decisions.length, "decision");
  const other = decisions.filter(({ isReproduced }) => !isReproduced).length;
  const changed = decisions.filter(({ isChanged }) => isChanged).length;
  const rules = `${other} of ${all} not as these rules decide: the log was written by other rules`;
  const policy = changed === 0 ? `${all}, none differs` : `${changed} of ${all} differ`;
  const verdict = (isGood: boolean, text: string): string =>
    paragraph(style, text, { tone: isGood ? "good" : "attention", hanging: "  " });
  return [
    ...(other > 0 ? [verdict(false, rules)] : []),
    ...(isChosen ? [verdict(changed === 0, policy)] : []),
    ...(other > 0 || isChosen ? [] : [verdict(true, `${all}, all as recorded`)]),
  ];
}

function decisionLines(one: Replayed, isShown: boolean, style: Style): readonly string[] {
  const { recorded, now } = one;
  const plan = one.plan > 1 ? `plan ${one.plan}` : null;
  const place = dotted([one.task, one.step, `attempt ${one.attempt}`, plan]);
  const [reason = null] = now.evidence;
  return [
    paragraph(style, place, { tone: "strong", hanging: "  " }),
    ...facts(style, [
      ["recorded", decisionWords(named(recorded.decision))],
      ["instead", isShown ? decisionWords(named(now.decision)) : null],
      ["because", isShown && reason !== null ? excerpt(reason, REASON_CHARS_MAX) : null],
    ]),
  ];
}
