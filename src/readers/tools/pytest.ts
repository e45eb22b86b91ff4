// What did pytest say?

import { stableName, summariesIn } from "./inventory.ts";
import { reading, until, type Failure, type Tool } from "./tool.ts";

export const pytest: Tool = {
  name: "pytest",
  recognises: /=== FAILURES ===|=== ERRORS ===|FAILED |ERROR | in /,
  parse: (lines, text) => {
    const summaries = summariesIn(text, CLOSING);
    const blocks = readBlocks(lines);
    const listed = readList(lines, blocks);
    const failures = listed.length > 0 ? listed : unlisted(blocks);
    return reading("pytest", { summaries, failures });
  },
};

const COLLECTING = "ERROR collecting ";
const COUNT =
  "\\d{1,9} (?:x?passed|x?failed|errors?|skipped|deselected|rerun|warnings?|subtests [a-z]{6,7})";
/** `=== 3 failed, 2 passed in 0.62s ===`; with `-q` without the bars. */
const CLOSING = new RegExp(
  `^(?:=+ )?(?:no tests ran|${COUNT}(?:, ${COUNT}){0,9}) in \\d{1,9}\\.\\d{1,3}s(?: \\([\\d:]+\\))?(?: =+)?$`,
  "gm",
);

interface Block {
  /** Of all lines that begin with `E` the one that says what the error is. */
  readonly message: string;
  /** The error in its first lines. */
  readonly words: string;
  readonly place: string;
}

/** `_ _ _` stands between the entries of one traceback. */
const HEAD = /^_+ (?![_ ]+$)(.+) _+$/;
const BLOCK_LINES_MAX = 2_000;
const ERROR_LINES_MAX = 4;

/** What stands below each title. */
function readBlocks(lines: readonly string[]): ReadonlyMap<string, Block> {
  const ends = (line: string): boolean => HEAD.test(line) || /^={3,} .+ ={3,}$/.test(line);
  const blocks = new Map<string, Block>();
  for (const [at, line] of lines.entries()) {
    const title = HEAD.exec(line)?.[1];
    if (title === undefined) continue;
    const block = until(lines, at + 1, ends, BLOCK_LINES_MAX);
    const errors = block.flatMap((one) => /^E {3,}(\S.*)$/.exec(one)?.[1] ?? []);
    const [first = ""] = errors;
    const quotes = /^(?:File "|\^|def |class |import |from )/.test(first);
    const typedError = errors.find((one) => /^\w*(?:Error|Exception)/.test(one));
    const place = block.findLast((one) => /^\S{1,300}\.py:\d+: ?\w*$/.test(one)) ?? "";
    blocks.set(title, {
      message: quotes ? (typedError ?? first) : first,
      words: errors.slice(0, ERROR_LINES_MAX).join(" "),
      place: place.replace(/:\d+:[^]*$/, ""),
    });
  }
  return blocks;
}

/** The short summary. It cuts long messages to the width of a terminal, and has none for some errors. */
function readList(
  lines: readonly string[],
  blocks: ReadonlyMap<string, Block>,
): readonly Failure[] {
  return lines.flatMap((line) => {
    const [, kind, name = "", summary = ""] =
      /^(FAILED|ERROR) (?=.*(?:\.py\b|::))(\S.*?)(?: - (.*))?$/.exec(line) ?? [];
    if (kind === undefined) return [];
    const title = titleOf(kind, name);
    const block = blocks.get(title);
    const isWhole = summary !== "" && !summary.endsWith("...");
    const message = isWhole ? summary : (block?.message ?? summary);
    const words = [block === undefined || block.words === "" ? summary : block.words];
    return [{ check: stableName(name), message, words, unloaded: title.startsWith(COLLECTING) }];
  });
}

/** `t.py::Class::test_x` is headed `Class.test_x`; a file that did not load `ERROR collecting t.py`. */
function titleOf(kind: string, check: string): string {
  const [, ...names] = check.split("::");
  if (names.length === 0) return `${COLLECTING}${check}`;
  return kind === "ERROR" ? `ERROR at setup of ${names.join(".")}` : names.join(".");
}

function unlisted(blocks: ReadonlyMap<string, Block>): readonly Failure[] {
  const withWords = [...blocks].filter(([, block]) => block.words !== "");
  return withWords.map(([title, { message, words, place }]) => ({
    check: title.replace(/^ERROR (?:collecting|at setup of|at teardown of) /, ""),
    message,
    words: [words, place],
    unloaded: title.startsWith(COLLECTING),
  }));
}
