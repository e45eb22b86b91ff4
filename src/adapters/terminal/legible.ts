// What does a terminal show that knows no UTF-8?

import type { Writable } from "node:stream";

/** As wide as what they stand for. */
const ALIKE: Readonly<Record<string, string>> = {
  "✓": "+",
  "✗": "x",
  "▸": ">",
  "‖": "=",
  "–": "-",
  "…": "~",
  "→": ">",
  "·": "-",
  "│": "|",
  "─": "-",
};

/** Every other character that is not ASCII is a question mark, and nothing where it takes no room. */
export function legible(text: string): string {
  return text.replace(/\P{ASCII}/gu, (one) => ALIKE[one] ?? (/\p{Mark}/u.test(one) ? "" : "?"));
}

/** Said by the locale, in its order of precedence; where none is set nobody says otherwise. */
export function knowsUtf8(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = [env["LC_ALL"], env["LC_CTYPE"], env["LANG"]].find((one) => (one ?? "") !== "");
  return locale === undefined || /utf-?8/i.test(locale);
}

type Done = (error?: Error | null) => void;

/** Whatever is written to it, by whomever, is legible there. */
export function makeLegible(stream: Writable): void {
  const write = stream.write.bind(stream);
  stream.write = (chunk: unknown, how?: BufferEncoding | Done, done?: Done): boolean => {
    const shown = typeof chunk === "string" ? legible(chunk) : chunk;
    return typeof how === "function" ? write(shown, how) : write(shown, how ?? "utf8", done);
  };
}
