// How is a person asked at the terminal, now?

import { createInterface, type Interface } from "node:readline";
import { PassThrough, type Readable, type Writable } from "node:stream";

import type { Answer, Question } from "../core/question.ts";
import { guidanceFrom, replyTo, type Reply } from "../core/reply.ts";
import type { Human } from "../engine/ports.ts";
import type { Screen } from "./terminal-screen.ts";

/** Standard input; only a terminal has raw mode. */
export type TerminalInput = Readable & { setRawMode?(isRaw: boolean): unknown };

export interface TerminalHumanOptions {
  readonly input: TerminalInput;
  /** Never stdout: that belongs to the result. */
  readonly output: Writable;
  readonly present: boolean;
  /** Held while the prompt is shown. */
  readonly screen: Pick<Screen, "hold" | "release">;
  /** The question as shown, and the line that says what may be typed. */
  readonly words: {
    question(question: Question): string;
    help(question: Question): string;
  };
  now(): string;
}

type Typed =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "left" | "aborted" };

export function createTerminalHuman(options: TerminalHumanOptions): Human {
  return {
    present: options.present,
    async ask(question, signal) {
      if (!options.present || signal.aborted) return null;
      options.screen.hold();
      try {
        return await converse(question, options, signal);
      } finally {
        options.screen.release();
      }
    },
  };
}

async function converse(
  question: Question,
  options: TerminalHumanOptions,
  signal: AbortSignal,
): Promise<Answer | null> {
  const { output, words } = options;
  output.write(`\n${words.question(question)}\n\n${words.help(question)}\n`);
  const prompt = openPrompt(options, signal);
  try {
    let read: (line: string) => Reply = (line) => replyTo(question, line);
    for (;;) {
      const typed = await prompt.next();
      if (typed.kind !== "line") {
        output.write(typed.kind === "left" ? LEFT : ABORTED);
        return null;
      }
      const reply = read(typed.text);
      if (reply.kind === "answer")
        return {
          id: question.id,
          action: reply.action,
          text: reply.text,
          by: "prompt",
          at: options.now(),
        };
      if (reply.kind === "guidance-next") read = guidanceFrom;
      output.write(
        reply.kind === "again" ? `  ${reply.hint}\n` : "  what should the agent know or do?\n",
      );
    }
  } finally {
    prompt.close();
  }
}

const LEFT = "\n  the question is kept for later\n";
const ABORTED = "\n  the prompt is closed\n";

interface Prompt {
  next(): Promise<Typed>;
  close(): void;
}

/** Ctrl+C, Ctrl+D, a closed terminal and an abort all end the prompt; none of them ends the process. */
function openPrompt({ input, output }: TerminalHumanOptions, signal: AbortSignal): Prompt {
  const keys = openKeys(input);
  const lines = createInterface({
    input: keys.stream,
    output,
    terminal: true,
    historySize: 0,
    prompt: "> ",
  });
  const over = new AbortController();
  let end: Typed = { kind: "left" };
  const finish = (typed: Typed): void => {
    if (over.signal.aborted) return;
    end = typed;
    over.abort();
  };
  const onAbort = (): void => finish({ kind: "aborted" });
  const onLeft = (): void => finish({ kind: "left" });
  lines.once("SIGINT", onLeft);
  lines.once("close", onLeft);
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    async next() {
      if (over.signal.aborted) return end;
      lines.prompt();
      return (await lineOrEnd(lines, over.signal)) ?? end;
    },
    close() {
      signal.removeEventListener("abort", onAbort);
      over.abort();
      lines.close();
      keys.close();
    },
  };
}

/**
 * What is typed, as a stream of our own. On the terminal itself readline would switch raw mode off
 * when its window is closed, fail, and take the process with it.
 */
function openKeys(input: TerminalInput): { readonly stream: Readable; close(): void } {
  const stream = new PassThrough();
  const onEnd = (): void => void stream.end();
  setRawMode(input, true);
  input.on("data", write);
  // A terminal that went away reads as an end or as an error; the person left.
  input.on("end", onEnd).on("error", onEnd);
  return {
    stream,
    close() {
      input.off("data", write).off("end", onEnd).off("error", onEnd);
      input.pause();
      setRawMode(input, false);
    },
  };

  function write(chunk: Buffer): void {
    stream.write(chunk);
  }
}

function setRawMode(input: TerminalInput, isRaw: boolean): void {
  try {
    input.setRawMode?.(isRaw);
  } catch {
    // The terminal is gone, and its modes with it.
  }
}

/** The lines of one paste belong together; a paste must never answer the next question too. */
function lineOrEnd(lines: Interface, over: AbortSignal): Promise<Typed | null> {
  return new Promise((resolve) => {
    const got: string[] = [];
    const done = (typed: Typed | null): void => {
      lines.off("line", onLine);
      over.removeEventListener("abort", onOver);
      resolve(typed);
    };
    const onOver = (): void => done(null);
    const onLine = (line: string): void => {
      got.push(line);
      if (got.length === 1) setImmediate(() => done({ kind: "line", text: got.join("\n") }));
    };
    lines.on("line", onLine);
    over.addEventListener("abort", onOver, { once: true });
  });
}
