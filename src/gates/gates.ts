// How is any gate run, so that there is always a verdict?

import { assertNever } from "../core/model/assert.ts";
import { excerpt } from "../core/model/excerpt.ts";
import { compareInventories, type Inventory } from "../core/model/checks.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";
import type { Gates, RanGate } from "../engine/ports.ts";
import { keptChecks } from "./inventory-file.ts";
import { checkCommand, rootsOf } from "./command-gate.ts";
import type { CommandGateDeps, CommandOutcome, CommandRequest } from "./command-gate.ts";
import { checkFile } from "./file-gate.ts";
import { checkerOfCopies, createBaseline } from "./baseline.ts";

const DETAIL_CHARS_MAX = 300;

function inventoryOf({ result, logPath }: RanGate): Inventory {
  return { counts: result.counts, checks: keptChecks(logPath) };
}

/** The gates of a run. `check` never rejects: what goes wrong in orch itself is an unknown verdict. */
export function createGates(deps: CommandGateDeps): Gates {
  const checkCopy = checkerOfCopies(deps, check);
  return {
    check: (gate, request, signal) =>
      check(gate, { ...request, roots: rootsOf(request.cwd) }, deps, signal),
    checkCopy,
    checkBase: createBaseline(checkCopy, deps),
    compare: (base, now) =>
      compareInventories(now.result.name, inventoryOf(base), inventoryOf(now)),
  };
}

async function check(
  gate: GateSpec,
  request: CommandRequest,
  deps: CommandGateDeps,
  signal: AbortSignal,
): Promise<GateResult> {
  const startedMs = performance.now();
  const outcome = await outcomeOf(gate, request, deps, signal).catch(notRun);
  const elapsedMs = Math.round(performance.now() - startedMs);
  return { name: gate.name, required: gate.required, ...outcome, elapsedMs };
}

async function outcomeOf(
  gate: GateSpec,
  request: CommandRequest,
  deps: CommandGateDeps,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  if (signal.aborted)
    return silent({ kind: "unknown", why: "killed", detail: "orch was told to stop" });
  switch (gate.kind) {
    case "command":
      return checkCommand(gate, request, deps, signal);
    case "file-exists":
      return silent(await checkFile(gate, request.cwd));
    default:
      return assertNever(gate, "gate");
  }
}

function silent(verdict: GateResult["verdict"]): CommandOutcome {
  return { verdict, counts: null, faults: null, excerpt: "", flaky: false, flakyFindings: [] };
}

function notRun(error: unknown): CommandOutcome {
  const words = error instanceof Error ? error.message : String(error);
  return silent({ kind: "unknown", why: "not-run", detail: excerpt(words, DETAIL_CHARS_MAX) });
}
