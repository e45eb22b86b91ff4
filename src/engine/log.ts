// How does a fact become part of the run?

import type { RunEvent } from "../core/model/event.ts";
import { reduce } from "../core/run/reduce.ts";
import type { RunState } from "../core/model/state.ts";
import type { EventStore, View } from "./ports.ts";

/**
 * The run's state and the one way to change it: append a fact, fold it, show it.
 *
 * Appends queue up behind each other, so that a condition on the state still holds when its facts
 * are written.
 */
export class Log {
  #state: RunState;
  #last: Promise<unknown> = Promise.resolve();
  readonly #store: EventStore;
  readonly #view: View;

  constructor(state: RunState, store: EventStore, view: View) {
    this.#state = state;
    this.#store = store;
    this.#view = view;
  }

  get state(): RunState {
    return this.#state;
  }

  /** Resolves when the facts are durable: only then may anything happen because of them. */
  async append(...events: readonly RunEvent[]): Promise<void> {
    await this.appendWhen(() => true, ...events);
  }

  /** As `append`, but only where the state still allows it when its turn comes; tells whether it did. */
  async appendWhen(
    allows: (state: RunState) => boolean,
    ...events: readonly RunEvent[]
  ): Promise<boolean> {
    const turn = this.#last.then(() => this.#write(allows, events));
    // A failed write rejects for its own caller, not for everyone behind it in the queue.
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #write(
    allows: (state: RunState) => boolean,
    events: readonly RunEvent[],
  ): Promise<boolean> {
    if (events.length === 0 || !allows(this.#state)) return false;
    const recorded = await this.#store.append(events);
    this.#state = recorded.reduce(reduce, this.#state);
    this.#view.recorded(recorded, this.#state);
    return true;
  }
}
