// How does a run go on until nothing more can be done?

import type { RunEvent } from "../core/model/event.ts";
import { next } from "../core/run/next.ts";
import { exitCodeOf } from "../core/run/outcome.ts";
import type { RunState } from "../core/model/state.ts";
import { perform } from "./act.ts";
import type { Outside } from "./outside.ts";
import { takeAnswers } from "./answer.ts";
import { situationOf } from "./ask.ts";
import type { Log } from "./log.ts";

/**
 * The loop: ask what must happen now, perform it, record what happened, again. It has no memory
 * besides the log, so going on after a crash and going on after an action are the same thing.
 */
export async function run(log: Log, outside: Outside): Promise<RunState> {
  while (!outside.stop.signal.aborted) {
    await takeAnswers(log, outside);
    const action = next(log.state, situationOf(outside));
    if (action.kind === "finish") break;
    await perform(action, log, outside);
  }
  await log.append(parting(log.state, outside));
  return log.state;
}

function parting(state: RunState, { stop }: Outside): RunEvent {
  if (stop.cause !== null) return { type: "run-interrupted", signal: stop.cause };
  return { type: "run-ended", exitCode: exitCodeOf(state) };
}
