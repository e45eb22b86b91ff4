// Would the recorded attempts be decided otherwise under another policy, or by these rules?

import { readLog, requireLog } from "../../adapters/log/event-log.ts";
import { pickRun, requireRuns, type RunsHere } from "../../adapters/log/run-reader.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import type { Recorded } from "../../core/model/event.ts";
import type { RunId } from "../../core/model/ids.ts";
import type { Policy } from "../../core/model/policy.ts";
import { replay } from "../../core/views/replay.ts";
import { readAgain } from "../../readers/read-evidence.ts";
import { VERSION } from "../../version.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import { type Given, isOn, textGiven, wordsGiven } from "../options.ts";
import { jsonText } from "../render/json.ts";
import {
  isReproduced,
  renderReplays,
  replaysForPrograms,
  type ReplayedRun,
} from "../render/replay.ts";
import { fileChoice, laidOver, NO_CHOICE, wordsAndRest, wordsChoice } from "./policy-choice.ts";

const EXIT_DIFFERS = 1;

/** Without another policy this is a check: 1 where the rules do not give what the log has. */
export async function replayCommand(
  args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const { words, rest } = wordsAndRest(wordsGiven(given, "set"));
  const policy = textGiven(given, "policy");
  const here = requireRuns(io.cwd);
  const runs = runsMeant(here, [...args, ...rest]);
  const chosen = [
    policy === null ? NO_CHOICE : await fileChoice(policy, io.cwd),
    words.length === 0 ? NO_CHOICE : await wordsChoice(words, "decisions"),
  ];
  const isCheck = chosen.every(({ choice }) => choice === null);
  const under = isCheck ? null : remembered(await laidOver(chosen));
  const replays = runs.map((run) => replayOf(here, run, under, io));
  const shown = {
    replays,
    chosen: chosen.flatMap(({ values }) => values),
    all: isOn(given, "all"),
  };
  if (isOn(given, "json")) printJson(io, jsonText(replaysForPrograms(shown)));
  else printOut(io, renderReplays(shown, styleOf(io, "stdout")));
  return isCheck && !isReproduced(replays) ? EXIT_DIFFERS : 0;
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

function runsMeant(here: RunsHere, wanted: readonly string[]): readonly RunId[] {
  if (wanted.length === 0) return [pickRun(here, null)];
  return [...new Set(wanted.map((one) => pickRun(here, one)))];
}

function replayOf(
  here: RunsHere,
  run: RunId,
  under: ((recorded: Policy) => Policy) | null,
  io: CliIo,
): ReplayedRun {
  const { log } = runFiles(here.root, run);
  io.logAtHand.path = log;
  const { events } = requireLog(log, readLog(log));
  return {
    run,
    decisions: replay(events.map(readAgain), under),
    writtenBy: writersOf(events),
    version: VERSION,
  };
}

/** The versions of orch whose processes wrote the log. */
function writersOf(events: readonly Recorded[]): readonly string[] {
  const versions = events.flatMap(({ event }) =>
    event.type === "run-started" || event.type === "run-resumed" ? [event.orch] : [],
  );
  return [...new Set(versions)];
}
