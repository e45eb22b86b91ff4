// Is the session going round in circles, as its steps arrive one by one?

import { assertNever } from "../../core/model/assert.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { afterWords, afterWordsEnd } from "./chanting.ts";
import { findLoop } from "./find-loop.ts";
import { afterPiece, markOf, markText, NO_MARK } from "./mark.ts";
import { NO_LOOP, type CallMark, type LoopState } from "./memory.ts";
import { readingOf } from "./reading.ts";
import { CYCLE_CALLS_MAX, LOOP_LIMITS, type LoopFinding, type Mode, type Step } from "./step.ts";

/** Enough for the longest cycle, and to say how long a loop has been going on. */
const CALLS_KEPT = CYCLE_CALLS_MAX * LOOP_LIMITS.cycle + 9;
const SHOWN_CHARS_MAX = 80;
const MESSAGE_CHARS_MAX = 64 * 1024;
/** What a helper did and saw stands before what it quotes. */
const ACCOUNT_CHARS_MAX = 600;

/** Calls whose effect depends on what was there before: an equal answer is not an equal result. */
const RELATIVE =
  /\b(?:scroll|page|arrow)[ _-]?(?:up|down|left|right)\b|\bnext[ _-]?(?:page|results?|match)\b|\bload[ _-]?more\b|"scroll"/i;
/** Going on in the same place; how far, is told in per cent or not at all. */
const SCROLLED = /\b(?:scrolled|paged|moved on|next page)\b/i;
/** An acknowledgement; a longer answer tells where one is. */
const ACKNOWLEDGEMENT_CHARS_MAX = 40;
/** Stand for what a driver cannot show as text. */
const UNSEEN = /^(?:\s{0,9}\[(?:image|audio|document|resource|unknown)\]){1,20}\s{0,9}$/;

export function afterStep(state: LoopState, step: Step, mode: Mode): LoopState {
  switch (step.kind) {
    case "tool":
    case "told":
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

/** The first rule that fires now; a loop that was left is none. */
export function loopIn(state: LoopState): LoopFinding | null {
  return findLoop(state);
}

export function detectLoop(steps: readonly Step[], mode: Mode): LoopFinding | null {
  return loopIn(steps.reduce((state, step) => afterStep(state, step, mode), NO_LOOP));
}

function callMark(step: Extract<Step, { kind: "tool" | "told" }>): CallMark {
  if (step.kind === "told") {
    const account = accountOf(step.text);
    return {
      by: "account",
      action: "",
      answer: readingOf(account),
      isError: false,
      isComparable: account !== "" && !(SCROLLED.test(account) && !/\d%/.test(account)),
      shown: excerpt(account, SHOWN_CHARS_MAX),
    };
  }
  const answer = step.result?.text ?? "";
  return {
    by: "tool",
    action: markOf(`${step.tool}\n${step.args}`),
    answer: readingOf(answer),
    isError: step.result?.isError === true,
    isComparable: !UNSEEN.test(answer.slice(0, 400)) && !isMoreOf(step, answer),
    shown: excerpt(`${step.tool} ${step.args}`, SHOWN_CHARS_MAX),
  };
}

function isMoreOf(call: { readonly tool: string; readonly args: string }, answer: string): boolean {
  const asked = `${call.tool} ${call.args}`.slice(0, 1_000);
  return answer.length < ACKNOWLEDGEMENT_CHARS_MAX && RELATIVE.test(asked);
}

/** A line that ends in a colon begins a quotation, which another reading may word differently. */
function accountOf(text: string): string {
  const head = text.slice(0, ACCOUNT_CHARS_MAX * 2).split("\n");
  const quotes = head.findIndex((line, at) => at > 0 && line.trimEnd().endsWith(":"));
  const own = quotes === -1 ? head : head.slice(0, quotes);
  return own.join("\n").slice(0, ACCOUNT_CHARS_MAX).trim();
}

function afterText(state: LoopState, text: string): LoopState {
  if (text === "") return state;
  const before = state.writing ?? {
    words: NO_MARK,
    begins: "",
    lettersBefore: state.speech.letters,
  };
  const taken = text.slice(0, MESSAGE_CHARS_MAX).replace(/\s+/g, "").toLowerCase();
  return {
    ...state,
    condensations: 0,
    speech: afterWords(state.speech, text),
    writing: {
      ...before,
      words: afterPiece(before.words, taken),
      begins: (before.begins + text.slice(0, SHOWN_CHARS_MAX * 2)).slice(0, SHOWN_CHARS_MAX * 2),
    },
  };
}

function afterMessageEnd(state: LoopState): LoopState {
  const { writing } = state;
  if (writing === null) return state;
  const ended = { ...state, writing: null, speech: afterWordsEnd(state.speech) };
  // Rows of a table or lines of code that arrive one by one are alike, and nobody is speaking.
  if (ended.speech.letters === writing.lettersBefore) return ended;
  const message = {
    words: markText(writing.words),
    shown: excerpt(writing.begins, SHOWN_CHARS_MAX),
  };
  return { ...ended, messages: [...state.messages, message].slice(-CALLS_KEPT) };
}
