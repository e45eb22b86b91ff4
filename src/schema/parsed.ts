// What does reading a document from outside give: a value, or everything that is wrong with it?

import { excerpt } from "../core/model/excerpt.ts";

/** A document, or what is wrong with it, place by place: never an empty list. */
export type Parsed<T, P = string> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly P[] };

/** A document that a person wrote, and can fix. */
export type Checked<T> = Parsed<T, Problem>;

export interface Problem {
  /** `file:line` where the line is known, else the file, else the path of a key. */
  readonly where: string;
  readonly message: string;
  /** What to write instead; null where there is nothing to suggest. */
  readonly suggestion: string | null;
}

export function parsed<T>(value: T): Parsed<T, never> {
  return { ok: true, value };
}

export function unparsed<P>(...problems: readonly P[]): Parsed<never, P> {
  return { ok: false, problems };
}

export function problem(where: string, message: string, suggestion: string | null = null): Problem {
  return { where, message, suggestion };
}

/** Some editors write an invisible mark before the first letter. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

export function parseJson(text: string): Parsed<unknown> {
  try {
    return parsed(JSON.parse(text));
  } catch (error) {
    // Also a RangeError, where something is nested deeper than the parser's stack.
    const message = String(error).replace("SyntaxError: ", "");
    return unparsed(`not valid JSON: ${excerpt(message, 200)}`);
  }
}

/** `budget.run.costUsd`, `pipelines.default[0].gates`. */
export function keyPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? String(part) : `${text}.${String(part)}`;
  }, "");
}
