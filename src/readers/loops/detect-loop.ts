// Is the session going round in circles, as its steps arrive one by one?

import { assertNever } from "../../core/model/assert.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { afterWords } from "./chanting.ts";
import { loopIn, SHOWN_CHARS_MAX } from "./find-loop.ts";
import { afterPiece, markOf } from "./mark.ts";
import { NO_LOOP, NO_WORDS, type CallMark, type LoopState } from "./memory.ts";
import { readingOf } from "./reading.ts";
import { CYCLE_CALLS_MAX, LOOP_LIMITS, type LoopFinding, type Mode, type Step } from "./step.ts";

/** Enough for the longest cycle, and to say how long a loop has been going on. */
const CALLS_KEPT = CYCLE_CALLS_MAX * LOOP_LIMITS.cycle + 9;
const MESSAGE_CHARS_MAX = 64 * 1024;

/** Calls whose effect depends on what was there before: an equal answer is not an equal result. */
const RELATIVE =
  /\b(?:scroll|page|arrow)[ _-]?(?:up|down|left|right)\b|\bnext[ _-]?(?:page|results?|match)\b|\bload[ _-]?more\b|"scroll"/i;
/** An acknowledgement; a longer answer tells where one is. */
const ACKNOWLEDGEMENT_CHARS_MAX = 40;
/** Stand for what a driver cannot show as text. */
const UNSEEN = /^(?:\s{0,9}\[(?:image|audio|document|resource|unknown)\]){1,20}\s{0,9}$/;

export function afterStep(state: LoopState, step: Step, mode: Mode): LoopState {
  switch (step.kind) {
    case "tool":
      return { ...NO_LOOP, calls: [...state.calls, callMark(step)].slice(-CALLS_KEPT) };
    case "message":
      return afterMessageEnd(afterText(state, step.text));
    case "text":
      return afterText(state, step.text);
    case "message-end":
      return afterMessageEnd(state);
    case "user-message":
      return mode === "interactive" ? NO_LOOP : afterMessageEnd(state);
    case "condensation":
      return { ...NO_LOOP, calls: state.calls, condensations: state.condensations + 1 };
    default:
      return assertNever(step);
  }
}

export function detectLoop(steps: readonly Step[], mode: Mode): LoopFinding | null {
  return loopIn(steps.reduce((state, step) => afterStep(state, step, mode), NO_LOOP));
}

function callMark({ tool, args, result }: Extract<Step, { kind: "tool" }>): CallMark {
  const answer = result?.text ?? "";
  const asked = `${tool} ${args}`;
  const isMoved = answer.length < ACKNOWLEDGEMENT_CHARS_MAX && RELATIVE.test(asked.slice(0, 1_000));
  return {
    action: markOf(asked),
    answer: readingOf(answer),
    isError: result?.isError === true,
    isComparable: !isMoved && !UNSEEN.test(answer.slice(0, 400)),
    shown: excerpt(asked, SHOWN_CHARS_MAX),
  };
}

function afterText(state: LoopState, text: string): LoopState {
  if (text === "") return state;
  const before = state.writing ?? { ...NO_WORDS, lettersBefore: state.speech.letters };
  const taken = text.slice(0, MESSAGE_CHARS_MAX).replace(/\s+/g, "").toLowerCase();
  return {
    ...state,
    condensations: 0,
    speech: afterWords(state.speech, text),
    writing: {
      ...before,
      words: afterPiece(before.words, taken),
      begins: (before.begins + text).slice(0, SHOWN_CHARS_MAX * 2),
    },
  };
}

function afterMessageEnd(state: LoopState): LoopState {
  const { writing, speech, messages } = state;
  if (writing === null) return state;
  const ended = { ...state, writing: null };
  // Rows of a table or lines of code that arrive one by one are alike, and nobody is speaking.
  if (speech.letters === writing.lettersBefore) return ended;
  return { ...ended, messages: [...messages, writing].slice(-CALLS_KEPT) };
}
