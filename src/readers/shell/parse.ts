// Which simple commands does a shell script hold, in which order? The one place that knows the parser.

import { forEachChild, parse } from "unbash";
import type { AndOr, Assignment, Command, SyntaxNode, Word } from "unbash";
import type { ParameterExpansionPart, WordPart } from "unbash";

import { isKnown, mark, outputOf, UNKNOWN, withVariables } from "./word.ts";

export interface Redirect {
  /** ">", ">>", "<" and the like, without the number of a descriptor. */
  readonly operator: string;
  readonly target: string;
}

/** One program with its arguments, as far as the script tells them: see `mark` in word.ts. */
export interface SimpleCommand {
  readonly kind: "command";
  /** As written. */
  readonly text: string;
  /** With the variables that are set before the program, as "name=value". */
  readonly words: readonly string[];
  readonly redirects: readonly Redirect[];
  /** What a heredoc or `<<<` feeds it. */
  readonly stdin: string | null;
  /** The command before the `|`. */
  readonly from: SimpleCommand | null;
  /** It runs only where the command before it failed. */
  readonly isFallback: boolean;
}

/** Between "open" and "close" a subshell runs: what it changes ends with it. */
export type Item =
  | SimpleCommand
  | { readonly kind: "open" | "close" }
  /** A variable that a loop sets. */
  | { readonly kind: "loop"; readonly name: string };

export interface ReadScript {
  readonly items: readonly Item[];
  /** false: it is too long, or too deeply nested, and more may stand in it. */
  readonly isWhole: boolean;
}

/** More than a shell takes as one argument on Linux. */
const SCRIPT_CHARS_MAX = 131_072;
/** The parser reads each level of nesting once more. */
const READ_CHARS_MAX = 400_000;
const RESTARTS_MAX = 20;
/** More commands than anybody writes into one. */
const ITEMS_MAX = 5_000;

/**
 * In the order in which they are written; those of `$(…)` before the command that takes their output.
 *
 * Conditions are not decided: both branches of an `if` and both sides of an `||` are there, and so is
 * the body of a function. Comments, patterns of `case` and bodies of heredocs are no commands.
 */
export function readShell(script: string): ReadScript {
  if (!isBounded(script)) return { items: [], isWhole: false };
  const source = script.replaceAll("\r\n", "\n");
  const walk: Walk = {
    items: [],
    source,
    left: READ_CHARS_MAX,
    last: null,
    feeder: null,
    isFallback: false,
  };
  try {
    readFrom(source, walk);
  } catch (error) {
    // What nests a hundred times deeper than people write overflows the parser's stack.
    if (!(error instanceof RangeError)) throw error;
    walk.left = -1;
  }
  return { items: walk.items, isWhole: walk.left >= 0 };
}

/** Is it short enough, and not nested so deeply that the parser would read it again and again? */
function isBounded(script: string): boolean {
  if (script.length > SCRIPT_CHARS_MAX) return false;
  const open: number[] = [];
  let nested = 0;
  for (let at = 0; at < script.length; at += 1) {
    const char = script.charAt(at);
    // Behind one of these a parenthesis or a brace opens what the parser reads by itself.
    if (char === "(" || char === "{")
      open.push("$<>(".includes(script.charAt(at - 1) || " ") ? at : Infinity);
    else if (char === ")" || char === "}") nested += Math.max(0, at - (open.pop() ?? at));
  }
  return open.reduce((sum, at) => sum + Math.max(0, script.length - at), nested) <= READ_CHARS_MAX;
}

interface Walk {
  readonly items: Item[];
  source: string;
  /** How many characters may still be read; below 0, something was left out. */
  left: number;
  last: SimpleCommand | null;
  /** What the next command reads from. */
  feeder: SimpleCommand | null;
  isFallback: boolean;
}

/** The parser stops at a word that cannot stand where it stands; what follows may be run nevertheless. */
function readFrom(script: string, walk: Walk): void {
  let rest = script;
  for (let restarts = 0; rest !== "" && walk.left >= 0; restarts += 1) {
    walk.source = rest;
    walk.left -= rest.length;
    const tree = parse(rest);
    visit(tree, walk);
    const error = tree.errors?.at(-1);
    if (error === undefined || !error.message.startsWith("unexpected token")) return;
    if (restarts === RESTARTS_MAX) walk.left = -1;
    rest = rest.slice(error.pos).replace(/^\s*\S+/, "");
  }
}

function visit(node: SyntaxNode, walk: Walk): void {
  if (walk.items.length > ITEMS_MAX) walk.left = -1;
  if (walk.left < 0) return;
  if (node.type === "Command") visitCommand(node, walk);
  else if (node.type === "Word") wordText(node, walk);
  else if (node.type === "Pipeline") visitPipeline(node.commands, walk);
  else if (node.type === "AndOr") visitAndOr(node, walk);
  else if (node.type === "Subshell") subshell(walk, () => visitChildren(node, walk));
  else if ("script" in node) visitScript(node, walk);
  else if (node.type === "Redirected") {
    visit(node.command, walk);
    push({ words: [], redirects: node.redirects, pos: node.pos, end: node.end }, walk);
  } else {
    if (node.type === "For" || node.type === "Select")
      walk.items.push({ kind: "loop", name: node.name.value });
    visitChildren(node, walk);
  }
}

function visitChildren(node: SyntaxNode, walk: Walk): void {
  forEachChild(node, (child) => visit(child, walk));
}

function subshell(walk: Walk, body: () => void): void {
  walk.items.push({ kind: "open" });
  body();
  walk.items.push({ kind: "close" });
}

/** `$(…)` and its kin. */
function visitScript(node: Extract<SyntaxNode, { script: unknown }>, walk: Walk): void {
  if (!spend(walk, node)) return;
  const { script } = node;
  const { source, last, feeder } = walk;
  if (script === undefined) return;
  subshell(walk, () => {
    walk.source = script.source ?? source;
    walk.feeder = null;
    visit(script, walk);
  });
  Object.assign(walk, { source, last, feeder });
}

function visitPipeline(commands: readonly SyntaxNode[], walk: Walk): void {
  for (const [at, command] of commands.entries()) {
    if (at > 0) walk.feeder = walk.last;
    visit(command, walk);
    walk.feeder = null;
  }
}

function visitAndOr({ commands, operators }: AndOr, walk: Walk): void {
  for (const [at, command] of commands.entries()) {
    walk.isFallback = operators[at - 1] === "||";
    visit(command, walk);
  }
  walk.isFallback = false;
}

function visitCommand(node: Command, walk: Walk): void {
  const words = [
    ...node.prefix,
    ...(node.name === undefined ? [] : [node.name]),
    ...node.args,
  ].flatMap((part) => {
    if (part.type === "Word") return [wordText(part, walk)];
    return part.type === "Assignment" ? [assignmentText(part, walk)] : [];
  });
  push({ words, redirects: node.redirects, pos: node.pos, end: node.end }, walk);
}

/** The parser reads a node's inside when it is asked for, and each time anew from its text. */
function spend(walk: Walk, { pos, end }: Pick<SyntaxNode, "pos" | "end">): boolean {
  walk.left -= end - pos;
  return walk.left >= 0;
}

interface Draft extends Pick<Command, "redirects" | "pos" | "end"> {
  readonly words: readonly string[];
}

function push({ words, redirects, pos, end }: Draft, walk: Walk): void {
  let stdin: string | null = null;
  const read = redirects.map((redirect): Redirect => {
    const { operator } = redirect;
    if (redirect.type === "HereDoc") {
      visit(redirect.body, walk);
      stdin = redirect.body.text;
      return { operator, target: redirect.delimiter?.value ?? "" };
    }
    const target = redirect.target === undefined ? "" : wordText(redirect.target, walk);
    if (redirect.type === "HereString") stdin = isKnown(target) ? target : UNKNOWN;
    return { operator: operator.replace("&>", ">"), target };
  });
  const text = withVariables(walk.source.slice(pos, end));
  const { feeder: from, isFallback } = walk;
  walk.last = { kind: "command", text, words, redirects: read, stdin, from, isFallback };
  walk.feeder = null;
  walk.items.push(walk.last);
}

function assignmentText({ name, value, append, index }: Assignment, walk: Walk): string {
  const isPlain = value.type === "Word" && index === undefined;
  const text = value.type === "Word" ? wordText(value, walk) : "";
  // The elements of an array are data.
  if (value.type !== "Word") value.elements.forEach((element) => visit(element, walk));
  return `${name}${append === true ? "+" : ""}=${isPlain ? text : UNKNOWN}`;
}

/** What a word says without its quotes; commands in it become items of their own. */
function wordText(word: Word, walk: Walk): string {
  if (!spend(walk, word)) return UNKNOWN;
  const text = word.parts === undefined ? word.value : partsText(word.parts, walk, false);
  const tilde = /^(?:\w{1,60}=)?~(?=\/|$)/.exec(word.text)?.[0] ?? "";
  return tilde === "" || !text.startsWith(tilde)
    ? text
    : `${tilde.slice(0, -1)}${mark("HOME", true)}${text.slice(tilde.length)}`;
}

function partsText(parts: readonly WordPart[], walk: Walk, isQuoted: boolean): string {
  return parts.map((part) => partText(part, walk, isQuoted)).join("");
}

function partText(part: WordPart, walk: Walk, isQuoted: boolean): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted":
    case "LocaleString":
      return spend(walk, part) ? partsText(part.parts, walk, true) : UNKNOWN;
    case "SimpleExpansion":
      return mark(part.text.slice(1), isQuoted);
    case "ParameterExpansion":
      return mark(spend(walk, part) ? parameterOf(part, walk) : "", isQuoted);
    case "CommandExpansion":
    case "ProcessSubstitution":
      visit(part, walk);
      return mark(outputOf(part.text), isQuoted);
    case "BraceExpansion":
      return part.parts === undefined ? part.text : `{${partsText(part.parts, walk, isQuoted)}}`;
    case "ArithmeticExpansion":
    case "ExtendedGlob":
    case "Glob":
      visitChildren(part, walk);
      return part.type === "ArithmeticExpansion" ? UNKNOWN : part.text;
    default:
      return part satisfies never;
  }
}

/** A variable within a word, with its default; "": nobody knows the value. */
function parameterOf(part: ParameterExpansionPart, walk: Walk): string {
  const { parameter, operation, prefix, index } = part;
  if (operation?.type !== "Default" || index !== undefined || prefix !== undefined) {
    visitChildren(part, walk);
    return operation === undefined && index === undefined && prefix === undefined ? parameter : "";
  }
  const fallback = wordText(operation.operand, walk);
  if (operation.operator.endsWith("+")) return "";
  const hasDefault = /[-=]$/.test(operation.operator) && isKnown(fallback) && fallback !== "";
  return hasDefault ? `${parameter}:-${fallback}` : parameter;
}
