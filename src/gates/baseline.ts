// What does a gate say of the tree the task began with?

import { isDeepStrictEqual } from "node:util";

import type { Check, GateResult } from "../core/model/verdict.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { CopyRequest, Gates } from "../engine/ports.ts";
import { cacheBase, cachedBase, cacheKey, contentsOf } from "./base-cache.ts";
import { environmentAt, rootsOf } from "../adapters/environment.ts";
import type { CommandGateDeps, CommandRequest } from "./command-gate.ts";
import { besideLog, keepChecks, keepText, keptChecks, keptText } from "./inventory-file.ts";
import { neverLoaded } from "./unknown-words.ts";

/** Where a gate's command runs. */
export interface CommandPlace {
  readonly request: CommandRequest;
  readonly deps: CommandGateDeps;
}

/** A place that cannot be made is a verdict, too. */
type RunGate = (
  gate: GateSpec,
  place: Promise<CommandPlace>,
  signal: AbortSignal,
) => Promise<GateResult>;

type RunInCopy = Gates["checkCopy"];

/** What two runs on the same tree say together of each check. */
type Together = (first: readonly Check[], second: readonly Check[]) => readonly Check[];

export function createBaseline(
  inCopy: RunInCopy,
  deps: CommandGateDeps,
): Pick<Gates, "checkBase" | "checkBaseAgain"> {
  const checkBase = once(inCopy, ({ copy }) => copy.tree, deps);
  const twice = ({ copy: { tree } }: CopyRequest): string => (tree === "" ? "" : `${tree} twice`);
  const both = again(checkBase, inCopy, steadyChecks);
  return { checkBase, checkBaseAgain: once(both, twice, deps) };
}

/** In the tree itself: what is installed there, and the settings that nobody commits, count too. */
export function createBegun(inTree: Gates["check"], deps: CommandGateDeps): RunInCopy {
  const treeOf = ({ cwd, copy }: CopyRequest): string =>
    copy.tree === "" ? "" : `${copy.tree} and ${contentsOf(cwd, copy.beside)}`;
  return once(inTree, treeOf, deps);
}

/**
 * One run of each gate on each tree, however many attempts, tasks and runs ask for it. A tree without
 * a name may be another one each time.
 */
function once(
  measured: RunInCopy,
  treeOf: (request: CopyRequest) => string,
  deps: CommandGateDeps,
): RunInCopy {
  const underway = new Map<string, Promise<GateResult>>();
  return async (gate, request, signal) => {
    const { cache, environment: env, root } = deps;
    const { logPath } = request;
    const tree = treeOf(request);
    if (tree === "") return measured(gate, request, signal);
    const key = cacheKey(cache, { tree, gate, env, root });
    // What another task asks at this moment is known in a moment; it may be no lasting answer.
    while (underway.has(key)) await underway.get(key);
    const kept = cachedBase(cache, key);
    if (kept !== null) {
      keepText(logPath, kept.checks);
      return { ...kept.result, elapsedMs: 0 };
    }
    const running = measured(gate, request, signal).then((result) => {
      // A run that orch itself stopped has said nothing.
      if (!signal.aborted && isLasting(result))
        cacheBase(cache, key, { result, checks: keptText(logPath) });
      return result;
    });
    underway.set(key, running);
    return running.finally(() => underway.delete(key));
  };
}

/** The original checks accuse the work, so one that passes in either run passes. */
export function createCopyChecker(inCopy: RunInCopy): RunInCopy {
  return again(inCopy, inCopy, bestChecks);
}

/** What is unknown, and what misses a package, may be otherwise as soon as something is installed. */
function isLasting({ verdict, counts, excerpt }: GateResult): boolean {
  if (verdict.kind === "unknown") return false;
  return verdict.kind === "passed" || counts !== null || neverLoaded(excerpt.split("\n")) === null;
}

/** Once more where it failed. */
function again(before: RunInCopy, inCopy: RunInCopy, together: Together): RunInCopy {
  return async (gate, request, signal) => {
    const first = await before(gate, request, signal);
    if (first.verdict.kind !== "failed" || first.flaky || signal.aborted) return first;
    const { logPath } = request;
    const other = besideLog(logPath, ".again.log");
    const second = await inCopy(gate, { ...request, logPath: other }, signal);
    const elapsedMs = first.elapsedMs + second.elapsedMs;
    if (second.verdict.kind === "unknown") return { ...first, elapsedMs };
    const { by, checks } = keptChecks(logPath);
    const both = together(checks, keptChecks(other).checks);
    const isFlaky = second.verdict.kind === "passed" || !isDeepStrictEqual(both, checks);
    if (!isFlaky) return { ...first, elapsedMs };
    keepChecks(logPath, { by, checks: both });
    const kept = second.verdict.kind === "passed" ? second : first;
    return { ...kept, elapsedMs, flaky: true, flakyFindings: first.verdict.findings };
  };
}

/**
 * Those that no run says otherwise of: what comes and goes of itself belongs to neither side. Where
 * one run names none, nothing is known.
 */
function steadyChecks(first: readonly Check[], second: readonly Check[]): readonly Check[] {
  const states = new Map<string, Check["state"] | "both">();
  for (const { name, state } of second)
    states.set(name, states.has(name) && states.get(name) !== state ? "both" : state);
  return states.size === 0
    ? first
    : first.filter(({ name, state }) => ["both", state].includes(states.get(name) ?? ""));
}

/** All of both runs, each as the better of them says. */
function bestChecks(first: readonly Check[], second: readonly Check[]): readonly Check[] {
  const passed = new Set(second.map(({ name }) => name));
  for (const { name, state } of second) if (state !== "passed") passed.delete(name);
  const firstNames = new Set(first.map(({ name }) => name));
  return [
    ...first.map((check): Check =>
      passed.has(check.name) ? { ...check, state: "passed" } : check,
    ),
    ...second.filter(({ name }) => !firstNames.has(name)),
  ];
}

/** What names the task's tree is led to the copy instead. */
export function inCopies(deps: CommandGateDeps, check: RunGate): RunInCopy {
  return (gate, { cwd, copy, ...rest }, signal) => {
    const roots = [...new Set([...rootsOf(deps.root), ...rootsOf(cwd)])];
    const inRoot = (root: string): CommandPlace => ({
      // What was borrowed is named by the path it has in the task's tree.
      request: { ...rest, cwd: root, roots: [...rootsOf(root), ...roots] },
      deps: { ...deps, environment: environmentAt(deps.environment, roots, root) },
    });
    return check(gate, copy.root().then(inRoot), signal);
  };
}
