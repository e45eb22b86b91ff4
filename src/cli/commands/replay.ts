// Would the recorded attempts be decided otherwise under another policy, or by these rules?

import { readLog, requireLog } from "../../adapters/log/event-log.ts";
import { pickRun, requireRuns } from "../../adapters/log/run-reader.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import { problemError } from "../../adapters/project/problem-error.ts";
import type { Recorded } from "../../core/model/event.ts";
import type { Policy } from "../../core/model/policy.ts";
import { valueAt } from "../../core/views/policy-overlay.ts";
import { replay } from "../../core/views/replay.ts";
import { readAgain } from "../../readers/read-evidence.ts";
import type { Checked } from "../../schema/parsed.ts";
import type { PolicyChoice } from "../../schema/policy-choice.ts";
import { VERSION } from "../../version.ts";
import { printResult } from "../io.ts";
import type { Command } from "../options.ts";
import { isReproduced, renderReplays, type ChosenValue } from "../render/replay.ts";

const EXIT_DIFFERS = 1;

/** Without another policy this is a check: 1 where the rules do not give what the log has. */
export const replayCommand: Command = async (args, given, io) => {
  const here = requireRuns(io.cwd);
  // The flag takes several words, and so takes the runs behind it too; those have no "=".
  const words = (given.set ?? []).filter((word) => word.includes("="));
  const wanted = [...args, ...(given.set ?? []).filter((word) => !word.includes("="))];
  const chosen = await chosenPolicy(given.policy ?? null, words, io.cwd);
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

/**
 * What was chosen, as it is named to a person, and how it is laid over a recorded policy: the words
 * over the file. null: nothing.
 */
async function chosenPolicy(file: string | null, words: readonly string[], cwd: string) {
  if (file === null && words.length === 0) return null;
  const [schema, loader] = await Promise.all([
    import("../../schema/policy-choice.ts"),
    import("../../adapters/project/config-loader.ts"),
  ]);
  const choices: PolicyChoice[] = [];
  if (file !== null) {
    const { name, raw } = await loader.readNamedConfig(file, cwd);
    choices.push(orThrow(schema.choiceFromConfig(raw, name)));
  }
  if (words.length > 0) choices.push(orThrow(schema.choiceFromWords(words)));
  const laidOver = (recorded: Policy): Policy =>
    choices.reduce((policy, choice) => orThrow(schema.policyUnder(choice, policy)), recorded);
  return { values: choices.flatMap(valuesOf), under: remembered(laidOver) };
}

function valuesOf({ named, raw, from }: PolicyChoice): readonly ChosenValue[] {
  const values = named.map(({ key }) => ({ key, value: valueAt(raw, key.split(".")), from }));
  // `{ maxWait: "2h" }` is shown by the key inside it.
  return values.filter(({ value }) => typeof value !== "object" || value === null);
}

function orThrow<T>(found: Checked<T>): T {
  if (found.ok) return found.value;
  throw problemError("usage", found.problems, "`orch policy` shows the keys with their values");
}

/** Most attempts of a run have the same policy, and laying over it is checked by the whole schema. */
function remembered(under: (recorded: Policy) => Policy): (recorded: Policy) => Policy {
  const known = new Map<string, Policy>();
  return (recorded) => {
    const key = JSON.stringify(recorded);
    const policy = known.get(key) ?? under(recorded);
    known.set(key, policy);
    return policy;
  };
}

/** The versions of orch whose processes wrote the log. */
function writersOf(events: readonly Recorded[]): readonly string[] {
  const versions = events.flatMap(({ event }) =>
    event.type === "run-started" || event.type === "run-resumed" ? [event.orch] : [],
  );
  return [...new Set(versions)];
}
