// Where does a Markdown file's front matter end, and what does it hold on which line?

import { isMap, isScalar, LineCounter, parseDocument, type Document } from "yaml";
import { parsed, problem, type Checked, type Problem } from "./parsed.ts";

const FRONT_MATTER_CHARS_MAX = 64 * 1024;
/** Front matter has no use for aliases; a few are harmless, many are an attack. */
const ALIASES_MAX = 10;
/** Deeper than any task needs, and far from what overflows a parser. */
const NESTING_MAX = 20;

export interface FrontMatter {
  /** The fields as plain values; an empty object where there are none. */
  readonly fields: unknown;
  readonly body: string;
  /** The line of the file on which a key stands; the first line where it is not found. */
  readonly lineOf: (path: readonly (string | number)[]) => number;
}

/** Splits a file and reads its YAML. `file` is how problems name it. */
export function parseFrontMatter(text: string, file: string): Checked<FrontMatter> {
  const source = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const lines = source.split("\n");
  if (lines[0]?.trimEnd() !== "---") {
    return parsed({ fields: {}, body: source, lineOf: () => 1 });
  }
  const end = lines.findIndex((line, index) => index > 0 && /^---\s*$/.test(line));
  if (end < 0) {
    const message = "the front matter that starts here has no closing line";
    return { ok: false, problems: [problem(`${file}:1`, message, 'end it with a line of "---"')] };
  }
  const body = lines.slice(end + 1).join("\n");
  return readYaml(lines.slice(1, end).join("\n"), body, file);
}

/** Lines of the YAML are counted from 1; in the file there is one more line above them. */
const LINES_ABOVE = 1;

function readYaml(yaml: string, body: string, file: string): Checked<FrontMatter> {
  const refuse = (line: number, message: string, suggestion: string | null = null) =>
    ({ ok: false, problems: [problem(`${file}:${line}`, message, suggestion)] }) as const;
  if (yaml.length > FRONT_MATTER_CHARS_MAX) {
    return refuse(1, `the front matter is longer than ${FRONT_MATTER_CHARS_MAX} characters`);
  }
  if (isTooDeep(yaml)) return refuse(1, "the front matter is nested too deeply");
  const counter = new LineCounter();
  const document = parseDocument(yaml, {
    lineCounter: counter,
    prettyErrors: false,
    logLevel: "silent",
    schema: "core",
  });
  if (document.errors.length > 0)
    return { ok: false, problems: syntaxProblems(document, counter, file) };
  if (
    document.contents !== null &&
    !isMap(document.contents) &&
    !isEmptyScalar(document.contents)
  ) {
    return refuse(1 + LINES_ABOVE, 'expected lines like "key: value" between the two "---"');
  }
  try {
    const fields: unknown = document.toJS({ maxAliasCount: ALIASES_MAX }) ?? {};
    return parsed({ fields, body, lineOf: (path) => lineOf(document, counter, path) });
  } catch (error) {
    return refuse(
      1,
      `the front matter cannot be read: ${error instanceof Error ? error.message : "?"}`,
    );
  }
}

function syntaxProblems(
  document: Document.Parsed,
  counter: LineCounter,
  file: string,
): readonly Problem[] {
  return document.errors.slice(0, 10).map((error) => {
    const line = counter.linePos(error.pos[0]).line + LINES_ABOVE;
    const suggestion = error.code === "TAB_AS_INDENT" ? "indent with spaces" : null;
    return problem(`${file}:${line}`, `not valid YAML: ${error.message}`, suggestion);
  });
}

function lineOf(
  document: Document.Parsed,
  counter: LineCounter,
  path: readonly (string | number)[],
): number {
  let line = 1;
  for (let depth = 1; depth <= path.length; depth += 1) {
    const offset = offsetOf(document, path.slice(0, depth));
    if (offset === null) break;
    line = counter.linePos(offset).line + LINES_ABOVE;
  }
  return line;
}

/** Where the key stands, or for a list's entry the entry itself. */
function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number | null {
  const holder = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  const key = isMap(holder)
    ? holder.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === last)?.key
    : document.getIn(path, true);
  return isScalar(key) ? (key.range?.[0] ?? null) : null;
}

function isEmptyScalar(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

/**
 * Refuses what could overflow the parser's stack before it is parsed. Brackets inside strings count
 * too: nobody writes that many.
 */
function isTooDeep(yaml: string): boolean {
  const brackets = yaml.match(/[[{]/g)?.length ?? 0;
  const indents = yaml.split("\n").map((line) => /^[\s-]*/.exec(line)?.[0].length ?? 0);
  return brackets > 300 || indents.some((indent) => indent > NESTING_MAX * 8);
}
