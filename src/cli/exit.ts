// How does this process end: when, and with which exit code?

import * as nodeModule from "node:module";

/** What orch itself closes takes less. */
const PATIENCE_MS = 100;

/**
 * The process ends by itself when nothing is open any more, as a rule; what a config left open is
 * waited for a moment only.
 */
export function exitSoon(exitCode: number): void {
  process.exitCode = exitCode;
  setTimeout(exitNow, PATIENCE_MS, exitCode).unref();
}

/** Ends the process with this code, whatever is still open. */
export function exitNow(exitCode: number): never {
  if ("flushCompileCache" in nodeModule && typeof nodeModule.flushCompileCache === "function")
    nodeModule.flushCompileCache();
  return process.exit(exitCode);
}
