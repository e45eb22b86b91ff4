// On which line of a JavaScript object literal does a key stand?

/**
 * The line of the deepest part of the path that can be found; null where not even the first can.
 *
 * A config is code, so this is a reading aid and not a parser: it follows literals, and what comes
 * out of a variable or a function is simply not found.
 */
export function lineOfKey(text: string, path: readonly (string | number)[]): number | null {
  const source = masked(text);
  let position = rootObject(source);
  let found: number | null = null;
  for (const part of path) {
    const open = source.slice(position).search(/\S/) + position;
    const entry =
      typeof part === "number" ? element(source, open, part) : property(source, open, part);
    if (entry === null) break;
    found = entry.at;
    position = entry.value;
  }
  return found === null ? null : text.slice(0, found).split("\n").length;
}

interface Entry {
  readonly at: number;
  readonly value: number;
}

const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g;
const KEY = /\s*(?:"([^"\n]*)"|'([^'\n]*)'|([\w$]+))\s*:/y;

/** Same length and lines, without comments and without punctuation inside strings. */
function masked(text: string): string {
  return text.replace(TOKENS, (token) =>
    token.startsWith("/") ? token.replace(/[^\n]/g, " ") : token.replace(/[{}[\](),:]/g, "_"),
  );
}

function rootObject(source: string): number {
  const exported = /export\s+default\b|module\.exports\s*=/.exec(source);
  const after = exported === null ? -1 : source.indexOf("{", exported.index);
  return after >= 0 ? after : Math.max(0, source.indexOf("{"));
}

function property(source: string, open: number, key: string): Entry | null {
  if (source[open] !== "{") return null;
  for (const start of entries(source, open)) {
    KEY.lastIndex = start;
    const match = KEY.exec(source);
    if (match === null || (match[1] ?? match[2] ?? match[3]) !== key) continue;
    return { at: start + match[0].search(/\S/), value: KEY.lastIndex };
  }
  return null;
}

function element(source: string, open: number, index: number): Entry | null {
  if (source[open] !== "[") return null;
  const start = entries(source, open)[index];
  if (start === undefined) return null;
  const at = start + Math.max(0, source.slice(start).search(/\S/));
  return { at, value: at };
}

/** Where each entry of the bracket at `open` begins. */
function entries(source: string, open: number): readonly number[] {
  const starts = [open + 1];
  let depth = 0;
  for (let at = open; at < source.length; at += 1) {
    const sign = source[at] ?? "";
    if ("{[(".includes(sign)) depth += 1;
    if ("}])".includes(sign)) depth -= 1;
    if (depth === 0) return starts;
    if (sign === "," && depth === 1) starts.push(at + 1);
  }
  return starts;
}
