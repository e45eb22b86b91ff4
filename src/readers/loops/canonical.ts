// When are the arguments of two calls the same?

import { isObject } from "../../core/model/json.ts";
import { markOf } from "./mark.ts";

/** A longer text is told by its beginning and its mark: a whole file may be an argument. */
const TEXT_CHARS_MAX = 200;
const ALL_CHARS_MAX = 10_000;
/** Beyond this a call's JSON is compared as it was written. */
const JSON_CHARS_MAX = 256 * 1024;

/** Beside one of these, words that explain it change nothing about what is done. */
const DEEDS = ["command", "cmd", "code", "script"];
const GLOSS =
  /^(?:description|explanation|justification|reason|reasoning|thought|toolCallDescription)$/;

/** JSON with sorted keys: equal values give equal texts, whatever order their keys came in. Total and bounded. */
export function canonical(value: unknown): string {
  try {
    return bounded(JSON.stringify(value, sorted) ?? "null", ALL_CHARS_MAX);
  } catch {
    // Too deep, in a circle, or of a kind that JSON does not know.
    return '"…"';
  }
}

/** `canonical`, without what only explains a command. */
export function toolArguments(args: unknown): string {
  if (!isObject(args) || !DEEDS.some((deed) => Object.hasOwn(args, deed))) return canonical(args);
  return canonical(Object.fromEntries(Object.entries(args).filter(([name]) => !GLOSS.test(name))));
}

/** As `toolArguments`, for arguments that arrive as JSON; other text stands for itself. */
export function toolArgumentsOf(json: string): string {
  if (json.length > JSON_CHARS_MAX) return canonical(json);
  try {
    return toolArguments(JSON.parse(json));
  } catch {
    // An agent may call a tool with anything; then its words are compared.
    return canonical(json);
  }
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value === "string") return bounded(value, TEXT_CHARS_MAX);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function bounded(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)}…${markOf(text)}`;
}
