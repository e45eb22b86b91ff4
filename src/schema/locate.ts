// On which line of a JavaScript object literal does a key stand?

/** A comment; a text or a word, which with a colon is a key; a bracket or a comma. What nothing closes goes to the end. */
const TOKEN =
  /\/\/[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))|(?:"((?:\\.|[^"\\\n])*)"?|'((?:\\.|[^'\\\n])*)'?|`(?:\\[^]|[^`\\])*`?|([\w$]+))(\s*:)?|[{}[\](),]/g;

/**
 * The line of the deepest part of the path that can be found; null where not even the first can.
 *
 * A config is code, so this is a reading aid and not a parser: it follows literals, and what comes
 * out of a variable or a function is simply not found.
 */
export function lineOfKey(text: string, path: readonly (string | number)[]): number | null {
  const exported = Math.max(0, text.search(/export\s+default\b|module\.exports\s*=/));
  const start = text.indexOf("{", exported);
  if (start < 0) return null;
  /** Of each open bracket the key or the index of the entry that is read. */
  const open: (string | number | null)[] = [];
  let found: { readonly depth: number; readonly at: number } = { depth: 0, at: 0 };
  for (const { 0: token, 1: double, 2: single, 3: word, 4: colon, index } of text
    .slice(start)
    .matchAll(TOKEN)) {
    const last = open.length - 1;
    const key = open[last] ?? null;
    if (token === ",") open[last] = typeof key === "number" ? key + 1 : null;
    else if ("}])".includes(token)) open.pop();
    else if (!token.startsWith("/")) {
      if (colon !== undefined) open[last] = key ?? double ?? single ?? word ?? null;
      const isOnTheWay = open.every((part, at) => part === path[at]);
      if (isOnTheWay && open.length > found.depth) found = { depth: open.length, at: index };
      if ("{[(".includes(token)) open.push(token === "[" ? 0 : null);
    }
    if (open.length === 0) break;
  }
  return found.depth === 0 ? null : text.slice(0, start + found.at).split("\n").length;
}
