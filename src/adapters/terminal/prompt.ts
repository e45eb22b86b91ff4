// How are a person's lines read, one after the other, without anything ending the process?

import { createInterface } from "node:readline";
import { PassThrough, Writable } from "node:stream";

import { openKeys, pressNothing, type Editor, type TerminalInput } from "./keys.ts";
import type { ScreenPrompt } from "./screen.ts";

export type Typed =
  | { readonly kind: "line"; readonly text: string }
  /** "gone": the terminal went away under the prompt. */
  | { readonly kind: "left" | "gone" | "aborted" };

export interface Prompt {
  next(): Promise<Typed>;
  close(): void;
}

const SIGN = "> ";
/** Before the further lines of one paste. */
const SIGN_FURTHER = "  ";

/** Ctrl+C, Ctrl+D, a closed terminal and an abort all end the prompt; none of them ends the process. */
export function openPrompt(input: TerminalInput, shown: ScreenPrompt, signal: AbortSignal): Prompt {
  const editor = openEditor();
  const { lines } = editor;
  const keys = openKeys(input, editor);
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
  keys.onGone(() => finish({ kind: "gone" }));
  const unstop = stopAndGoOn({ ...editor, shown }, keys.setRaw);
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    async next() {
      const typed = over.signal.aborted ? null : await lineOrEnd({ ...editor, shown }, over.signal);
      if (typed !== null) return typed;
      // What was typed so far stays to be read, or to be copied.
      if (lines.line !== "") shown.leave({ sign: SIGN, text: lines.line });
      return end;
    },
    close() {
      signal.removeEventListener("abort", onAbort);
      over.abort();
      unstop();
      lines.close();
      keys.close();
      shown.close();
    },
  };
}

/** Readline edits the line; what it would draw goes nowhere, because it knows nothing of a story. */
function openEditor(): Editor {
  const keys = new PassThrough();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const options = { input: keys, output: nowhere, terminal: true, historySize: 0 };
  return { lines: createInterface(options), keys };
}

interface Reading extends Editor {
  readonly shown: ScreenPrompt;
}

interface Key {
  readonly name?: string;
}

/** Ctrl+Z stops orch as it stops any program; `fg` finds the prompt below what the shell said. */
function stopAndGoOn({ lines, keys, shown }: Reading, setRaw: (isRaw: boolean) => void) {
  const onContinue = (): void => {
    setRaw(true);
    pressNothing(keys);
  };
  lines.on("SIGTSTP", () => {
    shown.leave({ sign: SIGN, text: lines.line });
    setRaw(false);
    process.once("SIGCONT", onContinue);
    process.kill(process.pid, "SIGTSTP");
  });
  return () => void process.off("SIGCONT", onContinue);
}

/** The lines of one paste belong together; a paste must never answer the next question too. */
function lineOrEnd({ lines, keys, shown }: Reading, over: AbortSignal): Promise<Typed | null> {
  return new Promise((resolve) => {
    const got: string[] = [];
    let isPasting = false;
    let isDrawing = false;
    let isWhole = false;
    const sign = (): string => (got.length === 0 ? SIGN : SIGN_FURTHER);
    const done = (typed: Typed | null): void => {
      isWhole = true;
      lines.off("line", onLine);
      keys.off("keypress", onKey);
      over.removeEventListener("abort", onOver);
      resolve(typed);
    };
    const onOver = (): void => done(null);
    const onWhole = (): void => {
      // Not every terminal marks a paste: what arrives in one piece is one, too.
      if (!isWhole) setImmediate(() => done({ kind: "line", text: got.join("\n") }));
      isWhole = true;
    };
    const onLine = (text: string): void => {
      shown.leave({ sign: sign(), text });
      got.push(text);
      if (!isPasting) onWhole();
    };
    const draw = (): void => {
      isDrawing = false;
      if (!isWhole) shown.show({ sign: sign(), text: lines.line, cursor: lines.cursor });
    };
    const onKey = (_text: unknown, { name }: Key): void => {
      if (name === "paste-start") isPasting = true;
      if (name === "paste-end") {
        isPasting = false;
        // Without a last newline its last line can still be mended, and waits for Enter.
        if (got.length > 0 && lines.line === "") onWhole();
      }
      // One drawing for all keys of a chunk: a paste is thousands of them.
      if (!isDrawing) queueMicrotask(draw);
      isDrawing = true;
    };
    lines.on("line", onLine);
    keys.on("keypress", onKey);
    over.addEventListener("abort", onOver, { once: true });
    draw();
  });
}
