// How is something shown to a program?

/** One line: no newline inside, so that a stream of them can be read line by line. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value);
}

/** For a single object on its own: readable, still one JSON text. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
