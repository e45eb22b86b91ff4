// Does a key stand twice in one object of a JSON text, so that parsing would lose what it said first?

export interface RepeatedKey {
  readonly key: string;
  /** Of its second place; from 1. */
  readonly line: number;
}

/** The first such key; null: there is none. `json` must have been parsed: nothing here checks it. */
export function repeatedKey(json: string): RepeatedKey | null {
  /** The keys of the objects that are open, outermost first; a list has none. */
  const open: Set<string>[] = [];
  for (const { 0: token, 1: text, 2: colon, index } of json.matchAll(TOKEN)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    if (text === undefined || colon === undefined) continue;
    const key = String(JSON.parse(text));
    const keys = open.at(-1);
    if (keys?.has(key)) return { key, line: json.slice(0, index).split("\n").length };
    keys?.add(key);
  }
  return null;
}

/** A bracket, or a text and whether it is a key. */
const TOKEN = /[{}[\]]|("[^"\\]*(?:\\.[^"\\]*)*")(?:\s*(:))?/g;
