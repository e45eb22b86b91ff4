// What does a traceback of Python say?

import { classOf, problem, reading, type Tool } from "./tool.ts";

const FRAME = /^ *File "([^"]+)", line \d+(?:, in .*)?$/;
const ERROR = /^((?:[A-Za-z_]\w{0,80}\.){0,8}[A-Za-z_]\w{0,80})(?:: (.*))?$/;
const CHAINED =
  /^(?:The above exception was the direct cause|During handling of the above exception)/;
/** Code that is installed, built in or made up at run time. */
const FOREIGN = /(?:site|dist)-packages|[\\/]lib[\\/]python\d|^<(?!string|stdin)/;

interface PyError {
  readonly line: string;
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
  recognises: /File "/,
  parse: (lines) => {
    const errors = errorsIn(lines);
    const last = errors.at(-1);
    if (last === undefined) return null;
    const first = errors.findLastIndex((error) => !error.chained);
    const failures = errors.slice(Math.max(first, 0)).map((error) => {
      const isLast = error === last;
      return problem(isLast ? error.line : "", [wordsOf(error, isLast)]);
    });
    const place = last.frame?.file ?? null;
    return reading("python", { code: classOf(last.name), place, failures });
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
        frame = {
          file,
          source: (lines.slice(at + 1, at + 3).find((next) => next !== "") ?? "").trim(),
        };
      inside = true;
    } else if (CHAINED.test(line)) chained = true;
    else if (inside && /^\S/.test(line)) {
      const [, name, message = ""] = ERROR.exec(line) ?? [];
      if (name !== undefined) {
        errors.push({ line, name, message, frame, chained });
        [frame, inside, chained] = [null, false, false];
      } else if (line.startsWith("Traceback ")) frame = null;
    }
  }
  return errors;
}

/** The failing line of own code tells apart what the message does not. */
function wordsOf({ name, message, frame }: PyError, isLast: boolean): string {
  // The class of the last one is the code of the reading.
  const text = message === "" || !isLast ? `${name} ${message}` : message;
  return `${text} | ${frame?.source ?? ""}`;
}
