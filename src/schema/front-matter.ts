// Where does a Markdown file's front matter end, and what does it hold?

import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
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
}

/** Splits a file and reads its YAML. `file` is how problems name it. */
export function parseFrontMatter(text: string, file: string): Checked<FrontMatter> {
  const source = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const lines = source.split("\n");
  if (lines[0]?.trimEnd() !== "---") return parsed({ fields: {}, body: source });
  const end = lines.findIndex((line, index) => index > 0 && /^---\s*$/.test(line));
  if (end < 0) {
    const message = "the front matter that starts here has no closing line";
    return unparsed(problem(`${file}:1`, message, 'end it with a line of "---"'));
  }
  // The first line stays, as an empty one: so the YAML's lines are those of the file.
  const fields = readYaml(["", ...lines.slice(1, end)].join("\n"), file);
  if (!fields.ok) return fields;
  return parsed({ fields: fields.value, body: lines.slice(end + 1).join("\n") });
}

function readYaml(yaml: string, file: string): Checked<unknown> {
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
    return parsed(document.toJS({ maxAliasCount: ALIASES_MAX }) ?? {});
  } catch (error) {
    return refuse(
      1,
      `the front matter cannot be read: ${String(error).replace("ReferenceError: ", "")}`,
    );
  }
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
