// How is a person asked at the terminal, now?

import { assertNever } from "../../core/model/assert.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { isObject } from "../../core/model/json.ts";
import type { Answer, AnswerAction, Question } from "../../core/model/question.ts";
import { ordersFor, replyAtPrompt, wordsFor, type PromptReply } from "../../core/run/reply.ts";
import { wrap } from "../../core/views/wrap.ts";
import type { Human } from "../../engine/ports.ts";
import type { TerminalBell } from "./bell.ts";
import { openPrompt, readingMs, type TerminalInput } from "./prompt.ts";
import type { Screen } from "./screen.ts";

export interface TerminalHumanOptions {
  readonly input: TerminalInput;
  readonly present: boolean;
  /** On the terminal's own stream; never stdout: that belongs to the result. */
  readonly screen: Pick<Screen, "line" | "columns" | "prompt">;
  /** The question as shown, and the line that says what may be typed. */
  readonly words: {
    question(question: Question): string;
    help(question: Question): string;
    /** All of it, however long. */
    whole(question: Question): string;
  };
  /** Who sits here, for the record; null: nobody says. */
  readonly person: string | null;
  /** null: it stays silent. */
  readonly bell: TerminalBell | null;
  now(): string;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export function createTerminalHuman(options: TerminalHumanOptions): Human {
  return {
    present: options.present,
    async ask(question, signal) {
      if (!options.present || signal.aborted) return null;
      options.bell?.ring(question);
      try {
        return await converse(question, options, signal);
      } finally {
        options.bell?.rest();
      }
    },
  };
}

async function converse(
  question: Question,
  options: TerminalHumanOptions,
  signal: AbortSignal,
): Promise<Answer | "gone" | null> {
  const { input, screen, words } = options;
  const say = (text: string): void => screen.line(wrap(text, screen.columns(), INDENT));
  const shown = words.question(question);
  screen.line(`\n${shown}\n\n${words.help(question)}`);
  const reading = { ms: readingMs(shown), sleep: options.sleep };
  const prompt = openPrompt(input, screen, signal, reading);
  try {
    let word: string | null = null;
    const atFirst = (line: string): PromptReply => replyAtPrompt(question, line, word);
    let read = atFirst;
    for (;;) {
      const typed = await prompt.next();
      if (typed.kind !== "line") {
        say(typed.kind === "aborted" ? closingWords(signal.reason) : LEFT);
        return typed.kind === "gone" ? "gone" : null;
      }
      const reply = read(typed.text);
      if (reply.kind !== "answer") {
        if (reply.kind === "sure") word = reply.word;
        if (reply.kind === "words-next") read = (line) => wordsFor(reply.action, line);
        screen.line(wordsOf(reply, question, options));
        continue;
      }
      const { action, text } = reply;
      const held = await holdBack(actWords(action, text), { prompt, say, signal });
      if (held === "leave") return null;
      if (held === "send")
        return { id: question.id, action, text, by: nameOf(options.person), at: options.now() };
      read = atFirst;
      word = null;
    }
  } finally {
    prompt.close();
  }
}

/** What is said to a line that is no answer yet. */
function wordsOf(
  reply: Exclude<PromptReply, { kind: "answer" }>,
  question: Question,
  { words, screen }: TerminalHumanOptions,
): string {
  const say = (text: string): string => wrap(text, screen.columns(), INDENT);
  switch (reply.kind) {
    case "words-next":
    case "sure":
      return say(reply.ask);
    case "again":
      return say(reply.hint);
    case "show":
      return reply.what === "question"
        ? `\n${words.whole(question)}\n`
        : `${words.help(question)}\n${say(`${ordersFor(question).join(" ")} · /show: the whole question`)}`;
    default:
      return assertNever(reply, "reply");
  }
}

interface Holding {
  readonly prompt: ReturnType<typeof openPrompt>;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * An answer is recorded and acted on in the same moment, so the only time to take it back is before. It
 * stays at the prompt for a few seconds, and as long as something is being typed.
 */
async function holdBack(
  answer: string,
  { prompt, say, signal }: Holding,
): Promise<"send" | "undo" | "leave"> {
  const shown = excerpt(answer, HELD_CHARS_MAX);
  say(`your answer: ${shown}`);
  say(`sent in ${HOLD_MS / 1_000} s; Enter: now, /undo: take it back`);
  for (;;) {
    const typed = await prompt.next(HOLD_MS);
    // A terminal that went away takes nothing back.
    if (typed.kind === "silent" || typed.kind === "gone") return "send";
    if (typed.kind !== "line") {
      say(typed.kind === "aborted" ? closingWords(signal.reason) : `not sent; ${LEFT}`);
      return "leave";
    }
    const text = typed.text.trim().toLowerCase();
    if (text === "") return "send";
    if (text === "/undo") {
      say("taken back");
      return "undo";
    }
    say("Enter sends your answer, /undo takes it back");
  }
}

const HOLD_MS = 3_000;
const HELD_CHARS_MAX = 200;

const INDENT = "  ";
const LEFT = "the question is kept for later";
const CLOSED = "the prompt is closed";
const LATE = "nobody answered in time";
/** Beside their words, these actions say nothing more. */
const SAYS_LITTLE: readonly string[] = ["answer", "guidance", "amend"] satisfies AnswerAction[];
const PERSON_CHARS_MAX = 80;
const BY_CHARS_MAX = 120;
const ANSWER_CHARS_MAX = 300;

function nameOf(person: string | null): string {
  const name = excerpt(person ?? "", PERSON_CHARS_MAX);
  return name === "" ? "prompt" : `prompt (${name})`;
}

/** Whoever ends the wait gives the answer that was first as the reason, where there is one. */
function closingWords(reason: unknown): string {
  if (!isGivenAnswer(reason)) return CLOSED;
  const { action, text, by } = reason;
  const isLate = action === "expire";
  const words = isLate ? text : actWords(action, text);
  const said = excerpt(words, ANSWER_CHARS_MAX);
  if (isLate) return said === "" ? LATE : `${LATE}: ${said}`;
  return `answered by ${excerpt(by, BY_CHARS_MAX)}: ${said}`;
}

function actWords(action: string, text: string): string {
  return SAYS_LITTLE.includes(action) ? text : `${action} ${text}`;
}

/** Untyped out of a signal, or from a file: what it says is only shown. */
export function isGivenAnswer(
  value: unknown,
): value is Readonly<Record<"action" | "text" | "by", string>> {
  return (
    isObject(value) && ["action", "text", "by"].every((name) => typeof value[name] === "string")
  );
}
