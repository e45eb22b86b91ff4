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

/** What they started may still be going on. */
const loaded: CodeSource[] = [];
/** Ends the loading that is going on; null: there is none. */
let fail: ((error: unknown) => void) | null = null;

/**
 * What a file of code exports, with a limit of time. What it prints until then goes to stderr, for
 * standard output is the command's. What it throws later, where nobody can catch it, is emitted as an
 * "uncaughtException" whose error is an OrchError.
 */
export async function importDefault(source: CodeSource): Promise<unknown> {
  let found: unknown;
  try {
    found = await asGuest(source, () => withinTime(exported(source.path), source.name));
  } catch (error) {
    throw error instanceof OrchError ? error : codeThrew(error, source, "while it was loaded");
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
  if (!process.hasUncaughtExceptionCaptureCallback())
    process.setUncaughtExceptionCaptureCallback(escaped);
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  loaded.push(source);
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const warn = process.emitWarning.bind(process);
  process.emitWarning = (...given: readonly unknown[]): void => {
    if (!isUntypedPackage(given[1])) Reflect.apply(warn, process, given);
  };
  try {
    return await Promise.race([settled(load()), failed]);
  } finally {
    fail = null;
    stdout.write = write;
    process.emitWarning = warn;
  }
}

/** This one warning says nothing about the work, and would stand above every command. */
function isUntypedPackage(options: unknown): boolean {
  const code = options instanceof Object && "code" in options ? options.code : null;
  return code === "MODULE_TYPELESS_PACKAGE_JSON";
}

/** Promises that fail without anybody's notice are told of a turn of the event loop later. */
async function settled<T>(load: Promise<T>): Promise<T> {
  const found = await load;
  await new Promise((resolve) => setImmediate(resolve));
  return found;
}

function escaped(error: Error): void {
  if (fail !== null) return fail(error);
  const source = loaded.find((one) => isDoneBy(error, one));
  const told = source === undefined ? error : codeThrew(error, source, "after it was loaded");
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

export function codeThrew(
  error: unknown,
  source: CodeSource,
  when: "while it was loaded" | "after it was loaded",
): OrchError {
  const thrown = readThrown(error);
  const line = lineAfter(thrown.stack, basename(source.path)) ?? lineOfSyntax(thrown, source);
  const where = line === null ? source.name : `${source.name}:${line}`;
  const [late, hint] =
    when === "after it was loaded"
      ? [` ${when}`, "fix that line; a config must not leave timers or processes running"]
      : [
          "",
          "fix it; a config needs no import, and its name ends in .mjs for `export default`, in .cjs for `module.exports`",
        ];
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
const EXIT_REFUSED = "process.exit would have ended orch";

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
