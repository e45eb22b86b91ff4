// How is a file of code that belongs to the user run, so that it stays a guest in this process?

import type { EventEmitter } from "node:events";
import { pathToFileURL } from "node:url";

import { OrchError } from "../../errors.ts";
import { codeThrew, isDoneBy, type CodeSource } from "./config-fault.ts";

/** A config that takes longer waits for something that will not come. */
const IMPORT_TIMEOUT_MS = 10_000;

/** What Node 20 says about a config that is a module beside a package.json without a type. */
const UNTYPED_PACKAGE = "MODULE_TYPELESS_PACKAGE_JSON";

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
  const restore = quieted();
  try {
    return await Promise.race([settled(load()), failed]);
  } finally {
    fail = null;
    restore();
  }
}

/** Promises that fail without anybody's notice are told of a turn of the event loop later. */
async function settled<T>(load: Promise<T>): Promise<T> {
  const found = await load;
  await new Promise((resolve) => setImmediate(resolve));
  return found;
}

/** What the code prints goes to stderr, and Node's word about its package nowhere; until it is called. */
function quieted(): () => void {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const warn: unknown = Reflect.get(process, "emitWarning");
  stdout.write = stderr.write.bind(stderr);
  Reflect.set(process, "emitWarning", (...given: readonly unknown[]): void => {
    if (!isUntyped(given[1]) && typeof warn === "function") Reflect.apply(warn, process, given);
  });
  return () => {
    stdout.write = write;
    Reflect.set(process, "emitWarning", warn);
  };
}

function escaped(error: Error): void {
  if (fail !== null) return fail(error);
  const source = loaded.find((one) => isDoneBy(error, one));
  const told = source === undefined ? error : codeThrew(error, source, "after it was loaded");
  const listeners: EventEmitter = process;
  if (!listeners.emit("uncaughtException", told)) throw told;
}

/** That one warning, which says nothing about the work, would stand above every command. */
function isUntyped(options: unknown): boolean {
  return options instanceof Object && "code" in options && options.code === UNTYPED_PACKAGE;
}

async function withinTime(loading: Promise<unknown>, name: string): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(
        new OrchError(
          "config-threw",
          `${name} did not finish loading within ${IMPORT_TIMEOUT_MS / 1_000} seconds`,
          "let it export a plain object without waiting for anything",
        ),
      );
    }, IMPORT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}
