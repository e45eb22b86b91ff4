// What stopped the run, and how does everything in it learn of that?

/** "stop": a person asked for it from another shell. */
export type StopCause = "SIGINT" | "SIGTERM" | "SIGHUP" | "stop";

/** One abort signal for the whole run; the first cause wins and is never overwritten. */
export class Stop {
  readonly #controller = new AbortController();
  #cause: StopCause | null = null;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get cause(): StopCause | null {
    return this.#cause;
  }

  trigger(cause: StopCause): void {
    this.#cause ??= cause;
    this.end();
  }

  /** Everything is to stop because something failed; the failure is reported, and is no interruption. */
  end(): void {
    this.#controller.abort();
  }
}
