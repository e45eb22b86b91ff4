// How is a person asked at the terminal, now?

import { assertNever } from "../../core/model/assert.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { isObject } from "../../core/model/json.ts";
import type { Answer, AnswerAction, Question } from "../../core/model/question.ts";
import { replyTo, wordsFor, type Reply } from "../../core/run/reply.ts";
import { wrap } from "../../core/views/wrap.ts";
import type { Human } from "../../engine/ports.ts";
import type { TerminalBell } from "./bell.ts";
import { openPrompt, type TerminalInput } from "./prompt.ts";
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
  };
  /** Who sits here, for the record; null: nobody says. */
  readonly person: string | null;
  /** null: it stays silent. */
  readonly bell: TerminalBell | null;
  now(): string;
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
  screen.line(`\n${words.question(question)}\n\n${words.help(question)}`);
  const prompt = openPrompt(input, screen, signal);
  try {
    let read = (line: string): Reply => replyTo(question, line);
    for (;;) {
      const typed = await prompt.next();
      if (typed.kind !== "line") {
        say(typed.kind === "aborted" ? closingWords(signal.reason) : LEFT);
        return typed.kind === "gone" ? "gone" : null;
      }
      const reply = read(typed.text);
      switch (reply.kind) {
        case "answer": {
          const { action, text } = reply;
          return { id: question.id, action, text, by: nameOf(options.person), at: options.now() };
        }
        case "words-next":
          read = (line) => wordsFor(reply.action, line);
          say(reply.ask);
          break;
        case "again":
          say(reply.hint);
          break;
        default:
          return assertNever(reply, "reply");
      }
    }
  } finally {
    prompt.close();
  }
}

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
  const words = isLate || SAYS_LITTLE.includes(action) ? text : `${action} ${text}`;
  const said = excerpt(words, ANSWER_CHARS_MAX);
  if (isLate) return said === "" ? LATE : `${LATE}: ${said}`;
  return `answered by ${excerpt(by, BY_CHARS_MAX)}: ${said}`;
}

/** Untyped out of a signal, or from a file: what it says is only shown. */
export function isGivenAnswer(
  value: unknown,
): value is Readonly<Record<"action" | "text" | "by", string>> {
  return (
    isObject(value) && ["action", "text", "by"].every((name) => typeof value[name] === "string")
  );
}
