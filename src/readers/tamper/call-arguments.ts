// What are the arguments of a call, going by the text between its brackets?

const CHARS_MAX = 2_000;

/** Split at the commas that stand in no bracket and no string. */
export function argumentsOf(text: string): readonly string[] {
  const all = text.slice(0, CHARS_MAX);
  const parts: string[] = [];
  let depth = 0;
  let quote: string | null = null;
  let start = 0;
  for (let at = 0; at < all.length; at++) {
    const char = all[at] ?? "";
    if (char === "\\") at += 1;
    else if (quote !== null) quote = char === quote ? null : quote;
    else if (`"'\``.includes(char)) quote = char;
    else if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    else if (char === "," && depth === 0) {
      parts.push(all.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, all.slice(start).trim()];
}
