// How is any gate run, so that there is always a verdict?

import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";

import { assertNever } from "../core/model/assert.ts";
import { excerpt } from "../core/model/excerpt.ts";
import {
  compareInventories,
  type Comparison,
  type Inventory,
  unknown,
  type GateResult,
  type Verdict,
} from "../core/model/verdict.ts";
import type { GateSpec, FileGate } from "../core/model/task.ts";
import type { Gates, RanGate } from "../engine/ports.ts";
import { keptChecks, type Named } from "./inventory-file.ts";
import { environmentAt, rootsOf } from "../adapters/environment.ts";
import { checkCommand, CUT, type CommandGateDeps, type CommandOutcome } from "./command-gate.ts";
import { OrchError } from "../errors.ts";
import {
  createBaseline,
  createBegun,
  createCopyChecker,
  inCopies,
  type CommandPlace,
} from "./baseline.ts";
import { pathInside } from "../adapters/files/small-file.ts";

const DETAIL_CHARS_MAX = 300;

/** Names of two kinds, as a report's and those of a text, are not compared: only their numbers. */
function compare(base: RanGate, now: RanGate): Comparison {
  const [before, after] = [keptChecks(base.logPath), keptChecks(now.logPath)];
  const inventoryOf = ({ result }: RanGate, { by, checks }: Named): Inventory => ({
    // Numbers that were summed up from lines of which many are missing are none.
    counts: by === CUT && result.counts?.runner.startsWith("go") === true ? null : result.counts,
    checks: before.by === after.by ? checks : [],
  });
  return compareInventories(now.result.name, inventoryOf(base, before), inventoryOf(now, after));
}

/** The gates of a run. What goes wrong in orch itself is an unknown verdict. */
export function createGates(deps: CommandGateDeps): Gates {
  const inCopy = inCopies(deps, check);
  const checkTree: Gates["check"] = (gate, request, signal) => {
    const roots = rootsOf(request.cwd);
    const inTree = (): CommandPlace => {
      const environment = environmentAt(deps.environment, rootsOf(deps.root), request.cwd);
      return { request: { ...request, roots }, deps: { ...deps, environment } };
    };
    return check(gate, Promise.resolve().then(inTree), signal);
  };
  return {
    check: checkTree,
    checkCopy: createCopyChecker(inCopy),
    ...createBaseline(inCopy, deps),
    checkBegun: createBegun(checkTree, deps),
    compare,
  };
}

async function check(
  gate: GateSpec,
  place: Promise<CommandPlace>,
  signal: AbortSignal,
): Promise<GateResult> {
  const startedMs = performance.now();
  const outcome = await place.then((at) => outcomeOf(gate, at, signal)).catch(unknownAfter);
  const elapsedMs = Math.round(performance.now() - startedMs);
  return { name: gate.name, required: gate.required, ...outcome, elapsedMs };
}

async function outcomeOf(
  gate: GateSpec,
  { request, deps }: CommandPlace,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  if (signal.aborted) return withoutOutput(unknown("killed", "orch was told to stop"));
  switch (gate.kind) {
    case "command":
      return checkCommand(gate, request, deps, signal);
    case "file-exists":
      return withoutOutput(await checkFile(gate, request.cwd));
    default:
      return assertNever(gate, "gate");
  }
}

const MACHINES: ReadonlySet<string> = new Set(["machine-fault", "disk-full"]);

function withoutOutput(verdict: GateResult["verdict"]): CommandOutcome {
  return { verdict, counts: null, faults: null, excerpt: "", flaky: false, flakyFindings: [] };
}

/** Throws OrchError where the machine is at fault: that is no word on this gate alone. */
function unknownAfter(error: unknown): CommandOutcome {
  if (error instanceof OrchError && MACHINES.has(error.code)) throw error;
  const words = error instanceof Error ? error.message : String(error);
  return withoutOutput(unknown("not-run", excerpt(words, DETAIL_CHARS_MAX)));
}

/**
 * Looks at the path itself; a link counts only where it leads to something inside the tree. Rejects
 * where it cannot be looked at: that is not known to be missing.
 */
export async function checkFile(gate: FileGate, cwd: string): Promise<Verdict> {
  const path = resolve(cwd, gate.path);
  if (isAbsolute(gate.path) || pathInside(cwd, path) === null)
    return missing(gate, "is outside the working tree");
  const root = await realpath(cwd);
  const real = await realpath(path).catch(nullIfAbsent);
  if (real === null) return missing(gate, "does not exist");
  if (pathInside(root, real) === null) return missing(gate, "leads out of the working tree");
  const entry = await lstat(real);
  if (entry.isFile() || entry.isDirectory()) return { kind: "passed" };
  return missing(gate, "is neither a file nor a folder");
}

function nullIfAbsent(error: unknown): null {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT" || code === "ENOTDIR") return null;
  throw error;
}

function missing(gate: FileGate, what: string): Verdict {
  return { kind: "failed", findings: [{ check: gate.path, message: `${gate.path} ${what}` }] };
}
