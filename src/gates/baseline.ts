// What does a gate say of the tree the task began with?

import { dirname } from "node:path";

import type { Check } from "../core/model/checks.ts";
import { relocate } from "../core/model/relocate.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";
import type { BaseGateRequest, Gates } from "../engine/ports.ts";
import { cacheBase, cachedBase, cacheKey } from "./base-cache.ts";
import { rootsOf } from "./command-gate.ts";
import type { CommandGateDeps, CommandRequest } from "./command-gate.ts";
import { keepChecks, keptChecks } from "./inventory-file.ts";
import { neverLoaded } from "./not-run.ts";

type RunGate = (
  gate: GateSpec,
  request: CommandRequest,
  deps: CommandGateDeps,
  signal: AbortSignal,
) => Promise<GateResult>;

/** One run of each gate on each tree, however many attempts, tasks and runs ask for it. */
export function createBaseline(
  inCopy: Gates["checkCopy"],
  deps: CommandGateDeps,
): Gates["checkBase"] {
  return async (gate, request, signal) => {
    const { cache, environment: env } = deps;
    const { copy, cwd, logPath } = request;
    const key = cacheKey(cache, { tree: copy.tree, gate, env, cwd });
    const kept = cachedBase(cache, key);
    if (kept !== null) {
      keepChecks(logPath, kept.named);
      return { ...kept.result, elapsedMs: 0 };
    }
    const result = await measured(inCopy, gate, request, signal);
    // A run that orch itself stopped has said nothing.
    if (!signal.aborted && isLasting(result))
      cacheBase(cache, key, { result, named: keptChecks(logPath) });
    return result;
  };
}

/** What is unknown, and what misses a package, may be otherwise as soon as something is installed. */
function isLasting({ verdict, counts, excerpt }: GateResult): boolean {
  if (verdict.kind === "unknown") return false;
  return verdict.kind === "passed" || counts !== null || neverLoaded(excerpt.split("\n")) === null;
}

/** Once more where it failed: checks that come and go of themselves belong to neither side. */
async function measured(
  inCopy: Gates["checkCopy"],
  gate: GateSpec,
  request: BaseGateRequest,
  signal: AbortSignal,
): Promise<GateResult> {
  const first = await inCopy(gate, request, signal);
  if (first.verdict.kind !== "failed" || first.flaky || signal.aborted) return first;
  const { logPath } = request;
  const again = { ...request, logPath: logPath.replace(/\.log$/, ".again.log") };
  const second = await inCopy(gate, again, signal);
  const elapsedMs = first.elapsedMs + second.elapsedMs;
  if (second.verdict.kind === "unknown") return { ...first, elapsedMs };
  const { by, checks } = keptChecks(logPath);
  const steady = steadyChecks(checks, keptChecks(again.logPath).checks);
  const isFlaky = second.verdict.kind === "passed" || steady.length < checks.length;
  if (!isFlaky) return { ...first, elapsedMs };
  keepChecks(logPath, { by, checks: steady });
  const kept = second.verdict.kind === "passed" ? second : first;
  return { ...kept, elapsedMs, flaky: true, flakyFindings: first.verdict.findings };
}

/** Those that no run says otherwise of. Where one run names none, nothing is known. */
function steadyChecks(first: readonly Check[], second: readonly Check[]): readonly Check[] {
  const said = new Map<string, Check["state"] | "both">();
  for (const { name, state } of second)
    said.set(name, said.has(name) && said.get(name) !== state ? "both" : state);
  return said.size === 0
    ? first
    : first.filter(({ name, state }) => ["both", state].includes(said.get(name) ?? ""));
}

/** What names the task's tree is led to the copy instead. */
export function checkerOfCopies(deps: CommandGateDeps, check: RunGate): Gates["checkCopy"] {
  return (gate, { cwd, logPath, copy }, signal) => {
    const roots = [...new Set(rootsOf(cwd))];
    const environment = environmentOf(deps.environment, roots, copy.root);
    // What was borrowed is named by the path it has in the task's tree.
    const request = { cwd: copy.root, logPath, roots: [...rootsOf(copy.root), ...roots] };
    return check(gate, request, { ...deps, environment }, signal);
  };
}

const REPOSITORY = /^GIT_(?:COMMON_DIR|DIR|INDEX_FILE|OBJECT_DIRECTORY|PREFIX|WORK_TREE)$/;

/**
 * Whatever names the task's tree (`PATH`, `PYTHONPATH`, `INIT_CWD`) would lead the checks back into
 * it. Variables that name a repository would let git write there.
 */
function environmentOf(
  env: Readonly<Record<string, string>>,
  roots: readonly string[],
  copy: string,
): Readonly<Record<string, string>> {
  const moved = Object.entries(env)
    .filter(([name]) => !REPOSITORY.test(name))
    .map(([name, value]) => [
      name,
      roots.reduce((text, root) => relocate(text, root, copy), value),
    ]);
  return { ...Object.fromEntries(moved), GIT_CEILING_DIRECTORIES: dirname(copy) };
}
