// What does an uncaught error with its stack say, and where in own code did it come from?

import { classOf, reading, until } from "./reading.ts";
import type { Reader, Reading } from "./reading.ts";

/** Crashes of programs. The last one in the output is the one that ended it. */
export const STACK_READERS: readonly Reader[] = [
  { id: "sanitizer", read: sanitizer },
  { id: "python-group", read: pythonGroup },
  { id: "python", read: python },
  { id: "rust-panic", read: rustPanic },
  { id: "go-panic", read: goPanic },
  { id: "java", read: java },
  { id: "node", read: node },
];

const MESSAGE_LINES_MAX = 6;
const FRAMES_MAX = 200;

function sanitizer(lines: readonly string[]): Reading | null {
  const summary = lines.findLast(
    (line) => line.startsWith("SUMMARY: ") && line.includes("Sanitizer: "),
  );
  if (summary === undefined) return null;
  const kind = /^SUMMARY: (\w+Sanitizer): ([\w-]+)/.exec(summary);
  const leaked = /^SUMMARY: .*leaked in/.test(summary) ? "leak" : summary;
  return { tool: kind?.[1] ?? null, code: kind?.[2] ?? null, facts: [leaked], place: null };
}

/** A group draws its members into a tree; all of them are the fault. */
function pythonGroup(lines: readonly string[]): Reading | null {
  if (!lines.some((line) => /^\s+\+ Exception Group Traceback /.test(line))) return null;
  const facts = lines.flatMap((line) => /^\s+\| ([A-Za-z_][\w.]*: .*)$/.exec(line)?.[1] ?? []);
  return reading("python", "ExceptionGroup", facts);
}

const PY_FRAME = /^ *File "([^"]+)", line \d+(?:, in .*)?$/;
const PY_ERROR = /^((?:[A-Za-z_]\w{0,80}\.){0,8}[A-Za-z_]\w{0,80})(?:: (.*))?$/;
const PY_CHAINED =
  /^(?:The above exception was the direct cause|During handling of the above exception)/;
/** Code that is installed, built in or made up at run time. */
const PY_FOREIGN = /(?:site|dist)-packages|[\\/]lib[\\/]python\d|^<(?!string|stdin)/;

interface PyFrame {
  readonly file: string;
  readonly source: string;
}

interface PyError {
  readonly name: string;
  readonly message: string;
  readonly at: PyFrame | null;
  /** The error before it led to this one. */
  readonly chained: boolean;
}

function python(lines: readonly string[]): Reading | null {
  const errors = pyErrors(lines);
  const last = errors.at(-1);
  if (last === undefined) return null;
  const first = errors.findLastIndex((error) => !error.chained);
  const chain = errors.slice(Math.max(first, 0));
  return {
    tool: "python",
    code: classOf(last.name),
    facts: chain.map((error) => pyFact(error, error === last)),
    place: last.at?.file ?? null,
  };
}

function pyErrors(lines: readonly string[]): readonly PyError[] {
  const errors: PyError[] = [];
  let frame: PyFrame | null = null;
  let inside = false;
  let chained = false;
  for (const [at, line] of lines.entries()) {
    const file = PY_FRAME.exec(line)?.[1];
    if (file !== undefined) {
      const own = !PY_FOREIGN.test(file);
      if (own || frame === null) frame = { file, source: (lines[at + 1] ?? "").trim() };
      inside = true;
    } else if (PY_CHAINED.test(line)) chained = true;
    else if (inside && /^\S/.test(line)) {
      const error = PY_ERROR.exec(line);
      if (error !== null) {
        const [, name = ""] = error;
        errors.push({ name, message: pyMessage(lines, at), at: frame, chained });
        [frame, inside, chained] = [null, false, false];
      } else if (line.startsWith("Traceback ")) frame = null;
    }
  }
  return errors;
}

/** A message that announces a list goes on below. */
function pyMessage(lines: readonly string[], at: number): string {
  const message = PY_ERROR.exec(lines[at] ?? "")?.[2] ?? "";
  if (!/:$|\berrors? for \S+$/.test(message)) return message;
  return [message, ...until(lines, at + 1, (line) => line === "", MESSAGE_LINES_MAX)].join(" ");
}

/** Where the message names nothing, the failing line of own code is what tells faults apart. */
function pyFact(error: PyError, isLast: boolean): string {
  const { name, message, at } = error;
  const source = at?.source ?? "";
  // The class of the last one is the code of the reading.
  const text = message.trim() === "" ? name : isLast ? message : `${name} ${message}`;
  if (message.trim() === "" || /SyntaxError$|IndentationError$|TabError$/.test(name))
    return `${text} | ${source}`;
  // A refused connection does not say whom it asked.
  const peer = /\[Errno -?\d+\]/.test(message) ? PEER.exec(source)?.[0] : undefined;
  return peer === undefined ? text : `${text} | ${peer}`;
}

const PEER = /["'][\w.:-]{1,200}["'], {0,3}\d{1,5}\b/;

function rustPanic(lines: readonly string[]): Reading | null {
  const at = lines.findIndex((line) => /^thread '.{0,200}panicked at /.test(line));
  const head = lines[at];
  if (head === undefined) return null;
  const old = /panicked at '(.*)', ([^' ]+):\d+:\d+$/.exec(head);
  const place = old?.[2] ?? /panicked at ([^' ]+?):\d+:\d+:$/.exec(head)?.[1] ?? "";
  const ends = (line: string): boolean => line === "" || /^(?:note:|stack backtrace:)/.test(line);
  const said = old === null ? until(lines, at + 1, ends, MESSAGE_LINES_MAX) : [old[1] ?? ""];
  return { tool: "rust", code: "panic", facts: [said.join(" ")], place };
}

function goPanic(lines: readonly string[]): Reading | null {
  const at = lines.findIndex((line) => /^(?:panic|fatal error): /.test(line));
  if (at === -1 || !lines.some((line) => /^goroutine \d+ \[/.test(line))) return null;
  const said = until(
    lines,
    at,
    (line) => line === "" || line.startsWith("goroutine "),
    MESSAGE_LINES_MAX,
  );
  const frames = lines.flatMap((line) => /^\t(\S+\.go):\d+/.exec(line)?.[1] ?? []);
  const own = frames.find((file) => !/\/go\/(?:src|pkg)\/|\/libexec\/src\//.test(file));
  // The kind of signal is said, its addresses are not worth keeping.
  const facts = said.filter((line) => !line.startsWith("[signal "));
  return {
    tool: "go",
    code: "panic",
    facts: [facts.join(" ")],
    place: own ?? null,
  };
}

const JAVA_ERROR =
  /^(?:Exception in thread "[^"]{0,200}" |Caused by: |Unhandled exception\. |\s*-+> )?((?:[a-zA-Z_]\w{0,80}\.){1,12}[A-Z][\w$]{0,120})(?:: (.*))?$/;
const JAVA_FRAME = /^\s+at ([\w.$<>/@-]+)\(([^():]{1,200})(?::\d+)?\)$/;
const JAVA_FOREIGN =
  /^(?:java|javax|jdk|sun|com\.sun|kotlin|scala|org\.(?:junit|gradle|apache\.maven|springframework))[./]|^(?:java\.base|app)\//;

interface JavaError {
  readonly name: string;
  readonly message: string;
  readonly place: string | null;
  readonly isCause: boolean;
}

function java(lines: readonly string[]): Reading | null {
  const errors = lines.flatMap((_line, at) => javaError(lines, at));
  const first = errors.findLastIndex((error) => !error.isCause);
  const top = errors[first];
  if (top === undefined) return null;
  const causes = errors.slice(first + 1, first + 4);
  return {
    tool: "java",
    code: classOf(top.name),
    facts: [top.message || top.name, ...causes.map(({ name, message }) => `${name} ${message}`)],
    place: [top, ...causes].findLast((error) => error.place !== null)?.place ?? null,
  };
}

function javaError(lines: readonly string[], at: number): readonly JavaError[] {
  const line = lines[at] ?? "";
  const [, name = "", message = ""] = JAVA_ERROR.exec(line) ?? [];
  if (name === "") return [];
  const isCause = line.startsWith("Caused by: ");
  const frames = until(lines, at + 1, (next) => !/^\s+(?:at |\.\.\. )/.test(next), FRAMES_MAX);
  // A cause may share all its frames with the error above it.
  if (!isCause && !frames.some((frame) => JAVA_FRAME.test(frame))) return [];
  const files = frames.flatMap((frame) => {
    const [, method = "", file = ""] = JAVA_FRAME.exec(frame) ?? [];
    return method === "" || JAVA_FOREIGN.test(method) ? [] : [file];
  });
  return [{ name, message, place: files[0] ?? null, isCause }];
}

const NODE_ERROR =
  /^(?:\s*\[(?:cause|errors)\]: |Uncaught |\[?(?=UnhandledPromise))?([A-Z][\w.$]{0,80}(?:Error|Exception|Rejection)|Error|DOMException)(?: \[([A-Z_0-9]{3,80})\])?(?:: (.*))?$/;
const NODE_FOREIGN = /^(?:node:|internal\/)|[\\/]node_modules[\\/]/;
const NODE_END = /^\s+at |^\s*\[?Require stack:|^\s*\{$|^Node\.js v|^Emitted 'error'/;

interface NodeError {
  readonly name: string;
  readonly code: string | null;
  readonly message: string;
  readonly place: string | null;
  readonly isCause: boolean;
}

function node(lines: readonly string[]): Reading | null {
  const errors = nodeErrors(lines);
  // A cause belongs to the error before it; of several errors the last one ended the program.
  const first = errors.findLastIndex((error) => !error.isCause);
  const top = errors[first];
  if (top === undefined) return null;
  const source = top.name === "SyntaxError" ? syntaxSource(lines) : null;
  // The class of the first is the code of the reading.
  const causes = errors.slice(first + 1, first + 4);
  const facts = [
    top.message,
    ...nodeDetails(lines),
    ...causes.map(({ name, message }) => `${name} ${message}`),
  ];
  return {
    tool: "node",
    code: top.code ?? classOf(top.name),
    facts: source === null ? facts : [...facts, source.text],
    place: source?.file ?? top.place,
  };
}

function nodeErrors(lines: readonly string[]): readonly NodeError[] {
  const errors: NodeError[] = [];
  for (const [at, line] of lines.entries()) {
    const error = NODE_ERROR.exec(line);
    if (error === null) continue;
    const more = until(lines, at + 1, (next) => NODE_END.test(next), MESSAGE_LINES_MAX);
    const from = at + 1 + more.length;
    if (!/^\s+at |Require stack:/.test(lines[from] ?? "")) continue;
    const ends = (next: string): boolean => /^[^\s-]|\[cause\]: /.test(next);
    const frames = until(lines, from + 1, ends, FRAMES_MAX);
    const files = [lines[from] ?? "", ...frames].flatMap(nodeFile);
    const own = files.find((file) => !NODE_FOREIGN.test(file));
    const [, name = "", bracketed, message = ""] = error;
    const text = [message, ...more].join(" ");
    errors.push({
      name,
      code: bracketed ?? /^(E[A-Z0-9]{3,30})\b|\b(E[A-Z]{4,30})\b(?=:| )/.exec(text)?.[0] ?? null,
      message: text,
      place: own ?? null,
      isCause: /^\s*\[/.test(line) && !line.startsWith("[Unhandled"),
    });
  }
  return errors;
}

/** The file of a stack frame: `at total (file:///shop/cart.js:2:32)`. */
function nodeFile(frame: string): readonly string[] {
  const call = frame.trim();
  if (!call.startsWith("at ")) return [];
  const bracket = call.lastIndexOf("(");
  const where = bracket === -1 ? call.replace(/^at (?:[a-z]{1,9} )?/, "") : call.slice(bracket + 1);
  const file = /^(.*):\d+:\d+\)?(?: \{)?$/.exec(where)?.[1];
  return file === undefined ? [] : [file];
}

/** What stands in braces behind the stack and is not in the message. */
function nodeDetails(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => NODE_DETAIL.exec(line)?.[1] ?? []).slice(-DETAILS_MAX);
}

const DETAILS_MAX = 4;
const NODE_DETAIL =
  /^ {2,}((?:(?:status|statusCode|exitCode|signal|code): (?!'E)|\[cause\]: (?![A-Z]\w*Error)).{1,200}?),?$/;

/** Node shows the line that it could not parse above the error: file, line, caret. */
function syntaxSource(
  lines: readonly string[],
): { readonly file: string; readonly text: string } | null {
  const at = lines.findIndex(
    (line, n) => /^\S.{0,900}:\d+$/.test(line) && /^\s*\^+$/.test(lines[n + 2] ?? ""),
  );
  const head = lines[at];
  if (head === undefined) return null;
  return { file: head.replace(/:\d+$/, ""), text: (lines[at + 1] ?? "").trim() };
}
