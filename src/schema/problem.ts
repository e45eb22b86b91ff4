// What is wrong with a document that a person wrote, where, and what should stand there instead?

export interface Problem {
  /** `file:line` where the line is known, else the file, else the path of a key. */
  readonly where: string;
  readonly message: string;
  /** What to write instead; null where there is nothing to suggest. */
  readonly suggestion: string | null;
}

/** A document its author can fix: the value, or everything wrong with it at once. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export function checked<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function problem(where: string, message: string, suggestion: string | null = null): Problem {
  return { where, message, suggestion };
}

export function refused(...problems: readonly [Problem, ...Problem[]]): Checked<never> {
  return { ok: false, problems };
}
