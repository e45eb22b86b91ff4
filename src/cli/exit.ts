// How does this process end: when, and with which exit code?

import { writeSync } from "node:fs";
import * as nodeModule from "node:module";

let chosen: number | null = null;

/** What orch itself closes takes less. */
const PATIENCE_MS = 100;
const EXIT_BY_OTHERS = 2;
const ENDED_BY_OTHERS = `orch: something else than orch ended the process, such as process.exit in the config
hint: take it out; \`orch resume\` goes on with a run that this has interrupted
`;

/** The exit code is orch's, also where a config ends the process: 0 says that all work is done. */
export function keepExitToOrch(): void {
  process.on("exit", () => {
    if (chosen === null) writeSync(2, ENDED_BY_OTHERS);
    process.exitCode = chosen ?? EXIT_BY_OTHERS;
  });
}

/**
 * The process ends by itself when nothing is open any more, as a rule; what a config
 * left open is waited for a moment only. The first code that is chosen stays.
 */
export function exitSoon(exitCode: number): void {
  chosen ??= exitCode;
  setTimeout(exitNow, PATIENCE_MS, chosen).unref();
}

/** Ends the process with this code, whatever is still open. */
export function exitNow(exitCode: number): never {
  chosen ??= exitCode;
  if ("flushCompileCache" in nodeModule && isFunction(nodeModule.flushCompileCache))
    nodeModule.flushCompileCache();
  return process.exit(chosen);
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === "function";
}
