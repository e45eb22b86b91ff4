// How does a run go on until nothing more can be done?

import type { RunEvent } from "../core/model/event.ts";
import { next } from "../core/run/next.ts";
import { exitCodeOf } from "../core/run/outcome.ts";
import type { RunState } from "../core/model/state.ts";
import { perform } from "./act.ts";
import type { Ports } from "./ports.ts";
import { takeAnswers } from "./answer.ts";
import { situationOf } from "./ask.ts";
import type { Log } from "./log.ts";

/**
 * The loop: ask what must happen now, perform it, record what happened, again. It has no memory
 * besides the log, so going on after a crash and going on after an action are the same thing.
 */
export async function run(log: Log, ports: Ports): Promise<RunState> {
  while (!ports.stop.signal.aborted) {
    await takeAnswers(log, ports);
    const action = next(log.state, situationOf(ports));
    if (action.kind === "finish") break;
    await perform(action, log, ports);
  }
  await log.append(finalEvent(log.state, ports));
  return log.state;
}

function finalEvent(state: RunState, { stop }: Ports): RunEvent {
  if (stop.cause !== null) return { type: "run-interrupted", signal: stop.cause };
  return { type: "run-ended", exitCode: exitCodeOf(state) };
}
