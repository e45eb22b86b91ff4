// Which checks does the text of a task name?

const NAME_CHARS_MIN = 4;

/** By their own name, without the suites and files around it; in any case. */
export function namedChecks(body: string, checks: readonly string[]): readonly string[] {
  const text = body.toLowerCase();
  return checks.filter((check) => {
    const own =
      check
        .split(/ [>›] |::/)
        .at(-1)
        ?.trim()
        .toLowerCase() ?? "";
    return own.length >= NAME_CHARS_MIN && text.includes(own);
  });
}
