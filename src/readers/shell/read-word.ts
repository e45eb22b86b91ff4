// Where does a word of a shell script end, and what does it say without its quotes?

import type { Item } from "../acts/item.ts";
import { GIT_FOLDER_NAME, isKnown, mark, ROOT_NAME, TEMPORARY_NAME, UNKNOWN } from "./word.ts";

/** A place in a script, and what was read up to it. Every function here moves it forward, never back. */
export interface Cursor {
  readonly text: string;
  at: number;
  readonly items: Item[];
  /** Heredocs whose bodies begin after the next line break. */
  readonly pending: PendingHeredoc[];
  /** Reads commands up to the ")" that ends them. */
  readonly readList: (cursor: Cursor, depth: number) => void;
}

interface PendingHeredoc {
  readonly delimiter: string;
  readonly isLiteral: boolean;
  readonly isIndented: boolean;
  readonly take: (body: string) => void;
}

/** Deeper than this, `$(` is read as plain characters. */
const DEPTH_MAX = 24;

const ARITHMETIC_CHARS_MAX = 400;
const ARITHMETIC_DEEP_MAX = 12;

const PLAIN = /[^ \t\r\n;&|<>()'"\\$`]+/y;
const IN_DOUBLE = /[^"\\$`]+/y;
const IN_BRACES = /[^}'"\\$`]+/y;
const ENDS = new Set([" ", "\t", "\r", "\n", ";", "&", "|", "<", ">", "(", ")"]);
/** `*(…)` and its kin, which are patterns. */
const PATTERN_GROUP = /\([^()\n]{0,300}\)/y;
const ANSI = /\$'([^'\\]*(?:\\[\s\S][^'\\]*)*)'/y;
const BACKTICKS = /`([^`\\]*(?:\\[\s\S][^`\\]*)*)(?:`|\\?$)/y;
const NAME = /[A-Za-z_]\w*|\d+|[@*#?$!-]/y;
const DEFAULT = /:?[-=+?]/y;

/** Takes what the sticky pattern matches here; "": nothing. */
export function take(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0] ?? "";
  cursor.at += found.length;
  return found;
}

/** The cursor has not moved: no word begins here. */
export function readWord(cursor: Cursor, depth: number): string {
  let word = "";
  while (cursor.at < cursor.text.length) {
    const run = take(cursor, PLAIN);
    if (run !== "") {
      word += word === "" ? withHome(run) : run;
      continue;
    }
    const char = cursor.text.charAt(cursor.at);
    if (ENDS.has(char)) {
      const isPattern = char === "(" && word !== "!" && /[?*+@!]$/.test(word.slice(-1));
      const group = isPattern ? take(cursor, PATTERN_GROUP) : "";
      if (group === "") return word;
      word += group;
    } else word += readSpecial(cursor, depth);
  }
  return word;
}

function withHome(run: string): string {
  return run.replace(/^(\w{1,60}=)?~(?=\/|$)/, (_all, name = "") => `${name}${mark("HOME", true)}`);
}

/** A quote, an escape or an expansion, outside double quotes. */
function readSpecial(cursor: Cursor, depth: number): string {
  const { text, at } = cursor;
  const char = text.charAt(at);
  if (char === "$") return readDollar(cursor, depth, false);
  if (char === "`") return readBackticks(cursor, depth);
  cursor.at += 1;
  if (char === '"') return readDouble(cursor, depth, '"');
  if (char === "\\") {
    cursor.at += 1;
    return text.charAt(at + 1) === "\n" ? "" : text.charAt(at + 1);
  }
  if (char !== "'") return char;
  const end = text.indexOf("'", at + 1);
  cursor.at = end === -1 ? text.length : end + 1;
  return text.slice(at + 1, end === -1 ? undefined : end);
}

/** Up to the closing quote; a body of a heredoc has none, and `quote` is "" then. */
export function readDouble(cursor: Cursor, depth: number, quote: '"' | ""): string {
  let out = "";
  while (cursor.at < cursor.text.length) {
    out += take(cursor, IN_DOUBLE);
    const char = cursor.text.charAt(cursor.at);
    if (char === "$") out += readDollar(cursor, depth, true);
    else if (char === "`") out += readBackticks(cursor, depth);
    else {
      cursor.at += 1;
      if (char === quote) return out;
      out += char === "\\" ? readEscape(cursor) : char;
    }
  }
  return out;
}

function readEscape(cursor: Cursor): string {
  const char = cursor.text.charAt(cursor.at);
  cursor.at += 1;
  if (char === "\n") return "";
  return '"\\$`'.includes(char) ? char : `\\${char}`;
}

function readDollar(cursor: Cursor, depth: number, isQuoted: boolean): string {
  const { text, at } = cursor;
  const next = text.charAt(at + 1);
  if (!isQuoted && next === "'") {
    ANSI.lastIndex = at;
    const found = ANSI.exec(text);
    cursor.at = found === null ? at + 1 : at + found[0].length;
    return found === null ? "" : unescapeAnsi(found[1] ?? "");
  }
  cursor.at += 1;
  if (!isQuoted && next === '"') return "";
  if (next === "(" || next === "{") {
    if (depth >= DEPTH_MAX) return "$";
    if (next === "{") return readParameter(cursor, depth + 1, isQuoted);
    cursor.at += 1;
    return isArithmetic(cursor) ? UNKNOWN : readSubstitution(cursor, depth + 1, isQuoted);
  }
  const name = take(cursor, NAME);
  return name === "" ? "$" : mark(name, isQuoted);
}

function unescapeAnsi(text: string): string {
  const known: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
  return text.replace(/\\([\s\S])/g, (_all, char: string) => known[char] ?? char);
}

/** Skips `(…))` of `((…))`, whose first parenthesis is taken; false, and nowhere gone, where commands stand there. */
export function isArithmetic(cursor: Cursor): boolean {
  if (cursor.text.charAt(cursor.at) !== "(") return false;
  const ahead = cursor.text.slice(cursor.at, cursor.at + ARITHMETIC_CHARS_MAX);
  let open = 0;
  for (let at = 0; at < ahead.length; at += 1) {
    const char = ahead.charAt(at);
    if (char === "(") open += 1;
    if (char === ")") open -= 1;
    if (open > ARITHMETIC_DEEP_MAX) return false;
    if (open > 0) continue;
    if (ahead.charAt(at + 1) !== ")") return false;
    cursor.at += at + 2;
    return true;
  }
  return false;
}

/** Outputs that are known without running anything. */
const OUTPUTS: Readonly<Record<string, string>> = {
  pwd: "PWD",
  "git rev-parse --show-toplevel": ROOT_NAME,
  "git rev-parse --git-dir": GIT_FOLDER_NAME,
  "git rev-parse --git-common-dir": GIT_FOLDER_NAME,
};

/** `$(…)`, `<(…)` and `>(…)` after the parenthesis: the commands become items of their own. */
export function readSubstitution(cursor: Cursor, depth: number, isQuoted: boolean): string {
  if (depth > DEPTH_MAX) return UNKNOWN;
  const start = cursor.at;
  cursor.items.push({ kind: "open" });
  cursor.readList(cursor, depth);
  cursor.items.push({ kind: "close" });
  return outputOf(cursor.text.slice(start, cursor.at), isQuoted);
}

/** A file or a folder for a while; a template that is neither absolute nor after `-t` is made right here. */
const MAKES_TEMPORARY =
  /^mktemp(?: +(?:-[dqu]{1,3}|--directory|-[dqu]{0,3}t +[^\s/$]+|--tmpdir(?: +[^\s/$]+)?|["']?(?:\/tmp|\$TMPDIR|\$\{TMPDIR(?::-\/tmp)?\})\/[^\s/$]+))*$/;

function outputOf(script: string, isQuoted: boolean): string {
  const name = script.length > 90 ? "" : script.replace(/2>\/dev\/null|\)$/g, "").trim();
  if (MAKES_TEMPORARY.test(name)) return mark(TEMPORARY_NAME, isQuoted);
  return mark(Object.hasOwn(OUTPUTS, name) ? (OUTPUTS[name] ?? "") : "", isQuoted);
}

function readBackticks(cursor: Cursor, depth: number): string {
  BACKTICKS.lastIndex = cursor.at;
  const found = BACKTICKS.exec(cursor.text);
  cursor.at += found?.[0].length ?? 1;
  if (found === null || depth >= DEPTH_MAX) return UNKNOWN;
  const text = (found[1] ?? "").replace(/\\([`\\$])/g, "$1");
  const inner: Cursor = { ...cursor, text, at: 0, pending: [] };
  cursor.items.push({ kind: "open" });
  while (inner.at < text.length) cursor.readList(inner, depth + 1);
  cursor.items.push({ kind: "close" });
  return outputOf(text, true);
}

function readParameter(cursor: Cursor, depth: number, isQuoted: boolean): string {
  cursor.at += 1;
  const name = take(cursor, NAME);
  const operator = take(cursor, DEFAULT);
  const rest = readBraces(cursor, depth, isQuoted);
  if (operator === "") return mark(rest === "" ? name : "", isQuoted);
  if (operator.endsWith("+")) return mark("", isQuoted);
  const hasDefault = /[-=]$/.test(operator) && isKnown(rest) && rest !== "";
  return mark(hasDefault ? `${name}:-${rest}` : name, isQuoted);
}

function readBraces(cursor: Cursor, depth: number, isQuoted: boolean): string {
  let out = "";
  while (cursor.at < cursor.text.length) {
    out += take(cursor, IN_BRACES);
    const char = cursor.text.charAt(cursor.at);
    if (char === "$") out += readDollar(cursor, depth, isQuoted);
    else if (char === "}" || (isQuoted && char === "'")) {
      cursor.at += 1;
      if (char === "}") return out;
      out += char;
    } else out += readSpecial(cursor, depth);
  }
  return out;
}
