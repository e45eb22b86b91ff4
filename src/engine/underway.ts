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

  constructor(ports: Pick<Ports, "stop" | "store">) {
    this.#ports = ports;
  }

  /** Nothing where the task is busy already, or the run is to stop. */
  begin(action: Action, perform: () => Promise<void>): void {
    // No task is called so.
    const place = "task" in action ? action.task : `.${action.kind}`;
    if (this.#ports.stop.signal.aborted || this.#actions.has(place)) return;
    const ended = perform().catch((error: unknown) => {
      this.#failures = [...this.#failures, error];
      this.#ports.stop.end();
    });
    const left = ended.then(() => void this.#actions.delete(place));
    this.#actions.set(place, left);
  }

  /**
   * Resolves when an action came to its end or another process left a request; false: nothing is under
   * way any more. Where an action failed the others are stopped in order, and then this rejects.
   */
  async change(): Promise<boolean> {
    if (this.#failures.length > 0) await Promise.all(this.#actions.values());
    if (this.#actions.size > 0) {
      await Promise.race([...this.#actions.values(), ...this.#inboxChange()]);
      return true;
    }
    this.#over.abort();
    await this.#inbox;
    if (this.#failures.length > 0) throw this.#failures[0];
    return false;
  }

  /** Nobody answers a run that is to stop. */
  #inboxChange(): readonly Promise<void>[] {
    const { stop, store } = this.#ports;
    if (stop.signal.aborted) return [];
    const signal = AbortSignal.any([stop.signal, this.#over.signal]);
    this.#inbox ??= store.inboxChanged(signal).finally(() => (this.#inbox = null));
    return [this.#inbox];
  }
}
