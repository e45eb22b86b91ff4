// Which files does a task's text name that do not exist, or that could be one of several?

import type { Signal } from "../../core/model/signals.ts";
import { withoutFences } from "../match/quoted.ts";

const TEXT_CHARS_MAX = 100_000;
const PATHS_MAX = 200_000;
const REFERENCES_MAX = 200;
const CANDIDATES_SHOWN_MAX = 5;

/**
 * Looks at a task before its first session: only at paths in backticks. A false alarm costs a
 * person's trust, and most tasks name files that are still to be made: missing is only what the reader
 * is plainly told to work from. At most the first 100 000 characters are read.
 */
export function taskTargets(text: string, paths: readonly string[]): readonly Signal[] {
  const tree = treeOf(paths.slice(0, PATHS_MAX));
  const references = referencesOf(text.slice(0, TEXT_CHARS_MAX));
  const signals = references.flatMap((reference) => {
    const found = candidates(reference.path, tree);
    if (found.length === 0) return missing(reference, references, tree);
    return found.length === 1 ? [] : ambiguous(reference, references, found);
  });
  return [...new Map(signals.map((one) => [`${one.signal} ${one.subject}`, one])).values()];
}

/**
 * Files that the text asks for, or takes for given, and that neither were there before the work nor are
 * after it. One that is named in passing ("such as", "without") does not count.
 */
export function absentFiles(named: readonly string[], paths: readonly string[]): readonly string[] {
  const tree = treeOf(paths);
  return named.filter((path) => candidates(path, tree).length === 0);
}

/** Those that a text names and not in passing. */
export function namedFiles(text: string): readonly string[] {
  const references = referencesOf(text.slice(0, TEXT_CHARS_MAX));
  const named = references.filter(({ path, isAside }) => !isAside && !isUntracked(path));
  return [...new Set(named.map(({ path }) => path))];
}

interface Reference {
  readonly path: string;
  /** "input": the reader is told to work from it. "target": it may be there. "other": made, or in passing. */
  readonly use: "input" | "target" | "other";
  /** Only an example, or what must not be there. */
  readonly isAside: boolean;
  /** The words of the sentence around it. */
  readonly words: readonly string[];
}

/** By lower-case base name. */
type Tree = ReadonlyMap<string, readonly string[]>;

function treeOf(paths: readonly string[]): Tree {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = nameOf(path.toLowerCase());
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [path]);
    else known.push(path);
  }
  return byName;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The path itself, else every path that ends in it; code names the compiled file of a source. */
function candidates(reference: string, tree: Tree): readonly string[] {
  const lower = reference.toLowerCase();
  const sources = /\.[mc]?jsx?$/.test(lower) ? ["ts", "tsx", "jsx", "mjs", "mts", "cts"] : [];
  const stem = lower.slice(0, lower.lastIndexOf("."));
  for (const spelling of [lower, ...sources.map((ext) => `${stem}.${ext}`)]) {
    const same = (tree.get(nameOf(spelling)) ?? []).filter((path) =>
      `/${path.toLowerCase()}`.endsWith(`/${spelling}`),
    );
    const exact = same.find((path) => path === reference || path.toLowerCase() === spelling);
    if (exact !== undefined) return [exact];
    if (same.length > 0) return same;
  }
  return [];
}

/** Made by tools or kept out of version control: not being listed says nothing. */
const UNTRACKED_FOLDERS = setOf(
  "node_modules dist build out target coverage tmp temp vendor .git .venv venv __pycache__ .next .cache generated",
);
const UNTRACKED_FILE = /^\.env|\.(?:log|tmp|lock|pid)$|\.local\./;

function isUntracked(path: string): boolean {
  const folders = path.split("/").slice(0, -1);
  return UNTRACKED_FILE.test(nameOf(path)) || folders.some((one) => UNTRACKED_FOLDERS.has(one));
}

function missing(
  { path, use }: Reference,
  all: readonly Reference[],
  tree: Tree,
): readonly Signal[] {
  const isMade = use !== "input" || all.some((one) => one.path === path && one.use !== "input");
  if (isMade || isUntracked(path)) return [];
  const namesakes = (tree.get(nameOf(path).toLowerCase()) ?? []).slice(0, CANDIDATES_SHOWN_MAX);
  const hint = namesakes.length === 0 ? "" : `; there is ${namesakes.join(", ")}`;
  return [{ signal: "missing_files", subject: path, detail: `${path} does not exist${hint}` }];
}

const MEANS_ALL = setOf("all every each both any these those either various several wherever");

function ambiguous(
  { path, use, words }: Reference,
  all: readonly Reference[],
  found: readonly string[],
): readonly Signal[] {
  if (use === "other" || words.some((word) => MEANS_ALL.has(word))) return [];
  // The text says elsewhere which one it is: by a longer path, or by its folder beside the name.
  if (all.some((other) => other.path.endsWith(`/${path}`))) return [];
  const folderOf = (candidate: string) => candidate.toLowerCase().split("/").at(-2) ?? "";
  if (found.filter((candidate) => words.includes(folderOf(candidate))).length === 1) return [];
  const shown = found.slice(0, CANDIDATES_SHOWN_MAX).join(", ");
  const more = found.length > CANDIDATES_SHOWN_MAX ? " and others" : "";
  return [{ signal: "ambiguous_target", subject: path, detail: `${path} may be ${shown}${more}` }];
}

const MAKES =
  "creat add writ generat produc scaffold introduc mak new emit export sav stor output deliver extract split mov renam copy copi put plac record dump init build provid draft document log persist convert port call named into result structure example".split(
    " ",
  );

function referencesOf(text: string): readonly Reference[] {
  const references: Reference[] = [];
  let isWanted = false;
  // What stands in fenced blocks and comments is sample code, not a reference.
  const lines = withoutFences(text.replace(/<!--[^]*?(?:-->|$)/g, "").split(/\r?\n/));
  for (const line of lines) {
    // "Create these files:" speaks for what follows, as a heading does.
    if (/^\s{0,3}#{1,6}\s|:\s*$/.test(line)) isWanted = wordsOf(line).some(isMaking);
    for (const sentence of line.split(/(?<=[.!?;])\s/)) {
      const found = inSentence(sentence);
      references.push(...found.map((one) => (isWanted ? { ...one, use: "other" as const } : one)));
      if (references.length >= REFERENCES_MAX) return references.slice(0, REFERENCES_MAX);
    }
  }
  return references;
}

function inSentence(sentence: string): readonly Reference[] {
  return [...sentence.matchAll(/`([^`]{1,220})`/g)].flatMap((span) => {
    const path = pathOf(span[1] ?? "");
    if (path === null) return [];
    const said = sentence.slice(0, span.index);
    const before = wordsOf(said);
    const after = wordsOf(sentence.slice(span.index + span[0].length));
    const isAside = [...before.slice(-6), ...after.slice(0, 2)].some((word) => ASIDE.has(word));
    const use = useOf(clauseOf(said), before, after);
    return [{ path, use, isAside, words: [...before, ...after] }];
  });
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9_'-]+/g) ?? [];
}

/** Extensions of files that people name in tasks. */
const EXTENSIONS = setOf(
  "ts tsx mts cts js jsx mjs cjs py rb go rs java kt scala c h cc cpp hpp cs swift dart ex lua php sh sql proto vue svelte html css scss json jsonl yaml yml toml ini cfg conf properties xml svg md mdx rst txt csv tf lock log env",
);
/** Products, and members of objects, that look like files. */
const NO_FILE =
  /^(?:node|next|nuxt|vue|react|express|three|d3|console|process|this|module|window|res|req|[a-z]+\.meta)\.\w+$/i;

/** A path inside the repository; null: the words in backticks are something else. */
function pathOf(code: string): string | null {
  const path = code
    .replace(/(?::\d{1,7}){1,2}$|#l?\d{1,7}(?:-l?\d{1,7})?$/i, "")
    .replace(/^\.\//, "");
  if (path.length > 200 || !/^[\w-][\w.@/+-]*$/.test(path) || /\.\.|\/\//.test(path)) return null;
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  if (dot <= 0 || !EXTENSIONS.has(name.slice(dot + 1).toLowerCase())) return null;
  return NO_FILE.test(path) ? null : path;
}

const FILLERS = setOf(
  "the a an existing file files current data script module spec schema first then please carefully now also",
);
/** An order to work on the very thing that is named next. */
const WORKS_ON = setOf(
  "read study review see follow fix debug refactor simplify optimize delete remove rename convert port",
);
/** An order whose object stands in the file: "fix the crash in …", "follow the rules of …". */
const WORKS_IN = setOf("fix debug follow");
/** An order to make something out of the file. */
const MAKES_FROM = setOf("create generate derive build write copy extract port convert");
/** Whatever the sentence says: a text that is there to be read. */
const TOLD_IN =
  /\b(?:(?:described|defined|specified|documented|listed|explained|outlined|laid out|written down) (?:in|by)|based on|according to|as per)(?: the)?$/;
/** "As … says." */
const SAYS = setOf("says describes defines specifies explains shows lists demands");
const PUTS_INTO = setOf("to in into inside");
const ASIDE = setOf(
  "example instance eg such like similar no not never without instead unless whether if avoid missing deleted removed nonexistent unknown legacy former",
);
const CONDITION = setOf("if when unless once should");
/** "… is generated", "… should exist", "… contains": it is said of the file what is to be made true. */
const SAID_AFTER = setOf(
  "is are was will should must shall gets get does doesn't new generated optional if exists contains holds lists has exports",
);

/** The words from the last clause's beginning on, without those that say nothing. */
function clauseOf(said: string): readonly string[] {
  const clause = said.split(/[,;:()]|\s(?:and|then|but)\s/).at(-1) ?? "";
  return wordsOf(clause).filter((word) => !FILLERS.has(word));
}

function useOf(
  clause: readonly string[],
  before: readonly string[],
  after: readonly string[],
): Reference["use"] {
  if (SAID_AFTER.has(after[0] ?? "")) return before.length === 0 ? "target" : "other";
  if (before.slice(-6).some((word) => ASIDE.has(word))) return "other";
  if (isInput(clause, after[0] ?? "") && !after.some((word) => CONDITION.has(word))) return "input";
  if (!before.some(isMaking)) return "target";
  return PUTS_INTO.has(clause.at(-1) ?? "") ? "target" : "other";
}

/** "Fix the crash in …" orders the reader; "it fixes the crash in …" tells what a program does. */
function isInput(clause: readonly string[], next: string): boolean {
  const [order = "", last = ""] = [clause[0], clause.at(-1)];
  if (last === "as") return SAYS.has(next);
  if (clause.length === 1) return WORKS_ON.has(order);
  if (last === "in" || last === "of") return WORKS_IN.has(order) || TOLD_IN.test(clause.join(" "));
  return (last === "from" && MAKES_FROM.has(order)) || TOLD_IN.test(clause.join(" "));
}

function isMaking(word: string): boolean {
  return MAKES.some((beginning) => word.startsWith(beginning));
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
