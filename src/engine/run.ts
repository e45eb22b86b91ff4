// How does a run go on until nothing more can be done?

import type { RunEvent } from "../core/model/event.ts";
import { due } from "../core/run/due.ts";
import { exitCodeOf } from "../core/run/outcome.ts";
import type { RunState } from "../core/model/state.ts";
import { perform } from "./act.ts";
import { findPlaces } from "./begin-and-end.ts";
import type { Ports } from "./ports.ts";
import { takeAnswers } from "./answer.ts";
import { situationOf } from "./ask.ts";
import type { Log } from "./log.ts";
import type { Action } from "../core/run/task-action.ts";

/**
 * The loop: ask what may happen now, begin what has not begun, and when anything came of it ask again.
 * It has no memory besides the log, so going on after a crash and going on after an action are the
 * same thing.
 */
export async function run(log: Log, ports: Ports): Promise<RunState> {
  await findPlaces(log, ports);
  const underway = new Underway(ports);
  log.stir = () => underway.stir();
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

/** At most one action a task, and one of each other kind. */
class Underway {
  readonly #actions = new Map<string, Promise<void>>();
  readonly #ports: Pick<Ports, "stop" | "store">;
  readonly #over = new AbortController();
  #failures: readonly unknown[] = [];
  #inbox: Promise<void> | null = null;
  #isChanged = false;
  #wake: () => void = () => undefined;

  constructor(ports: Pick<Ports, "stop" | "store">) {
    this.#ports = ports;
  }

  /** Nothing where the task is busy already, or the run is to stop. */
  begin(action: Action, perform: () => Promise<void>): void {
    // No task is called so.
    const place = "task" in action ? action.task : `.${action.kind}`;
    if (this.#ports.stop.signal.aborted || this.#actions.has(place)) return;
    this.#actions.set(
      place,
      this.#watched(perform(), () => void this.#actions.delete(place)),
    );
  }

  async #watched(work: Promise<void>, forget: () => void): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#failures = [...this.#failures, error];
      this.#ports.stop.end();
    }
    forget();
    this.stir();
  }

  /** Something may be due that was not. */
  stir(): void {
    this.#isChanged = true;
    this.#wake();
  }

  /**
   * Resolves when an action came to its end or another process left a request; false: nothing is under
   * way any more. Where an action failed the others are stopped in order, and then this rejects.
   */
  async change(): Promise<boolean> {
    if (this.#failures.length > 0) await Promise.all(this.#actions.values());
    if (this.#actions.size > 0) {
      this.#watchInbox();
      // No race: each would leave its traces with the inbox, which is watched for hours.
      if (!this.#isChanged) await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#isChanged = false;
      return true;
    }
    this.#over.abort();
    await this.#inbox;
    if (this.#failures.length > 0) throw this.#failures[0];
    return false;
  }

  /** Nobody answers a run that is to stop. */
  #watchInbox(): void {
    const { stop, store } = this.#ports;
    if (stop.signal.aborted || this.#inbox !== null) return;
    const signal = AbortSignal.any([stop.signal, this.#over.signal]);
    this.#inbox = this.#watched(store.inboxChanged(signal), () => void (this.#inbox = null));
  }
}
