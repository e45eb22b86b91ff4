// The input line at a terminal: Node's readline draws it, and nothing typed there ends the process.

import { createInterface, type Interface } from "node:readline";
import type { Readable } from "node:stream";

import type { Screen } from "./screen.ts";

/** Standard input; only a terminal has raw mode. */
export type TerminalInput = Readable & { setRawMode?(isRaw: boolean): unknown };

/** "left": Ctrl+C or Ctrl+D. "gone": the terminal went away under the prompt. */
type PromptEnd = "left" | "gone" | "aborted";

export type Typed = { readonly kind: "line"; readonly text: string } | { readonly kind: PromptEnd };

const SIGN = "> ";
/** Keys that arrive sooner were pressed before anybody saw what is asked, and answer nothing. */
const UNSEEN_MS = 200;
const TOO_EARLY = "  what was typed before the question stood here does not count";
/** The lines of a paste follow each other faster than this; nobody types so fast. */
const PASTE_MS = 50;
// oxlint-disable-next-line no-control-regex -- Ctrl+C and Ctrl+D.
const LEAVE = /[\u0003\u0004]/;

/** By question: what was being typed when an agent waited no longer; it stands in the next line. */
const DRAFTS = new Map<string, string>();

/** Its sign is drawn when keys begin to count. */
export class Prompt {
  readonly #input: TerminalInput;
  readonly #screen: Screen;
  readonly #signal: AbortSignal;
  readonly #about: string;
  #lines: Interface | null = null;
  #end: PromptEnd | null = null;
  #isEarly = false;
  #pasted: string[] = [];
  readonly #texts: string[] = [];
  #wake = (): void => undefined;
  #timer: NodeJS.Timeout;

  constructor(input: TerminalInput, screen: Screen, signal: AbortSignal, about = "") {
    this.#about = about;
    this.#input = input;
    this.#screen = screen;
    this.#signal = signal;
    input.on("data", this.#unseen).on("end", this.#gone).on("error", this.#gone).resume();
    input.setRawMode?.(true);
    // Keys that already wait at the terminal are read before it listens, however late the timer is.
    this.#timer = setTimeout(() => setImmediate(this.#listen), UNSEEN_MS);
    signal.addEventListener("abort", this.#aborted);
    if (signal.aborted) this.#aborted();
  }

  /** The next text, or how the prompt ended. The lines of one paste are one text. */
  async next(): Promise<Typed> {
    if (this.#texts.length === 0 && this.#end === null)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    const text = this.#texts.shift();
    return text === undefined ? { kind: this.#end ?? "left" } : { kind: "line", text };
  }

  close(): void {
    this.#finish("left");
  }

  readonly #gone = (): void => this.#finish("gone");
  readonly #left = (): void => this.#finish("left");
  readonly #aborted = (): void => this.#finish("aborted");

  readonly #unseen = (keys: Buffer): void => {
    if (LEAVE.test(keys.toString("latin1"))) this.#finish("left");
    this.#isEarly = true;
  };

  readonly #listen = (): void => {
    if (this.#end !== null) return;
    if (this.#isEarly) this.#screen.line(TOO_EARLY);
    this.#input.off("data", this.#unseen);
    const { output } = this.#screen;
    const lines = createInterface({ input: this.#input, output, prompt: SIGN, historySize: 0 });
    lines.on("line", this.#line).on("SIGINT", this.#left).on("close", this.#left);
    lines.on("error", this.#gone);
    // After Ctrl+Z, `fg` finds the prompt below what the shell printed.
    lines.on("SIGCONT", () => lines.prompt(true));
    this.#lines = lines;
    this.#screen.lend(lines);
    lines.write(DRAFTS.get(this.#about) ?? "");
  };

  readonly #line = (text: string): void => {
    this.#pasted.push(text);
    this.#lines?.prompt();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#quiet, PASTE_MS);
  };

  readonly #quiet = (): void => {
    // Without a last newline the last line of a paste can still be changed, and waits for Enter.
    if (this.#lines?.line !== "") return;
    this.#texts.push(this.#pasted.join("\n"));
    this.#pasted = [];
    this.#wake();
  };

  #finish(end: PromptEnd): void {
    if (this.#end !== null) return;
    this.#end = end;
    clearTimeout(this.#timer);
    if (end === "aborted" && this.#lines !== null) DRAFTS.set(this.#about, this.#lines.line);
    const input = this.#input.off("data", this.#unseen);
    if (this.#lines === null) input.setRawMode?.(false);
    else this.#screen.release(this.#lines);
    this.#lines?.close();
    // A terminal that is gone refuses its modes with one more error: these listeners go last.
    input.pause().off("end", this.#gone).off("error", this.#gone);
    this.#signal.removeEventListener("abort", this.#aborted);
    this.#wake();
  }
}
