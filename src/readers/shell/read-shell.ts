// Which simple commands does a shell script hold, in which order?

import type { Item, Redirect, SimpleCommand } from "../acts/item.ts";
import { isArithmetic, readDouble, readSubstitution, readWord, take } from "./read-word.ts";
import type { Cursor } from "./read-word.ts";
import { isKnown, UNKNOWN } from "./word.ts";

/**
 * In the order in which they are written; those of `$(…)` before the command that takes their output.
 *
 * Conditions are not decided: both branches of an `if` and both sides of an `||` are there, and so is
 * the body of a function. Comments, patterns of `case` and bodies of heredocs are no commands.
 */
export function readShell(script: string): readonly Item[] {
  const cursor: Cursor = { text: script, at: 0, items: [], pending: [], readList };
  while (cursor.at < script.length) readList(cursor, 0);
  return cursor.items;
}

/** One that is still being read. */
type Draft = { -readonly [Key in keyof SimpleCommand]: SimpleCommand[Key] } & {
  words: string[];
  redirects: Redirect[];
  start: number;
};

interface List {
  readonly cursor: Cursor;
  readonly depth: number;
  readonly nest: ("(" | "case")[];
  /** How many of `nest` are "(". */
  opens: number;
  draft: Draft;
  last: SimpleCommand | null;
}

const BLANKS = /(?:[ \t\r]|\\\r?\n)+/y;
const SPACE = /(?:\s|\\\n|#[^\n]*)+/y;
const COMMENT = /#[^\n]*/y;
const REDIRECT = /(?:\d{1,9}|\{\w{1,40}\}|&)?(?:<<<|<<-?|<>|<&|<(?!\()|>>|>&|>\||>(?!\())/y;
const DELIMITER = /(?:'[^'\n]*'|"[^"\n]*"|\\.|[^\s;&|<>()'"\\])+/y;
const NO_PARAMETERS = /\([ \t]*\)/y;
const ENDS_OF_CASE = /;;&?|;&/y;

/** Words that stand before a command, or close something; what comes next is at the place of a command. */
const KEYWORDS = new Set(
  "if then elif else fi while until do done { } ! coproc case esac [[ function".split(" "),
);

function newDraft(from: SimpleCommand | null): Draft {
  return { kind: "command", text: "", words: [], redirects: [], stdin: null, from, start: -1 };
}

function readList(cursor: Cursor, depth: number): void {
  const list: List = { cursor, depth, nest: [], opens: 0, draft: newDraft(null), last: null };
  while (cursor.at < cursor.text.length && readNext(list)) {
    // Each step reads one word, one operator or some blanks.
  }
  flush(list);
  for (; list.opens > 0; list.opens -= 1) cursor.items.push({ kind: "close" });
}

/** false: the list has ended. */
function readNext(list: List): boolean {
  const { cursor, depth } = list;
  if (take(cursor, BLANKS) !== "" || take(cursor, COMMENT) !== "") return true;
  const operator = take(cursor, REDIRECT);
  if (operator !== "") {
    readRedirect(list, operator);
    return true;
  }
  const char = cursor.text.charAt(cursor.at);
  if ("\n;&|()<>".includes(char)) return readOperator(list, char);
  const start = cursor.at;
  addWord(list, readWord(cursor, depth), start);
  return true;
}

function readOperator(list: List, char: string): boolean {
  const { cursor, depth } = list;
  if (char === ";" && take(cursor, ENDS_OF_CASE) !== "") {
    flush(list);
    if (list.nest.at(-1) === "case") readPattern(list);
    return true;
  }
  const isDouble = cursor.text.charAt(cursor.at + 1) === char;
  if (char === "(") return openParenthesis(list);
  cursor.at += 1;
  if (char === ")") return closeParenthesis(list);
  if (char === "<" || char === ">") {
    cursor.at += 1;
    push(list, readSubstitution(cursor, depth + 1, true), cursor.at - 1);
    return true;
  }
  flush(list);
  if (char === "\n") readHeredocs(list);
  else if (isDouble && char !== ";") cursor.at += 1;
  else if (char === "|") {
    if (cursor.text.charAt(cursor.at) === "&") cursor.at += 1;
    list.draft = newDraft(list.last);
  }
  return true;
}

function openParenthesis(list: List): true {
  const { cursor } = list;
  if (list.draft.words.length > 0 && take(cursor, NO_PARAMETERS) !== "") {
    // The name of a function; what stands in its body comes next.
    list.draft = newDraft(null);
    return true;
  }
  cursor.at += 1;
  if (isArithmetic(cursor)) return true;
  flush(list);
  list.nest.push("(");
  list.opens += 1;
  cursor.items.push({ kind: "open" });
  return true;
}

function closeParenthesis(list: List): boolean {
  flush(list);
  if (list.opens === 0) return false;
  while (list.nest.pop() !== "(") {
    // A `case` that nothing ended ends here.
  }
  list.opens -= 1;
  list.cursor.items.push({ kind: "close" });
  return true;
}

function flush(list: List): void {
  const { cursor, draft } = list;
  if (draft.words.length > 0 || draft.redirects.length > 0) {
    cursor.items.push(draft);
    list.last = draft;
    list.draft = newDraft(null);
  }
}

function push(list: List, word: string, start: number): void {
  const { cursor, draft } = list;
  if (draft.start === -1) draft.start = start;
  draft.words.push(word);
  draft.text = cursor.text.slice(draft.start, cursor.at);
}

function addWord(list: List, word: string, start: number): void {
  const { cursor, depth, draft } = list;
  const written = cursor.at - start > 8 ? "" : cursor.text.slice(start, cursor.at);
  if (draft.words.length === 0 && KEYWORDS.has(written)) return readKeyword(list, written);
  push(list, word, start);
  if (cursor.text.charAt(cursor.at) !== "(" || !/^\w{1,60}\+?=$/.test(word)) return undefined;
  // An array: its elements are data.
  cursor.at += 1;
  return skipWords(cursor, depth, (char) => char === ")");
}

function readKeyword(list: List, keyword: string): void {
  const { cursor, depth, nest } = list;
  if (keyword === "[[") return skipTest(list);
  if (keyword === "esac" && nest.at(-1) === "case") nest.pop();
  if (keyword === "function" && take(cursor, BLANKS) !== "") readWord(cursor, depth);
  if (keyword !== "case") return undefined;
  skipWords(cursor, depth, (_char, word) => word === "in");
  nest.push("case");
  return readPattern(list);
}

/** Up to the ")" before the commands of one case, or to `esac`. */
function readPattern(list: List): void {
  const { cursor, depth } = list;
  let isOver = false;
  skipWords(cursor, depth, (char, word) => {
    isOver = word === "esac";
    return isOver || char === ")";
  });
  if (isOver) list.nest.pop();
}

/** Reads words, and characters that are none, until one ends it. */
function skipWords(
  cursor: Cursor,
  depth: number,
  isEnd: (char: string, word: string) => boolean,
): void {
  while (cursor.at < cursor.text.length) {
    take(cursor, SPACE);
    const start = cursor.at;
    const word = readWord(cursor, depth);
    if (cursor.at === start) cursor.at += 1;
    if (isEnd(cursor.at - start === 1 ? cursor.text.charAt(start) : "", word)) return;
  }
}

/** `[[ … ]]`, in which `&&` and `<` are no operators of the list. */
function skipTest({ cursor, depth }: List): void {
  while (cursor.at < cursor.text.length && !/[\n;]/.test(cursor.text.charAt(cursor.at))) {
    const start = cursor.at;
    if (readWord(cursor, depth) === "]]") return;
    if (cursor.at === start) cursor.at += 1;
  }
}

function readRedirect(list: List, found: string): void {
  const { cursor, depth, draft } = list;
  const operator = found.replace(/^[^<>]*/, "");
  if (draft.start === -1) draft.start = cursor.at - found.length;
  take(cursor, BLANKS);
  if (operator === "<<" || operator === "<<-") readDelimiter(list, operator);
  else {
    const target = readWord(cursor, depth);
    if (operator === "<<<") draft.stdin = isKnown(target) ? target : UNKNOWN;
    draft.redirects.push({ operator, target });
  }
  draft.text = cursor.text.slice(draft.start, cursor.at);
}

function readDelimiter({ cursor, draft }: List, operator: "<<" | "<<-"): void {
  const written = take(cursor, DELIMITER);
  const delimiter = written.replace(/['"\\]/g, "");
  draft.redirects.push({ operator, target: delimiter });
  cursor.pending.push({
    delimiter,
    isLiteral: delimiter !== written,
    isIndented: operator === "<<-",
    take: (body) => {
      draft.stdin = body;
    },
  });
}

/** After a line break: the bodies of the heredocs that the line asked for. */
function readHeredocs({ cursor, depth }: List): void {
  for (const heredoc of cursor.pending.splice(0)) {
    const body = readBody(cursor, heredoc);
    heredoc.take(body);
    if (heredoc.isLiteral || !/[$`]/.test(body)) continue;
    // Only `$(…)` in it runs; a fresh cursor, because the body is over already.
    readDouble({ ...cursor, text: body, at: 0, pending: [] }, depth + 1, "");
  }
}

function readBody(cursor: Cursor, heredoc: { delimiter: string; isIndented: boolean }): string {
  const { text } = cursor;
  const start = cursor.at;
  while (cursor.at < text.length) {
    const at = cursor.at;
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end === -1 ? undefined : end).replace(/\r$/, "");
    const plain = heredoc.isIndented ? line.replace(/^\t+/, "") : line;
    if (plain === heredoc.delimiter) {
      cursor.at = end === -1 ? text.length : end + 1;
      return text.slice(start, at);
    }
    // `EOF)`: bash ends the body there as well, with a warning.
    if (plain.startsWith(`${heredoc.delimiter})`) && heredoc.delimiter !== "") {
      cursor.at = at + line.indexOf(")");
      return text.slice(start, at);
    }
    cursor.at = end === -1 ? text.length : end + 1;
  }
  return text.slice(start);
}
