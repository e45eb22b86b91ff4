// How are a person's lines read, one after the other, without anything ending the process?

import { createInterface, type Interface } from "node:readline";
import { PassThrough, type Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

import { inert } from "../../core/model/excerpt.ts";
import type { Screen } from "./screen.ts";

/** Standard input; only a terminal has raw mode. */
export type TerminalInput = Readable & { setRawMode?(isRaw: boolean): unknown };

export type Typed =
  | { readonly kind: "line"; readonly text: string }
  /** "gone": the terminal went away under the prompt. "silent": nothing was typed in time. */
  | { readonly kind: "left" | "gone" | "aborted" | "silent" };

/** How long a person needs to read what is asked; and who waits for that. */
export interface Reading {
  readonly ms: number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Long questions need longer, and nobody is to wait for a slow reader. */
export function readingMs(shown: string): number {
  return Math.min(READING_MS_MAX, Math.max(READING_MS_MIN, shown.length * READING_MS_EACH));
}

const READING_MS_MIN = 500;
const READING_MS_MAX = 2_000;
const READING_MS_EACH = 3;
const SIGN = "> ";
/** Until it could be read, Enter does not count; what is typed stays. */
const SIGN_EARLY = "… ";
/** What arrives sooner was typed before anybody saw the question. */
const UNSEEN_MS = 150;
/** An impatient Enter is pressed again and again. */
const CALM_MS = 500;
/** Before the further lines of one paste. */
const SIGN_FURTHER = "  ";

/** Ctrl+C, Ctrl+D, a closed terminal and an abort all end the prompt; none of them ends the process. */
export function openPrompt(
  input: TerminalInput,
  screen: Pick<Screen, "prompt">,
  signal: AbortSignal,
  reading: Reading | null = null,
) {
  const shown = screen.prompt();
  const { isPlain, output } = shown;
  const keys = openKeys(input, isPlain);
  const { stream } = keys;
  const lines = createInterface({ input: stream, output, terminal: !isPlain, historySize: 0 });
  const over = new AbortController();
  let end: Typed = { kind: "left" };
  const finish = (typed: Typed): void => {
    if (over.signal.aborted) return;
    end = typed;
    // What was typed so far stays to be read, or to be copied.
    if (!isPlain && lines.line !== "") lines.write(null, { ctrl: true, name: "e" });
    shown.leave();
    over.abort();
  };
  const onAbort = (): void => finish({ kind: "aborted" });
  const onLeft = (): void => finish({ kind: "left" });
  // After Ctrl+Z, `fg` finds the prompt below what the shell said.
  lines.on("SIGCONT", () => lines.prompt(true));
  lines.once("SIGINT", onLeft).once("close", onLeft);
  const gate = createGate(reading, over.signal, lines);
  keys.feed(lines, gate, () => finish({ kind: "gone" }));
  shown.edit(lines);
  signal.addEventListener("abort", onAbort, { once: true });
  const pasting = createPasting(stream);
  return {
    /** `withinMs`: as long as nothing is typed, no longer than this. */
    next: async (withinMs: number | null = null): Promise<Typed> => {
      if (over.signal.aborted) return end;
      const late =
        reading === null || withinMs === null ? null : reading.sleep(withinMs, over.signal);
      const typed = await lineOrEnd({ lines, pasting, gate, late }, over.signal);
      return typed ?? end;
    },
    close() {
      signal.removeEventListener("abort", onAbort);
      finish(end);
      lines.close();
      keys.close();
      shown.close();
    },
  };
}

interface Pasting {
  isOn: boolean;
  onEnd: () => void;
}

/** Terminals mark where a paste begins and ends, and readline names these marks as keys. */
function createPasting(keys: NodeJS.EventEmitter): Pasting {
  const pasting: Pasting = { isOn: false, onEnd: () => undefined };
  keys.on("keypress", (_text: unknown, { name }: { readonly name?: string }) => {
    if (name === "paste-start") pasting.isOn = true;
    if (name !== "paste-end") return;
    pasting.isOn = false;
    pasting.onEnd();
  });
  return pasting;
}

/** What of the keys counts already. */
interface Gate {
  isSeen(): boolean;
  isRead(): boolean;
  /** Enter was pressed before it counted. */
  hurried(): void;
}

function createGate(reading: Reading | null, over: AbortSignal, lines: Interface): Gate {
  let isSeen = reading === null;
  let isRead = isSeen;
  let isHurried = false;
  const open = async ({ ms, sleep }: Reading): Promise<void> => {
    await sleep(UNSEEN_MS, over);
    // Keys that wait at the terminal are read before this, however late the timer was.
    await new Promise((resolve) => setImmediate(resolve));
    isSeen = true;
    await sleep(Math.max(0, ms - UNSEEN_MS), over);
    while (isHurried && !over.aborted) {
      isHurried = false;
      await sleep(CALM_MS, over);
    }
    isRead = true;
    if (over.aborted) return;
    lines.setPrompt(SIGN);
    lines.prompt(true);
  };
  if (reading !== null) void open(reading);
  return {
    isSeen: () => isSeen,
    isRead: () => isRead,
    hurried: () => {
      isHurried = true;
    },
  };
}

interface Lines {
  readonly lines: Interface;
  readonly pasting: Pasting;
  readonly gate: Gate;
  /** Resolves when it is late; null: it never is. */
  readonly late: Promise<void> | null;
}

/** The lines of one paste belong together; a paste must never answer the next question too. */
function lineOrEnd(
  { lines, pasting, gate, late }: Lines,
  over: AbortSignal,
): Promise<Typed | null> {
  return new Promise((resolve) => {
    const got: string[] = [];
    let isWhole = false;
    const done = (typed: Typed | null): void => {
      isWhole = true;
      lines.off("line", onLine);
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
      got.push(text);
      prompt(SIGN_FURTHER);
      if (!pasting.isOn) onWhole();
    };
    const prompt = (sign: string): void => {
      lines.setPrompt(sign);
      lines.prompt();
    };
    const orSilent = async (): Promise<void> => {
      await late;
      if (late !== null && !isWhole && got.length === 0 && lines.line === "")
        done({ kind: "silent" });
    };
    // Without a last newline the last line can still be changed, and waits for Enter.
    pasting.onEnd = () => {
      if (got.length > 0 && lines.line === "") onWhole();
    };
    lines.on("line", onLine);
    over.addEventListener("abort", onOver, { once: true });
    prompt(gate.isRead() ? SIGN : SIGN_EARLY);
    void orSilent();
  });
}

/** A key that is no text, as a terminal sends it; a control character; or a piece of text. */
const TOKENS =
  // oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
  /\u001b(?:\[\[.|\[[\d;<=>?]{0,20}[@-~]|O.|[^[O])?|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/gsu;
const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";
// oxlint-disable-next-line no-control-regex -- Control characters are what this looks for.
const UNFINISHED = /\u001b(?:\[\[?[\d;<=>?]{0,20}|O)?$/;
/** Beyond what any answer may have; readline measures the whole line at every key. */
const LINE_CHARS_MAX = 50_000;

/**
 * What readline reads, instead of the terminal: there it would switch raw mode off when the window is
 * closed, fail, and take the process with it. From `feed` on keys go to this line; `onGone` is called
 * when the terminal went away.
 */
function openKeys(input: TerminalInput, isPlain: boolean) {
  let isOpen = true;
  const setRawMode = (isRaw: boolean): void => {
    try {
      if (isOpen) input.setRawMode?.(isRaw);
    } catch {
      // The terminal is gone, and its modes with it.
    }
  };
  const stream = Object.assign(new PassThrough(), { setRawMode });
  let hear = (_chunk: Buffer): void => undefined;
  let onEnd = (): void => undefined;
  return {
    stream,
    feed(lines: Interface, gate: Gate, onGone: () => void) {
      // A terminal without escape sequences edits its lines by itself, and gives them whole.
      const plain = (chunk: Buffer): void => {
        if (gate.isRead()) stream.write(chunk);
        else gate.hurried();
      };
      hear = isPlain ? plain : createFeed(lines, stream, gate);
      // A terminal that went away reads as an end or as an error.
      onEnd = onGone;
      input.on("data", hear).on("end", onEnd).on("error", onEnd);
      // A stream that was paused, by the prompt before this one, stays so until it is told otherwise.
      input.resume();
    },
    close() {
      input.off("data", hear).off("end", onEnd).off("error", onEnd);
      input.pause();
      isOpen = false;
    },
  };
}

/** Whoever leaves need not have read anything. */
const LEAVING = new Set(["\u0003", "\u0004"]);

function createFeed(lines: Interface, keys: PassThrough, gate: Gate): (chunk: Buffer) => void {
  const decoder = new StringDecoder("utf8");
  let unfinished = "";
  let isOver = false;
  let isPaste = false;
  lines.once("close", () => {
    isOver = true;
  });
  return (chunk) => {
    const text = unfinished + decoder.write(chunk);
    unfinished = UNFINISHED.exec(text)?.[0] ?? "";
    const whole = text.slice(0, text.length - unfinished.length);
    for (const [token] of whole.matchAll(TOKENS)) {
      if (isOver) break;
      if (!gate.isSeen() && !LEAVING.has(token)) continue;
      if (token === PASTE_START || token === PASTE_END) isPaste = token === PASTE_START;
      if ((token === "\r" || token === "\n") && !isPaste && !gate.isRead()) gate.hurried();
      else if (token >= " " && token !== "\u007f") insert(lines, token);
      else keys.write(token);
    }
  };
}

/** As one piece: readline puts characters that come at once at the end, wherever the cursor is. */
function insert(lines: Interface, text: string): void {
  const room = Math.max(0, LINE_CHARS_MAX - lines.line.length);
  const shown = inert(text).slice(0, room);
  if (shown !== "") lines.write(shown);
}
