// Would the recorded attempts be decided otherwise under another policy, or by these rules?

import { readLog, requireLog } from "../../adapters/log/event-log.ts";
import { pickRun, requireRuns } from "../../adapters/log/run-reader.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import type { Recorded } from "../../core/model/event.ts";
import type { Policy } from "../../core/model/policy.ts";
import { replay } from "../../core/views/replay.ts";
import { readAgain } from "../../readers/read-evidence.ts";
import { VERSION } from "../../version.ts";
import { printResult } from "../io.ts";
import type { Command } from "../options.ts";
import { isReproduced, renderReplays } from "../render/replay.ts";
import { fileChoice, laidOver, valuesOf, wordsChoice } from "./policy-choice.ts";

const EXIT_DIFFERS = 1;

/** Without another policy this is a check: 1 where the rules do not give what the log has. */
export const replayCommand: Command = async (args, given, io) => {
  const here = requireRuns(io.cwd);
  const { choice, rest } = await wordsChoice(given.set ?? [], "decisions");
  const file = given.policy === undefined ? null : await fileChoice(given.policy, io.cwd);
  const choices = [file, choice].filter((one) => one !== null);
  const under = choices.length === 0 ? null : remembered(await laidOver(choices));
  const wanted = [...args, ...rest];
  const picked = (wanted.length === 0 ? [null] : wanted).map((one) => pickRun(here, one));
  const runs = [...new Set(picked)].map((run) => {
    const { log } = runFiles(here.root, run);
    io.logAtHand.path = log;
    const { events } = requireLog(log, readLog(log));
    const decisions = replay(events.map(readAgain), under);
    return { run, decisions, writtenBy: writersOf(events), version: VERSION };
  });
  const shown = { policy: choices.flatMap(valuesOf), reproduced: isReproduced(runs), runs };
  printResult(io, given, shown, (style) => renderReplays(shown, given.all === true, style));
  return choices.length === 0 && !shown.reproduced ? EXIT_DIFFERS : 0;
};

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
