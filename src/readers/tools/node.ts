// What does an uncaught error of Node.js say?

import { classOf, problem, reading, until, type Reading, type Tool } from "./tool.ts";

const MESSAGE_LINES_MAX = 6;
const FRAMES_MAX = 200;
const ERROR =
  /^(?:\s*\[(?:cause|errors)\]: |Uncaught |\[?(?=UnhandledPromise))?([A-Z][\w.$]{0,80}(?:Error|Exception|Rejection)|Error|DOMException)(?: \[([A-Z_0-9]{3,80})\])?(?:: (.*))?$/;
const FOREIGN = /^(?:node:|internal\/)|[\\/]node_modules[\\/]/;
const MESSAGE_END = /^\s+at |^\s*\[?Require stack:|^\s*\{$|^Node\.js v|^Emitted 'error'/;

export const node: Tool = {
  name: "node",
  recognises: / {2}at |Require stack:/,
  parse: readCrash,
};

export function readCrash(lines: readonly string[]): Reading | null {
  const errors = lines.flatMap((_line, at) => errorAt(lines, at));
  // A cause belongs to the error before it; of several errors the last one ended the program.
  const first = errors.findLastIndex((error) => !error.isCause);
  const top = errors[first];
  if (top === undefined) return null;
  const unparsed = top.name === "SyntaxError" ? unparsedLine(lines) : null;
  const causes = errors.slice(first + 1, first + 4);
  const message = [top, ...causes].map(({ line }) => line.trim()).join(" | ");
  // The class of the first is the code of the reading.
  const more = causes.map((cause) => `${cause.name} ${cause.message}`);
  if (unparsed !== null) more.push(unparsed.text);
  const failures = [problem(message, [top.message]), ...more.map((words) => problem("", [words]))];
  const place = unparsed?.file ?? top.place;
  return reading("node", { code: top.code ?? classOf(top.name), place, failures });
}

/** An error with the frames below it; of its own files the first is where it failed. */
function errorAt(lines: readonly string[], at: number) {
  const line = lines[at] ?? "";
  const error = ERROR.exec(line);
  if (error === null) return [];
  const more = until(lines, at + 1, (next) => MESSAGE_END.test(next), MESSAGE_LINES_MAX);
  const from = at + 1 + more.length;
  if (!/^\s+at |Require stack:/.test(lines[from] ?? "")) return [];
  const ends = (next: string): boolean => /^[^\s-]|\[cause\]: /.test(next);
  const frames = until(lines, from + 1, ends, FRAMES_MAX);
  const files = [lines[from] ?? "", ...frames].flatMap(fileOf);
  const [, name = "", bracketed, said = ""] = error;
  const message = [said, ...more].join(" ");
  const code = /^(E[A-Z0-9]{3,30})\b|\b(E[A-Z]{4,30})\b(?=:| )/.exec(message)?.[0];
  return [
    {
      line,
      name,
      code: bracketed ?? code ?? null,
      message,
      place: files.find((file) => !FOREIGN.test(file)) ?? null,
      isCause: /^\s*\[/.test(line) && !line.startsWith("[Unhandled"),
    },
  ];
}

/** The file of a stack frame: `at total (file:///shop/cart.js:2:32)`. */
function fileOf(frame: string): readonly string[] {
  const call = frame.trim();
  if (!call.startsWith("at ")) return [];
  const bracket = call.lastIndexOf("(");
  const where = bracket === -1 ? call.replace(/^at (?:[a-z]{1,9} )?/, "") : call.slice(bracket + 1);
  const file = /^(.*):\d+:\d+\)?(?: \{)?$/.exec(where)?.[1];
  return file === undefined ? [] : [file];
}

/** Node shows the line that it could not parse above the error: file, line, caret. */
function unparsedLine(
  lines: readonly string[],
): { readonly file: string; readonly text: string } | null {
  const isCaret = (line = ""): boolean => /^\s*\^+$/.test(line);
  const at = lines.findIndex((line, n) => isCaret(lines[n + 2]) && /^\S.{0,900}:\d+$/.test(line));
  const head = lines[at];
  if (head === undefined) return null;
  return { file: head.replace(/:\d+$/, ""), text: (lines[at + 1] ?? "").trim() };
}
