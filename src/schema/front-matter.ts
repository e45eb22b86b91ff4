// Where does a Markdown file's front matter end, and what does it hold on which line?

import { isMap, isScalar, LineCounter, parseDocument, type Document } from "yaml";
import { parsed, problem, unparsed, type Checked } from "./parsed.ts";

const FRONT_MATTER_CHARS_MAX = 64 * 1024;
/** Front matter has no use for aliases; a few are harmless, many are an attack. */
const ALIASES_MAX = 10;
/** Deeper than any task needs, and far from what overflows a parser. */
const NESTING_MAX = 20;
const PROBLEMS_MAX = 10;

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
  if (lines[0]?.trimEnd() !== "---") return parsed({ fields: {}, body: source, lineOf: () => 1 });
  const end = lines.findIndex((line, index) => index > 0 && /^---\s*$/.test(line));
  if (end < 0) {
    const message = "the front matter that starts here has no closing line";
    return unparsed(problem(`${file}:1`, message, 'end it with a line of "---"'));
  }
  // The first line stays, as an empty one: so the YAML's lines are those of the file.
  const fields = readYaml(["", ...lines.slice(1, end)].join("\n"), file);
  return fields.ok ? parsed({ ...fields.value, body: lines.slice(end + 1).join("\n") }) : fields;
}

function readYaml(yaml: string, file: string): Checked<Omit<FrontMatter, "body">> {
  const refuse = (line: number, message: string) => unparsed(problem(`${file}:${line}`, message));
  if (yaml.length > FRONT_MATTER_CHARS_MAX)
    return refuse(1, `the front matter is longer than ${FRONT_MATTER_CHARS_MAX} characters`);
  if (isTooDeep(yaml)) return refuse(1, "the front matter is nested too deeply");
  const counter = new LineCounter();
  const document = parseDocument(yaml, {
    lineCounter: counter,
    prettyErrors: false,
    logLevel: "silent",
    schema: "core",
  });
  const { contents, errors } = document;
  if (errors.length > 0)
    return unparsed(
      ...errors
        .slice(0, PROBLEMS_MAX)
        .map(({ pos: [offset], message }) =>
          problem(`${file}:${counter.linePos(offset).line}`, `not valid YAML: ${message}`),
        ),
    );
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (!isEmpty && !isMap(contents))
    return refuse(2, 'expected lines like "key: value" between the two "---"');
  try {
    const fields: unknown = document.toJS({ maxAliasCount: ALIASES_MAX }) ?? {};
    return parsed({ fields, lineOf: (path) => lineOf(document, counter, path) });
  } catch (error) {
    return refuse(
      1,
      `the front matter cannot be read: ${String(error).replace("ReferenceError: ", "")}`,
    );
  }
}

/** Of the deepest part of the path that there is: its key, or for a list's entry the entry. */
function lineOf(
  document: Document.Parsed,
  counter: LineCounter,
  path: readonly (string | number)[],
): number {
  const last = path.at(-1);
  if (last === undefined) return 1;
  const above = path.slice(0, -1);
  const holder = above.length === 0 ? document.contents : document.getIn(above, true);
  const node = isMap(holder)
    ? holder.items.find(({ key }) => isScalar(key) && String(key.value) === last)?.key
    : document.getIn(path, true);
  const offset = isScalar(node) ? node.range?.[0] : undefined;
  return offset === undefined ? lineOf(document, counter, above) : counter.linePos(offset).line;
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
