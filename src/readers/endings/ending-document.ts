// Is the text itself an event or a declared state, and what does it state?

import { isObject, jsonIn } from "../../core/model/json.ts";
import { contextFrom, NO_CONTEXT } from "./ending-context.ts";
import type { EndingContext } from "./ending-context.ts";

/**
 * The evidence in a text that is one JSON object, or whose last line is one: an event, an error body, a state
 * file. A line of a structured log is neither: it tells about a program, not about this ending.
 */
export function documentIn(text: string): EndingContext {
  const tail = text.slice(-TAIL_CHARS_MAX).trim();
  if (!tail.endsWith("}")) return NO_CONTEXT;
  const whole = text.length <= TAIL_CHARS_MAX && tail.startsWith("{") ? parsed(tail) : null;
  const last = whole ?? parsed(tail.slice(tail.lastIndexOf("\n") + 1));
  return last === null || isLog(last) ? NO_CONTEXT : contextFrom(last);
}

const TAIL_CHARS_MAX = 16_000;

function parsed(text: string): unknown {
  return text.startsWith("{") ? jsonIn(text) : null;
}

function isLog(value: unknown): boolean {
  return isObject(value) && ("level" in value || "severity" in value);
}
