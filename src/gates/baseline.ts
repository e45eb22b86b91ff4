// What does a gate say of the tree the task began with?

import { dirname } from "node:path";

import { relocate } from "../core/model/relocate.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";
import type { Gates } from "../engine/ports.ts";
import { rootsOf } from "./command-gate.ts";
import type { CommandGateDeps, CommandRequest } from "./command-gate.ts";

type Check = (
  gate: GateSpec,
  request: CommandRequest,
  deps: CommandGateDeps,
  signal: AbortSignal,
) => Promise<GateResult>;

/** More than the gates of a run have names; each is a few kilobytes. */
const KEPT_MAX = 200;

/** One run of each gate on each tree, however many attempts ask for it. */
export function createBaseline(inCopy: Gates["checkCopy"]): Gates["checkBase"] {
  const known = new Map<string, GateResult>();
  return async (gate, { cwd, logPath, copy }, signal) => {
    const key = JSON.stringify([copy.tree, gate]);
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const result = await inCopy(gate, { cwd, logPath, copy }, signal);
    if (known.size >= KEPT_MAX) known.clear();
    // A run that orch itself stopped has said nothing.
    if (!signal.aborted) known.set(key, result);
    return result;
  };
}

/** What names the task's tree is led to the copy instead. */
export function checkerOfCopies(deps: CommandGateDeps, check: Check): Gates["checkCopy"] {
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
