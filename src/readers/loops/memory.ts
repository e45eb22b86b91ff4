// What is remembered of a session, so that a loop can be seen?

import { NO_MARK, type Mark } from "./mark.ts";
import type { Reading } from "./reading.ts";

/** One call that came to its end, told by its marks. */
export interface CallMark {
  readonly action: string;
  readonly answer: Reading;
  readonly isError: boolean;
  /** False where an equal answer would say nothing. */
  readonly isComparable: boolean;
  /** For a person. */
  readonly shown: string;
}

/** A message, told by its mark; the last one may still be written. */
export interface MessageMark {
  readonly words: Mark;
  readonly begins: string;
}

/** What was said since something was done; a few thousand characters at most. */
export interface Speech {
  /** Inside a fenced code block. */
  readonly isFenced: boolean;
  /** How the line begins that is not complete yet. */
  readonly line: string;
  /** The end of the running prose, that line included. */
  readonly said: string;
  /** Letters of running prose so far. */
  readonly letters: number;
  /** Stays until something is done. */
  readonly chant: { readonly passage: string; readonly times: number } | null;
}

/** A few kilobytes, however long a session runs. */
export interface LoopState {
  /** The last calls, oldest first. */
  readonly calls: readonly CallMark[];
  /** Messages since something was done, oldest first. */
  readonly messages: readonly MessageMark[];
  /** The message that is being written, with the letters of prose that were said before it. */
  readonly writing: (MessageMark & { readonly lettersBefore: number }) | null;
  readonly condensations: number;
  readonly speech: Speech;
}

export const NO_WORDS: MessageMark = { words: NO_MARK, begins: "" };

export const NO_LOOP: LoopState = {
  calls: [],
  messages: [],
  writing: null,
  condensations: 0,
  speech: { isFenced: false, line: "", said: "", letters: 0, chant: null },
};
