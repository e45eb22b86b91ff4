// How is a file of code that belongs to the user run, so that it stays a guest in this process?

import type { EventEmitter } from "node:events";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { compileFunction } from "node:vm";

import { OrchError } from "../../errors.ts";

/** A file of code, named as a person in the working folder would name it. */
export interface CodeSource {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

/** A config that takes longer waits for something that will not come. */
const IMPORT_TIMEOUT_MS = 10_000;

/**
 * What a file of code exports, with a limit of time. What it prints until then goes to stderr, for
 * standard output is the command's. What it throws where nobody can catch it is emitted as an
 * "uncaughtException" whose error is an OrchError.
 */
export async function importDefault(source: CodeSource): Promise<unknown> {
  let found: unknown;
  try {
    found = await asGuest(source, () => withinTime(exported(source.path), source.name));
  } catch (error) {
    throw error instanceof OrchError ? error : codeThrew(error, source);
  }
  if (found !== NOTHING) return found;
  throw new OrchError(
    "config-invalid",
    `${source.name} has no default export`,
    "write `export default { … }`, or `module.exports = { … }` in a CommonJS file",
  );
}

const NOTHING = Symbol("no default export");
const LATE = Symbol("not within its time");

/** What is exported may be a promise, which is waited for here, where there is a limit of time. */
async function exported(path: string): Promise<unknown> {
  const module: unknown = await import(pathToFileURL(path).href);
  const isThere = typeof module === "object" && module !== null && "default" in module;
  return isThere ? await module.default : NOTHING;
}

async function asGuest<T>(source: CodeSource, load: () => Promise<T>): Promise<T> {
  process.setUncaughtExceptionCaptureCallback(null);
  process.setUncaughtExceptionCaptureCallback((error) => escaped(error, source));
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const warn = process.emitWarning.bind(process);
  process.emitWarning = (...given: readonly unknown[]): void => {
    if (!isUntypedPackage(given[1])) Reflect.apply(warn, process, given);
  };
  try {
    return await load();
  } finally {
    stdout.write = write;
    process.emitWarning = warn;
  }
}

/** This one warning says nothing about the work, and would stand above every command. */
function isUntypedPackage(options: unknown): boolean {
  const code = options instanceof Object && "code" in options ? options.code : null;
  return code === "MODULE_TYPELESS_PACKAGE_JSON";
}

/** What it started may still be going on. */
function escaped(error: Error, source: CodeSource): void {
  const isOwn = readThrown(error).stack.includes(source.path);
  const told = isOwn ? codeThrew(error, source) : error;
  const listeners: EventEmitter = process;
  if (!listeners.emit("uncaughtException", told)) throw told;
}

async function withinTime(loading: Promise<unknown>, name: string): Promise<unknown> {
  const over = new AbortController();
  const late = sleep(IMPORT_TIMEOUT_MS, LATE, { signal: over.signal });
  const first = await Promise.race([loading, late]).finally(() => over.abort());
  if (first !== LATE) return first;
  throw new OrchError(
    "config-threw",
    `${name} did not finish loading within ${IMPORT_TIMEOUT_MS / 1_000} seconds`,
    "let it export a plain object without waiting for anything",
  );
}

const WORDS_MAX = 500;

export function codeThrew(error: unknown, source: CodeSource): OrchError {
  const thrown = readThrown(error);
  const line = lineAfter(thrown.stack, basename(source.path)) ?? lineOfSyntax(thrown, source);
  const where = line === null ? source.name : `${source.name}:${line}`;
  return new OrchError(
    "config-threw",
    `${where} threw ${thrown.kind}: ${thrown.words}`,
    "fix it; a config needs no import, and its name ends in .mjs for `export default`, in .cjs for `module.exports`",
    { cause: error },
  );
}

interface Thrown {
  readonly kind: string;
  readonly words: string;
  readonly stack: string;
}

const NO_ERROR = "a value that is no Error";

/** What is thrown can be anything, and looking at it can throw again. */
function readThrown(error: unknown): Thrown {
  try {
    if (!(error instanceof Error))
      return { kind: NO_ERROR, words: firstLine(format("%s", error)), stack: "" };
    const { name, message, stack = "" } = error;
    return { kind: firstLine(name), words: firstLine(message), stack: format("%s", stack) };
  } catch {
    return { kind: NO_ERROR, words: "it cannot be shown", stack: "" };
  }
}

/** An error's name and message are said to be strings. */
function firstLine(text: unknown): string {
  return String(text).split("\n", 1).join("").slice(0, WORDS_MAX);
}

/** A module's syntax error carries no place, a function's does. Nothing is run here. */
function lineOfSyntax({ kind, words }: Thrown, { path, text }: CodeSource): string | null {
  if (kind !== "SyntaxError") return null;
  try {
    compileFunction(text.replace(/^([ \t]*)export\s+default\b/m, "$1void"), [], { filename: path });
    return null;
  } catch (error) {
    const again = readThrown(error);
    return again.words === words ? lineAfter(again.stack, basename(path)) : null;
  }
}

function lineAfter(stack: string, file: string): string | null {
  const at = stack.indexOf(`${file}:`);
  if (at < 0) return null;
  return /^\d+/.exec(stack.slice(at + file.length + 1))?.[0] ?? null;
}
