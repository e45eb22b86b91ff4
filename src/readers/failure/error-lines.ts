// Which lines of any output say that something is wrong, and which of them say what?

import { problem, reading, type Reading, type Tool } from "../tools/tool.ts";

/** Any text: its error lines, else its last ones. */
export const anyText: Tool = { marks: [""], parse: readAnyText };

const ERRORS: readonly RegExp[] = [
  /\b(?:errors?|fatal|panic|failed|failure|exception|denied|refused|cannot|can't|could not|couldn't|unable to|not found|no such)\b/i,
  /\b(?:invalid|unexpected|undefined|unknown|exceeded|timed out|conflict|missing|unauthorized|forbidden|overloaded|killed|aborted|segmentation fault|core dumped)\b/i,
  /^\s*(?:[✖✗×✘] |FAIL\b|not ok\b)|[a-z](?:Error|Exception)\b|\bpanicked at\b|! \[(?:remote )?rejected\]/,
  // Both sides of a comparison, told by a runner that is not known.
  /^(?:expected|actual|received|wanted|got) {0,3}[:=] {0,8}\S/i,
];
/** True words about failure that name nothing, and counts of nothing. */
const NO_ERROR =
  /\b(?:0|no) (?:errors?|failures?|failed|problems?)\b|^\s*(?:warn(?:ing)?|info|debug|note|hint|npm warn|deprecated)\b|\bwarning:/i;
/** Lines of a stack or of quoted source, and the command that a package manager says it runs. */
const FRAME = /^(?:at |from |File "|❯ |\^|\||(?:> ?)?\d+ ?[:|](?: |$)|> \S)/;
/** What a package manager, make or a CI service says about the program it ran; sums of problems. */
const WRAPPERS: readonly RegExp[] = [
  /^npm (?:ERR!|error)|^\s?ELIFECYCLE|^error Command failed|^error: script |^collect2: /,
  /^g?make(?:\[\d+\])?: \*\*\* .{0,200}Error \d+|^(?:error: )?Process completed with exit code/,
  /^Found \d+ errors?|^[✖✗×✘] \d+ problems?\b|exited with (?:exit )?code \d+/,
];
/** A text of a few lines may be one message, folded by a terminal or a service. */
const SHORT_LINES_MAX = 4;
const LAST_LINES = 3;
/** As many as identify it, and as many as are shown. */
const WORDS_MAX = 6;
const SHOWN_MAX = 20;

function isWrapper(line: string): boolean {
  return WRAPPERS.some((pattern) => pattern.test(line));
}

function readAnyText(lines: readonly string[]): Reading | null {
  const printed = printedIn(lines);
  const candidates = printed.filter((line) => !NO_ERROR.test(line) && !FRAME.test(line));
  const errors = candidates.filter((line) => ERRORS.some((words) => words.test(line)));
  const causes = [...new Set(errors.filter((line) => !isWrapper(line)))];
  const [first] = causes;
  const { place, source } = whereIn(lines);
  const tell = (shown: readonly string[], words: readonly (readonly string[])[]) => {
    const failures = shown.map((line, at) => problem(line, words[at] ?? []));
    const failed = source === "" ? failures : [...failures, problem("", [source])];
    return reading(null, { place, failures: failed });
  };
  if (first === undefined) {
    // Nobody said "error" but perhaps a wrapper: the last lines of what it ran are what there is.
    const inner = printed.filter((line) => !line.startsWith("> ") && !isWrapper(line));
    const last = (inner.length > 0 ? inner : printed).slice(-LAST_LINES);
    return tell([last.join(" | ")], [[...last, ...errors.slice(-1)]]);
  }
  if (printed.length <= SHORT_LINES_MAX) {
    const rest = candidates.slice(candidates.indexOf(first)).filter((line) => !isWrapper(line));
    return tell(causes, [[rest.join(" ")]]);
  }
  const whole = causes.slice(0, SHOWN_MAX).map((line) => finished(line, printed));
  const words = whole.slice(0, WORDS_MAX).map((line) => [line]);
  return tell(whole, words);
}

/** Of a stack as Node and Python print it, also in a group of errors. */
const FRAME_FILE =
  /^[\s|]*(?:at (?:[^(]{0,300}\()?|(File )")([^"()]{1,600}?)(?:", line \d+|(?::\d+){1,2}\)?(?: \{)?$)/;
/** Code that is installed, built in or made up at run time. */
const FOREIGN =
  /^(?:node:|internal\/|<(?!string|stdin))|[\\/]node_modules[\\/]|(?:site|dist)-packages|[\\/]lib[\\/]python\d/;

/** The file of own code that failed, and the line of it that tells apart what the message does not. */
function whereIn(all: readonly string[]) {
  const lines = all.filter((line) => line !== "");
  const frames = lines.flatMap((line, at) => {
    const [, isPython, file = ""] = FRAME_FILE.exec(line) ?? [];
    return file === "" || FOREIGN.test(file) ? [] : [{ isPython, file, at }];
  });
  // Python's innermost frame stands last, with its line below; Node shows the line only where it cannot be parsed.
  const python = frames.findLast(({ isPython }) => isPython !== undefined);
  const caret = lines.findIndex((line) => /^\s*\^+$/.test(line));
  const isUnparsed = lines.some((line) => line.startsWith("SyntaxError"));
  const at = python === undefined ? (isUnparsed ? caret - 1 : -1) : python.at + 1;
  return { place: (python ?? frames[0])?.file ?? null, source: (lines[at] ?? "").trim() };
}

/** An error line that ends in a colon goes on in the next. */
function finished(line: string, lines: readonly string[]): string {
  return line.endsWith(":") ? `${line} ${lines[lines.indexOf(line) + 1] ?? ""}` : line;
}

/** The last lines that say anything, on one line. */
export function lastWords(lines: readonly string[]): string {
  return printedIn(lines).slice(-LAST_LINES).join(" | ");
}

function printedIn(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== "");
}
