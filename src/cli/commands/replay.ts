// Would the recorded attempts be decided otherwise under another policy, or by these rules?

import { readLog, requireLog } from "../../adapters/log/event-log.ts";
import { pickRun, requireRuns } from "../../adapters/log/run-reader.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import { problemError } from "../../adapters/project/problem-error.ts";
import type { Recorded } from "../../core/model/event.ts";
import { isObject } from "../../core/model/json.ts";
import type { Policy } from "../../core/model/policy.ts";
import { replay } from "../../core/views/replay.ts";
import { readAgain } from "../../readers/read-evidence.ts";
import { valueAt } from "../../schema/policy-values.ts";
import { VERSION } from "../../version.ts";
import { printResult } from "../io.ts";
import type { Command } from "../command-line/options.ts";
import { isReproduced, renderReplays } from "../render/replay.ts";

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
