// How does this process end: when, and with which exit code?

import * as nodeModule from "node:module";

const exit = process.exit.bind(process);
const reallyExit: unknown = Reflect.get(process, "reallyExit");
let chosen: number | null = null;

/** What orch itself closes takes less. */
const PATIENCE_MS = 100;

/**
 * From here on only orch ends the process. A config that does would choose the exit code, and 0 says
 * that all work is done; in the middle of a run it would abandon the tree half-way.
 */
export function keepExitToOrch(): void {
  process.exit = () => {
    if (chosen === null) throw refusal();
    return exitNow(chosen);
  };
  if (typeof reallyExit !== "function") return;
  Reflect.set(process, "reallyExit", (): unknown => {
    if (chosen === null) throw refusal();
    return Reflect.apply(reallyExit, process, [chosen]);
  });
}

/**
 * The process ends by itself when nothing is open any more, as a rule; what a config
 * left open is waited for a moment only. The first code that is chosen stays.
 */
export function exitSoon(exitCode: number): void {
  const code = (chosen ??= exitCode);
  process.exitCode = code;
  // After the listeners of others, who may have set another.
  process.on("exit", () => {
    process.exitCode = code;
  });
  setTimeout(exitNow, PATIENCE_MS, code).unref();
}

/** Ends the process with this code, whatever is still open. */
export function exitNow(exitCode: number): never {
  chosen ??= exitCode;
  if ("flushCompileCache" in nodeModule && isFunction(nodeModule.flushCompileCache))
    nodeModule.flushCompileCache();
  return exit(chosen);
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === "function";
}

function refusal(): Error {
  return new Error("process.exit would have ended orch");
}
