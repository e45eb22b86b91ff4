// What is remembered of a session, so that a loop can be seen?

import { SILENCE, type Speech } from "./chanting.ts";
import type { Mark } from "./mark.ts";
import type { Reading } from "./reading.ts";

/** One call that came to its end, told by its marks. */
export interface CallMark {
  readonly by: "tool" | "account";
  readonly action: string;
  readonly answer: Reading;
  readonly isError: boolean;
  /** False where an equal answer would say nothing. */
  readonly isComparable: boolean;
  /** For a person. */
  readonly shown: string;
}

export interface MessageMark {
  readonly words: string;
  readonly shown: string;
}

/** What is remembered of a session: a few kilobytes, however long it runs. */
export interface LoopState {
  /** The last calls, oldest first. */
  readonly calls: readonly CallMark[];
  /** Messages since something was done, oldest first. */
  readonly messages: readonly MessageMark[];
  /** The message that is being written; null: none. */
  readonly writing: Writing | null;
  readonly condensations: number;
  readonly speech: Speech;
}

export interface Writing {
  readonly words: Mark;
  readonly begins: string;
  /** Letters of running prose that were said before it. */
  readonly lettersBefore: number;
}

export const NO_LOOP: LoopState = {
  calls: [],
  messages: [],
  writing: null,
  condensations: 0,
  speech: SILENCE,
};
