// Asks a person at the terminal.

import { assertNever } from "../../core/model/assert.ts";
import { excerpt, wrap } from "../../core/model/excerpt.ts";
import type { Question } from "../../core/model/question.ts";
import { replyAtPrompt, wordsFor } from "../../core/run/reply.ts";
import type { PromptReply, WordsAction } from "../../core/run/reply.ts";
import type { Human } from "../../engine/ports.ts";
import { Prompt, type TerminalInput } from "./prompt.ts";
import type { Screen } from "./screen.ts";

export interface TerminalHumanOptions {
  readonly input: TerminalInput;
  readonly present: boolean;
  /** On the terminal's own stream; never stdout: that belongs to the result. */
  readonly screen: Screen;
  /** The question and what may be typed; `whole`: with nothing left out. */
  render(question: Question, whole: boolean): string;
  /** Who sits here, for the record. */
  readonly person: string;
  /** Leaves words for the task of this question, which stays open. */
  tell(question: Question, text: string): Promise<void>;
  /** Calls a person who looks elsewhere. */
  readonly rings: boolean;
}

export function createTerminalHuman(options: TerminalHumanOptions): Human {
  return {
    present: options.present,
    async ask(question, signal) {
      if (!options.present || signal.aborted) return null;
      const { input, screen } = options;
      // The keys are orch's before anything is drawn: a quick Ctrl+C leaves, and ends no process.
      const prompt = new Prompt(input, screen, signal, question.id);
      screen.line(`${options.rings ? BELL : ""}\n${options.render(question, false)}`);
      const say = (text: string): void => screen.line(wrap(text, screen.columns(), INDENT));
      try {
        let choice: WordsAction | null = null;
        for (;;) {
          const typed = await prompt.next();
          if (typed.kind !== "line") {
            say(typed.kind === "aborted" ? NOT_NOW : "the question is kept for later");
            return typed.kind === "gone" ? "gone" : null;
          }
          const reply: PromptReply =
            choice === null ? replyAtPrompt(question, typed.text) : wordsFor(choice, typed.text);
          switch (reply.kind) {
            case "answer": {
              const by = `prompt (${excerpt(options.person, PERSON_CHARS_MAX)})`;
              const { action, text } = reply;
              return { id: question.id, action, text, by, at: new Date().toISOString() };
            }
            case "words-next":
              choice = reply.action;
              say(reply.ask);
              break;
            case "again":
              say(reply.hint);
              break;
            case "tell":
              await options.tell(question, reply.text);
              say("passed on to the agent; the question still waits for its answer");
              break;
            case "help":
              screen.line(`\n${options.render(question, true)}\n`);
              break;
            default:
              assertNever(reply, "reply");
          }
        }
      } finally {
        prompt.close();
      }
    },
  };
}

/** Who answered elsewhere stands in the story, above. */
const NOT_NOW = "no answer is needed at the moment";
const BELL = "\u0007";
const INDENT = "  ";
const PERSON_CHARS_MAX = 80;
