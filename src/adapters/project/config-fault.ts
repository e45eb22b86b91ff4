// What did the user's code throw, where, and what helps?

import { basename } from "node:path";
import { format } from "node:util";

import { OrchError } from "../../errors.ts";

/** A file of code, named as a person in the working folder would name it. */
export interface CodeSource {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
}

const WORDS_MAX = 500;

export function codeThrew(
  error: unknown,
  source: CodeSource,
  when: "while it was loaded" | "after it was loaded",
): OrchError {
  const thrown = readThrown(error);
  const line = lineAfter(thrown.stack, basename(source.path));
  const where = line === null ? source.name : `${source.name}:${line}`;
  const [late, hint] =
    when === "after it was loaded"
      ? [` ${when}`, "fix that line; a config leaves nothing behind that goes on by itself"]
      : ["", hintFor(thrown, source)];
  const message = `${where} threw ${thrown.kind}${late}: ${thrown.words}`;
  return new OrchError("config-threw", message, hint, { cause: error });
}

/** orch throws nothing but errors, and ends the process by itself. */
export function isDoneBy(error: unknown, { path }: CodeSource): boolean {
  const { kind, stack, words, code } = readThrown(error);
  const isNoError = kind === NO_ERROR || code === "ERR_UNHANDLED_REJECTION";
  return isNoError || words.startsWith(EXIT_REFUSED) || stack.includes(path);
}

/** How the refusal to let a config end the process begins. */
const EXIT_REFUSED = "process.exit would have ended the process";

interface Thrown {
  readonly kind: string;
  readonly words: string;
  readonly code: unknown;
  readonly stack: string;
}

const NO_ERROR = "a value that is no Error";

/** What is thrown can be anything, and looking at it can throw again. */
function readThrown(error: unknown): Thrown {
  try {
    if (!(error instanceof Error)) {
      return { kind: NO_ERROR, words: firstLine(format("%s", error)), code: null, stack: "" };
    }
    const { name, message, stack = "" } = error;
    const code = "code" in error ? error.code : null;
    return { kind: firstLine(name), words: firstLine(message), code, stack: format("%s", stack) };
  } catch {
    return { kind: NO_ERROR, words: "it cannot be shown", code: null, stack: "" };
  }
}

/** An error's name and message are said to be strings. */
function firstLine(text: unknown): string {
  return String(text).split("\n", 1).join("").slice(0, WORDS_MAX);
}

function hintFor({ code, words }: Thrown, { name }: CodeSource): string {
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    return `this Node (${process.version}) does not read TypeScript; rename it to .orchestrator.config.mjs`;
  }
  if (code === "ERR_MODULE_NOT_FOUND" && words.includes("'orch'")) {
    return "export a plain object: `export default { … }` needs no import";
  }
  if (/'export'|import statement outside a module/.test(words)) {
    return `this package is CommonJS: rename ${name} to .orchestrator.config.mjs, or use module.exports`;
  }
  return "fix that line; `node` with the file shows more";
}

function lineAfter(stack: string, file: string): string | null {
  const at = stack.indexOf(`${file}:`);
  if (at < 0) return null;
  return /^\d+/.exec(stack.slice(at + file.length + 1))?.[0] ?? null;
}
