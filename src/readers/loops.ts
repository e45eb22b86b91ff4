// Does a running session do or say the same thing again and again?

import { assertNever } from "../core/model/assert.ts";
import { excerpt, oneLine } from "../core/model/excerpt.ts";
import { isObject, jsonIn, textAt } from "../core/model/json.ts";
import type { SessionEvent } from "../core/model/session.ts";
import { shortHash } from "../core/model/ids.ts";
import { withoutRunNoise } from "./failure/normalise.ts";

/** How often in a row is too often. */
const LOOP_LIMITS = { "same-call": 4, "same-message": 3 } as const;

export interface LoopFinding {
  readonly rule: keyof typeof LOOP_LIMITS;
  /** One line for a person. */
  readonly evidence: string;
}

/** What is remembered of a session, however long it runs. */
export interface LoopWatch {
  readonly pending: readonly PendingCall[];
  readonly call: Repeated;
  /** Ends with every call: something was done in between. */
  readonly message: Repeated;
}

/** A call that has no answer yet. */
interface PendingCall {
  readonly id: string;
  /** The same for the same tool with the same arguments. */
  readonly identity: string;
  readonly shown: string;
}

interface Repeated {
  readonly identity: string;
  readonly times: number;
  readonly shown: string;
}

const NOTHING: Repeated = { identity: "", times: 0, shown: "" };

export const NO_WATCH: LoopWatch = { pending: [], call: NOTHING, message: NOTHING };

/** More than an agent asks for at once; the answer of an older call is not waited for. */
const PENDING_MAX = 32;

export function afterEvent(watch: LoopWatch, event: SessionEvent): LoopWatch {
  switch (event.type) {
    case "text": {
      const words = oneLine(event.text).toLowerCase();
      const message = words === "" ? watch.message : repeated(watch.message, words, event.text);
      return { ...watch, message };
    }
    case "tool-call":
      return {
        ...watch,
        pending: [...watch.pending, pendingCall(event)].slice(-PENDING_MAX),
        message: NOTHING,
      };
    case "tool-result":
      return afterResult(watch, event);
    case "thinking":
    case "retry":
    case "note":
    case "hook":
    case "condensation":
      return watch;
    default:
      return assertNever(event);
  }
}

/** null: the session is in no loop now. */
export function loopIn({ call, message }: LoopWatch): LoopFinding | null {
  if (call.times >= LOOP_LIMITS["same-call"]) {
    const evidence = `ran \`${call.shown}\` ${call.times} times with the same result`;
    return { rule: "same-call", evidence };
  }
  if (message.times < LOOP_LIMITS["same-message"]) return null;
  const evidence = `said the same ${message.times} times and did nothing between: "${message.shown}"`;
  return { rule: "same-message", evidence };
}

/** Stand for what a driver cannot show as text: equal ones say nothing. */
const UNSEEN = /^(?:\s{0,9}\[(?:image|audio|document|resource|unknown)\]){1,20}\s{0,9}$/;

function afterResult(
  watch: LoopWatch,
  { id, output, isError }: Extract<SessionEvent, { type: "tool-result" }>,
): LoopWatch {
  const call = watch.pending.find((one) => one.id === id);
  // The result of a call that was not seen tells nothing about what was asked.
  if (call === undefined) return watch;
  const pending = watch.pending.filter((other) => other !== call);
  // Asking twice at once is not asking again.
  if (pending.some((other) => other.identity === call.identity)) return { ...watch, pending };
  if (UNSEEN.test(output.slice(0, 400))) return { ...watch, pending, call: NOTHING };
  const exchange = `${call.identity} ${isError} ${comparable(output)}`;
  return { ...watch, pending, call: repeated(watch.call, exchange, call.shown) };
}

const SHOWN_CHARS_MAX = 80;

function repeated(before: Repeated, words: string, shown: string): Repeated {
  const identity = shortHash(words);
  const times = before.identity === identity ? before.times + 1 : 1;
  return { identity, times, shown: excerpt(shown, SHOWN_CHARS_MAX) };
}

const OUTPUT_END_CHARS = 8 * 1024;

/** Without times of day, ids and ports; of a long output both ends and its length are compared. */
function comparable(output: string): string {
  const isLong = output.length > 2 * OUTPUT_END_CHARS;
  const ends = isLong
    ? `${output.slice(0, OUTPUT_END_CHARS)}\n${output.slice(-OUTPUT_END_CHARS)}\n${output.length}`
    : output;
  return withoutRunNoise(ends.toLowerCase());
}

type ToolCall = Extract<SessionEvent, { type: "tool-call" }>;

function pendingCall({ id, tool, input }: ToolCall): PendingCall {
  const call = `${tool} ${comparableArguments(input)}`;
  const args = jsonIn(input);
  const command = isObject(args) ? textAt(args, "command") : null;
  return { id, identity: shortHash(call), shown: excerpt(command ?? call, SHOWN_CHARS_MAX) };
}

/** What describes a command beside it changes nothing about what is run. */
function comparableArguments(input: string): string {
  const args = jsonIn(input);
  if (!isObject(args) || !("command" in args)) return input;
  const { description: _description, ...rest } = args;
  return JSON.stringify(rest);
}
