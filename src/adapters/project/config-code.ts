// How is a file of code that belongs to the user run, so that it stays a guest in this process?

import { AsyncLocalStorage } from "node:async_hooks";
import type { EventEmitter } from "node:events";
import { pathToFileURL } from "node:url";

import { OrchError } from "../../errors.ts";
import { codeThrew, namesFile, type CodeSource } from "./config-fault.ts";

/** A config that takes longer waits for something that will not come. */
const IMPORT_TIMEOUT_MS = 10_000;

/** What Node 20 says about a config that is a module beside a package.json without a type. */
const UNTYPED_PACKAGE = "MODULE_TYPELESS_PACKAGE_JSON";

/** A file of code that is loaded, or was: what it started may still be going on. */
interface Guest {
  readonly source: CodeSource;
  readonly fail: (error: unknown) => void;
}

/** Holds the guest in everything that its code starts: timers, promises, sockets. */
const started = new AsyncLocalStorage<Guest | null>();
const known: Guest[] = [];
let loading: Guest | null = null;

/**
 * What a file of code exports, with a limit of time. What it prints goes to stderr, for standard
 * output is the command's. What it throws later, where nobody can catch it, is emitted as an
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
  watchGuests();
  let fail: Guest["fail"] = () => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const guest: Guest = { source, fail };
  known.push(guest);
  loading = guest;
  try {
    return await Promise.race([started.run(guest, () => settled(load())), failed]);
  } finally {
    loading = null;
  }
}

/** Promises that fail without anybody's notice are told of a turn of the event loop later. */
async function settled<T>(load: Promise<T>): Promise<T> {
  const found = await load;
  await new Promise((resolve) => setImmediate(resolve));
  return found;
}

let isWatching = false;

function watchGuests(): void {
  if (isWatching) return;
  isWatching = true;
  const stdout = Object.getOwnPropertyDescriptor(process, "stdout");
  if (stdout?.get !== undefined) {
    const own = stdout.get.bind(process);
    const get = (): unknown => (isGuestAtWork() ? process.stderr : own());
    Object.defineProperty(process, "stdout", { ...stdout, get });
  }
  const warn: unknown = Reflect.get(process, "emitWarning");
  Reflect.set(process, "emitWarning", (...given: readonly unknown[]): void => {
    const isHeard = loading === null || !isUntyped(given[1]);
    if (isHeard && typeof warn === "function") Reflect.apply(warn, process, given);
  });
  if (!process.hasUncaughtExceptionCaptureCallback())
    process.setUncaughtExceptionCaptureCallback(escaped);
}

function isGuestAtWork(): boolean {
  return loading !== null || (started.getStore() ?? null) !== null;
}

function escaped(error: Error): void {
  if (loading !== null) return loading.fail(error);
  const guest = started.getStore() ?? known.find(({ source }) => namesFile(error, source));
  const told = guest === undefined ? error : codeThrew(error, guest.source, "after it was loaded");
  const listeners: EventEmitter = process;
  // Who listens is no guest, nor is what it starts.
  const isHeard = started.run(null, () => listeners.emit("uncaughtException", told));
  if (!isHeard) throw told;
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
