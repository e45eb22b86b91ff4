// What stopped the run, and how does everything in it learn of that?

import type { StopSignal } from "../core/run/outcome.ts";

/** One abort signal for the whole run; the first cause wins and is never overwritten. */
export class Stop {
  readonly #controller = new AbortController();
  readonly signal: AbortSignal = this.#controller.signal;
  #cause: StopSignal | null = null;

  get cause(): StopSignal | null {
    return this.#cause;
  }

  trigger(cause: StopSignal): void {
    this.#cause ??= cause;
    this.end();
  }

  /** Everything is to stop because something failed; the failure is reported, and is no interruption. */
  end(): void {
    this.#controller.abort();
  }
}
