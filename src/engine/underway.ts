// Which actions are being carried out, side by side?

import type { Action } from "../core/run/task-action.ts";
import type { Ports } from "./ports.ts";

/** At most one action a task, and one of each other kind. */
export class Underway {
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
