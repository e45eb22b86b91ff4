// How does a person who looks elsewhere learn that the terminal waits for them?

import type { Writable } from "node:stream";

import { excerpt } from "../../core/model/excerpt.ts";

export interface TerminalBell {
  /** Rings once, and says in the window's title who waits. */
  ring(question: { readonly task: string }): void;
  /** The title is what it was. Safe to repeat. */
  rest(): void;
}

export interface BellOptions {
  /** The stream of the prompt. */
  readonly output: Writable;
  readonly isTerminal: boolean;
  /** TERM of the environment. */
  readonly term: string | undefined;
}

const BELL = "\u0007";
/** On xterm's stack, which most terminals have. */
const KEEP_TITLE = "\u001b[22;0t";
const OLD_TITLE = "\u001b[23;0t";
const TASK_CHARS_MAX = 60;

export function createBell({ output, isTerminal, term = "" }: BellOptions): TerminalBell {
  const rings = isTerminal && term !== "" && term !== "dumb";
  // The console of Linux has no title, and shows what it does not know.
  const titled = term !== "linux";
  let isCalling = false;
  const write = (text: string): void => {
    // Who closed the terminal needs no call, and a write would be an error of its own.
    if (output.writable) output.write(text);
  };
  return {
    ring({ task }) {
      if (!rings) return;
      const name = `orch: ${excerpt(task, TASK_CHARS_MAX)} waits for you`;
      const keep = isCalling ? "" : KEEP_TITLE;
      isCalling = true;
      write(`${BELL}${titled ? `${keep}${title(name)}` : ""}`);
    },
    rest() {
      if (!isCalling) return;
      isCalling = false;
      // Emptied first: a terminal without the stack must not go on saying that somebody waits.
      if (titled) write(`${title("")}${OLD_TITLE}`);
    },
  };
}

/** Ended by ST, because BEL would ring where the title is not understood. */
function title(text: string): string {
  return `\u001b]0;${text}\u001b\\`;
}
