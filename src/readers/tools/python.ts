// What does a traceback of Python say?

import { classOf, problem, reading, until } from "./tool.ts";
import type { Tool } from "./tool.ts";

const MESSAGE_LINES_MAX = 6;
const FRAME = /^ *File "([^"]+)", line \d+(?:, in .*)?$/;
const ERROR = /^((?:[A-Za-z_]\w{0,80}\.){0,8}[A-Za-z_]\w{0,80})(?:: (.*))?$/;
const CHAINED =
  /^(?:The above exception was the direct cause|During handling of the above exception)/;
/** Code that is installed, built in or made up at run time. */
const FOREIGN = /(?:site|dist)-packages|[\\/]lib[\\/]python\d|^<(?!string|stdin)/;

interface PyError {
  readonly name: string;
  readonly message: string;
  /** Of own code where there is any. */
  readonly frame: { readonly file: string; readonly source: string } | null;
  /** The error before it led to this one. */
  readonly chained: boolean;
}

/** An uncaught error with what led to it; the last one in the output is the one that ended it. */
export const python: Tool = {
  name: "python",
  recognises: ['File "'],
  parse: (lines) => {
    const errors = errorsIn(lines);
    const last = errors.at(-1);
    if (last === undefined) return null;
    const chain = errors.slice(
      Math.max(
        errors.findLastIndex((error) => !error.chained),
        0,
      ),
    );
    const message = last.message === "" ? last.name : `${last.name}: ${last.message}`;
    const failures = chain.map((error) =>
      error === last
        ? problem(message, [wordsOf(error, true)])
        : problem("", [wordsOf(error, false)]),
    );
    return reading("python", classOf(last.name), failures, last.frame?.file ?? null);
  },
};

function errorsIn(lines: readonly string[]): readonly PyError[] {
  const errors: PyError[] = [];
  let frame: PyError["frame"] = null;
  let inside = false;
  let chained = false;
  for (const [at, line] of lines.entries()) {
    const file = FRAME.exec(line)?.[1];
    if (file !== undefined) {
      if (!FOREIGN.test(file) || frame === null)
        frame = { file, source: (lines[at + 1] ?? "").trim() };
      inside = true;
    } else if (CHAINED.test(line)) chained = true;
    else if (inside && /^\S/.test(line)) {
      const name = ERROR.exec(line)?.[1];
      if (name !== undefined) {
        errors.push({ name, message: messageAt(lines, at), frame, chained });
        [frame, inside, chained] = [null, false, false];
      } else if (line.startsWith("Traceback ")) frame = null;
    }
  }
  return errors;
}

/** A message that announces a list goes on below. */
function messageAt(lines: readonly string[], at: number): string {
  const message = ERROR.exec(lines[at] ?? "")?.[2] ?? "";
  if (!/:$|\berrors? for \S+$/.test(message)) return message;
  return [message, ...until(lines, at + 1, (line) => line === "", MESSAGE_LINES_MAX)].join(" ");
}

/** Where the message names nothing, the failing line of own code is what tells faults apart. */
function wordsOf({ name, message, frame }: PyError, isLast: boolean): string {
  const source = frame?.source ?? "";
  const isEmpty = message.trim() === "";
  // The class of the last one is the code of the reading.
  const text = isEmpty ? name : isLast ? message : `${name} ${message}`;
  if (isEmpty || /SyntaxError$|IndentationError$|TabError$/.test(name))
    return `${text} | ${source}`;
  // A refused connection does not say whom it asked.
  const peer = /\[Errno -?\d+\]/.test(message) ? PEER.exec(source)?.[0] : undefined;
  return peer === undefined ? text : `${text} | ${peer}`;
}

const PEER = /["'][\w.:-]{1,200}["'], {0,3}\d{1,5}\b/;
