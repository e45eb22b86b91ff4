// How does a run go on until nothing more can be done?

import type { RunEvent } from "../core/model/event.ts";
import { due } from "../core/run/due.ts";
import { exitCodeOf } from "../core/run/outcome.ts";
import type { RunState } from "../core/model/state.ts";
import { perform } from "./act.ts";
import type { Ports } from "./ports.ts";
import { takeAnswers } from "./answer.ts";
import { situationOf } from "./ask.ts";
import type { Log } from "./log.ts";
import { Underway } from "./underway.ts";

/**
 * The loop: ask what may happen now, begin what has not begun, and when anything came of it ask again.
 * It has no memory besides the log, so going on after a crash and going on after an action are the
 * same thing.
 */
export async function run(log: Log, ports: Ports): Promise<RunState> {
  const underway = new Underway(ports);
  do {
    await takeAnswers(log, ports);
    for (const action of due(log.state, situationOf(ports)))
      underway.begin(action, () => perform(action, log, ports));
  } while (await underway.change());
  await log.append(finalEvent(log.state, ports));
  return log.state;
}

function finalEvent(state: RunState, { stop }: Ports): RunEvent {
  if (stop.cause !== null) return { type: "run-interrupted", signal: stop.cause };
  return { type: "run-ended", exitCode: exitCodeOf(state) };
}
