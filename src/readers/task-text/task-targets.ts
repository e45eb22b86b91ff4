// Which files does a task's text name that do not exist, or that could be one of several?

import type { Signal } from "../../core/model/signals.ts";

const TEXT_CHARS_MAX = 100_000;
const PATHS_MAX = 200_000;
const LINE_CHARS_MAX = 2_000;
const REFERENCES_MAX = 200;
const CANDIDATES_SHOWN_MAX = 5;

/**
 * Looks at a task before its first session. A false alarm costs a person's trust, so every doubt
 * is resolved in the task's favour: what the task may be asking for, may be quoting, or may be
 * wishing away is not missing. At most the first 100 000 characters are read.
 */
export function taskTargets(text: string, paths: readonly string[]): readonly Signal[] {
  const tree = treeOf(paths.slice(0, PATHS_MAX));
  const references = referencesOf(text.slice(0, TEXT_CHARS_MAX));
  const made = new Set(references.filter((one) => one.use !== "input").map((one) => one.path));
  const named = references.map((one) => one.path);
  const signals = references.flatMap((reference) => {
    const found = candidates(reference.path, tree);
    if (found.length === 0) return missing(reference, made, tree);
    return found.length === 1 ? [] : ambiguous(reference, found, named);
  });
  return signals.filter((one, at) => at === signals.findIndex((other) => isSame(one, other)));
}

function isSame(one: Signal, other: Signal): boolean {
  return one.signal === other.signal && one.subject === other.subject;
}

/**
 * "input": the task works from it. "target": something is put into it, so it may exist or be made.
 * "output": the task makes it. "aside": mentioned in passing.
 */
type Use = "input" | "target" | "output" | "aside";

interface Reference {
  readonly path: string;
  readonly use: Use;
  /** The sentence around it, lower case. */
  readonly sentence: string;
}

// ---- what exists ------------------------------------------------------------------------------------

interface Tree {
  readonly paths: ReadonlySet<string>;
  /** By lower-case base name. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
}

function treeOf(paths: readonly string[]): Tree {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = nameOf(path).toLowerCase();
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [path]);
    else known.push(path);
  }
  return { paths: new Set(paths), byName };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The files a reference may mean: the path itself, else every path that ends in it. */
function candidates(reference: string, tree: Tree): readonly string[] {
  if (tree.paths.has(reference)) return [reference];
  for (const spelling of spellings(reference.toLowerCase())) {
    const same = (tree.byName.get(nameOf(spelling)) ?? []).filter((path) => {
      const lower = path.toLowerCase();
      return lower === spelling || lower.endsWith(`/${spelling}`);
    });
    const exact = same.filter((path) => path.toLowerCase() === spelling);
    if (exact.length > 0) return exact.slice(0, 1);
    if (same.length > 0) return same;
  }
  return [];
}

/** Code names the compiled file where the repository holds its source. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  js: ["ts", "tsx", "jsx", "mjs"],
  mjs: ["mts"],
  cjs: ["cts"],
  jsx: ["tsx"],
};

function spellings(reference: string): readonly string[] {
  const dot = reference.lastIndexOf(".");
  const others = SOURCES[reference.slice(dot + 1)] ?? [];
  return [reference, ...others.map((ext) => `${reference.slice(0, dot)}.${ext}`)];
}

// ---- what is wrong with a reference ------------------------------------------------------------------

function missing(
  { path, use }: Reference,
  made: ReadonlySet<string>,
  tree: Tree,
): readonly Signal[] {
  if (use !== "input" || made.has(path) || isUntracked(path)) return [];
  const namesakes = (tree.byName.get(nameOf(path).toLowerCase()) ?? []).slice(
    0,
    CANDIDATES_SHOWN_MAX,
  );
  const hint = namesakes.length === 0 ? "" : `; there is ${namesakes.join(", ")}`;
  return [{ signal: "missing_files", subject: path, detail: `${path} does not exist${hint}` }];
}

/** Made by tools or kept out of version control: not being listed says nothing. */
function isUntracked(path: string): boolean {
  return /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|tmp|temp|vendor|\.git|\.venv|venv|__pycache__|\.next|\.cache|generated)\/|(?:^|\/)\.env(?:\.|$)|\.(?:log|tmp|lock|pid)$|\.local\./.test(
    path,
  );
}

function ambiguous(
  { path, use, sentence }: Reference,
  found: readonly string[],
  named: readonly string[],
): readonly Signal[] {
  if (use === "output" || use === "aside" || MEANS_ALL.test(sentence)) return [];
  // The text says elsewhere which one it is: by a longer path, or by its folder beside the name.
  if (named.some((other) => other.length > path.length && other.endsWith(`/${path}`))) return [];
  const placed = found.filter((candidate) => isPlacedIn(sentence, candidate));
  if (placed.length === 1) return [];
  const shown = found.slice(0, CANDIDATES_SHOWN_MAX).join(", ");
  const more =
    found.length > CANDIDATES_SHOWN_MAX ? `, and ${found.length - CANDIDATES_SHOWN_MAX} more` : "";
  return [{ signal: "ambiguous_target", subject: path, detail: `${path} may be ${shown}${more}` }];
}

const MEANS_ALL = /\b(?:all|every|each|both|any|these|those|either|various|several|wherever)\b/;

function isPlacedIn(sentence: string, path: string): boolean {
  const folders = path.toLowerCase().split("/").slice(0, -1);
  const words = ` ${sentence.replace(/[^a-z0-9_-]+/g, " ")} `;
  const last = folders.at(-1);
  return last !== undefined && words.includes(` ${last} `);
}

// ---- what the text refers to -------------------------------------------------------------------------

/** Extensions of files that people name in tasks; ".com" and ".2" are none. */
const EXTENSIONS = new Set(
  "ts tsx mts cts js jsx mjs cjs py pyi ipynb rb go rs java kt kts scala groovy gradle c h cc cpp cxx hpp hh cs fs php swift m mm dart ex exs erl hs ml clj lua pl pm r jl sh bash zsh ps1 bat cmd sql prisma graphql gql proto vue svelte astro html htm css scss sass less json jsonc json5 jsonl yaml yml toml ini cfg conf properties env xml svg md mdx rst adoc txt csv tsv parquet tf hcl nix cmake tex bib lock log xlsx docx pdf png jpg".split(
    " ",
  ),
);

/** Products that look like files. */
const PRODUCT =
  /^(?:node|next|nuxt|vue|react|express|three|d3|chart|moment|day|ember|backbone|discord|p5|nest|solid|alpine|socket|asp|bun|deno|angular|knockout|require|handlebars|mustache|electron|plotly|tensorflow|brain|sails|meteor|polymer|preact|ml|winston|passport|bull|hapi)\.(?:js|ts|py|io|net|cs)$/i;

const CREATE =
  "creat\\w+|add(?:s|ed|ing)?|writ(?:e|es|ing|ten)|generat\\w+|produc\\w+|scaffold\\w*|introduc\\w+|mak(?:e|es|ing)|new|emit\\w*|export\\w*|sav(?:e|es|ed|ing)|stor(?:e|es|ed|ing)|output\\w*|deliver\\w*|extract\\w*|split\\w*|mov(?:e|es|ed|ing)|renam\\w+|cop(?:y|ies|ied)|put|place[sd]?|record|dump|init\\w*|set up|build|provide|draft|document|log|persist|convert\\w*|translat\\w+|port|call(?:ed)? it|named|called|into|resulting|result";
const MAKES_BEFORE = new RegExp(`\\b(?:${CREATE})\\b`);
/** The verb governs the file itself: "create `a.ts`", and not "add a test to `a.ts`". */
const MAKES_IT =
  /\b(?:creat\w+|add|writ(?:e|ing)|generat\w+|scaffold|introduc\w+|new|named|called|make)\s+(?:(?:a|an|the|new|another|file|files|module|script|test|tests|empty|named|called|at|in|and|second|extra|small|simple)\s+)*["'`(]*$/;
const MADE_AFTER =
  /^["'`)\]]*\s*(?:\(?(?:new|to be created|created by|generated|optional|if (?:present|it exists|any|needed))\b|(?:is|are|will be|should be|must be|gets?|to be) (?:\w+ )?(?:created|generated|written|added|produced|new|made|built|emitted)|(?:should|must|will|shall) (?:\w+ )?(?:exist|contain|hold|export|appear|list)|does not (?:yet )?exist|doesn't (?:yet )?exist|is (?:missing|gone|absent)|was (?:deleted|removed))/;
const ASIDE_BEFORE =
  /(?:\b(?:e\.g\.?|for example|for instance|such as|like|similar to|no|not|never|without|instead of|unless|whether|if|avoid|missing|deleted|removed|nonexistent|non-existent|enoent|unknown|legacy|former|hypothetical|imagine|suppose|missing file|cannot find|not find|no such file)\b[^.;:]{0,40}["'`(]*$)/;
const OUTPUT_HEADING =
  /\b(?:deliver\w*|outputs?|creat\w+|new files?|artifacts?|results?|produces?|expected (?:files?|structure|layout)|(?:file|folder|directory|project) (?:structure|layout|tree)|structure|layout|to (?:add|create|write)|examples?|out of scope|non-goals?)\b/;

function referencesOf(text: string): readonly Reference[] {
  const references: Reference[] = [];
  let makes = false;
  let listMakes = false;
  for (const line of linesOf(text)) {
    const isItem = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])\s/.test(line);
    if (/^\s{0,3}#{1,6}\s/.test(line)) makes = OUTPUT_HEADING.test(line.toLowerCase());
    else if (!isItem && line.trim() !== "") listMakes = introducesOutputs(line);
    const outputs = makes || (isItem && listMakes);
    for (const sentence of line.split(/(?<=[.!?;])\s/)) {
      references.push(...inSentence(sentence, outputs));
      if (references.length >= REFERENCES_MAX) return references.slice(0, REFERENCES_MAX);
    }
  }
  return references;
}

/** "Create these files:" speaks for the whole list below it. */
function introducesOutputs(line: string): boolean {
  return /:\s*$/.test(line) && MAKES_BEFORE.test(line.toLowerCase());
}

/** Without fenced blocks and comments: what stands there is sample code, not a reference. */
function linesOf(text: string): readonly string[] {
  let fenced = false;
  let comment = false;
  return text.split(/\r?\n/).flatMap((line) => {
    if (/^\s{0,8}(?:```|~~~)/.test(line)) {
      fenced = !fenced;
      return [];
    }
    if (line.includes("<!--")) comment = true;
    const hidden = fenced || comment;
    if (line.includes("-->")) comment = false;
    return hidden ? [] : [line.slice(0, LINE_CHARS_MAX)];
  });
}

function inSentence(sentence: string, outputs: boolean): readonly Reference[] {
  const lower = sentence.toLowerCase();
  return [...sentence.matchAll(/[^\s`"'()<>[\]{},;|=]+/g)].flatMap((token) => {
    const [word] = token;
    // A template or a glob names no one file; its pieces do not either.
    const near = sentence.slice(Math.max(0, token.index - 1), token.index + word.length + 1);
    const path = /[{}<>[\]]/.test(near) ? null : pathOf(word, isQuoted(sentence, token.index));
    if (path === null) return [];
    const before = lower.slice(0, token.index);
    const after = lower.slice(token.index + word.length);
    return [{ path, use: outputs ? "output" : useOf(before, after), sentence: lower }];
  });
}

function isQuoted(sentence: string, at: number): boolean {
  return /[`"'(]/.test(sentence[at - 1] ?? "") || /\bfile\s+$/i.test(sentence.slice(0, at));
}

/** A path inside the repository as a word may name it; null: the word names none. */
function pathOf(word: string, quoted: boolean): string | null {
  const bare = word
    .replace(/(?::\d{1,7}){1,2}$|#l?\d{1,7}(?:-l?\d{1,7})?$/i, "")
    .replace(/[.:!?*_]{1,5}$/, "")
    .replace(/^[*_]{1,3}/, "")
    .replace(/^(?:\.\/)+/, "");
  if (bare.length > 200 || !/^[\w.@-][\w.@/+-]*$/.test(bare) || bare.includes("..")) return null;
  if (bare.startsWith("@") || bare.startsWith(".") || bare.includes("//")) return null;
  const name = nameOf(bare);
  const dot = name.lastIndexOf(".");
  if (dot <= 0 || !EXTENSIONS.has(name.slice(dot + 1).toLowerCase())) return null;
  // Outside of quotes "Foo.m", "x.c" and "console.log" are prose or code far more often than files.
  const short = name.length - dot <= 2 || /\.(?:log|lock|env|r|m|conf|cfg)$/i.test(name);
  if (!bare.includes("/") && (PRODUCT.test(name) || (short && !quoted) || isCode(name)))
    return null;
  return bare;
}

/** `console.log`, `process.env` and `Model.properties` are members, not files. */
function isCode(name: string): boolean {
  return /^(?:console|process|import\.meta|this|self|math|window|document|logger|module|exports|res|req|ctx|response|request)\.(?:log|env|json|exports?|properties|r|m|c|h|text|html)$/i.test(
    name,
  );
}

/** "From", "read", "fix": the verb takes a file that must be there. */
const READS_IT =
  /\b(?:from|read|reads|see|using|uses?|per|according to|based on|following|follow|(?:described|listed|defined|given|specified) in|fix|fixes|in the file|load|loads|parse|import|of|against|open|edit|change|modify|update|refactor|delete|remove)\s+(?:(?:the|existing|file|current|data|script|module|spec|schema)\s+)*["'`(]*$/;
/** "Add a case to `a.ts`", "write X in `a.ts`". */
const PUTS_INTO = /\b(?:to|in|into|inside)\s+(?:(?:the|existing|file)\s+)*["'`(]*$/;

/** "`done.txt` holds the word two": what a sentence says of its subject may be what is to be made true. */
const STATED_AFTER = /^["'`)\]]*\s*(?:exists|contains|holds|lists)\b/;

function useOf(before: string, after: string): Use {
  if (!/\w/.test(before) && STATED_AFTER.test(after)) return "target";
  if (MADE_AFTER.test(after)) return "output";
  if (ASIDE_BEFORE.test(before)) return "aside";
  if (READS_IT.test(before)) return "input";
  if (MAKES_IT.test(before)) return "output";
  if (!MAKES_BEFORE.test(before)) return "input";
  return PUTS_INTO.test(before) ? "target" : "output";
}
