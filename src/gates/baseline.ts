// What does a gate say of the tree the task began with?

import { dirname } from "node:path";

import { relocate } from "../core/model/relocate.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";
import type { BaseGateRequest, Gates } from "../engine/ports.ts";
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
export function createBaseline(deps: CommandGateDeps, check: Check): Gates["checkBase"] {
  const known = new Map<string, GateResult>();
  return async (gate, request, signal) => {
    if (!isComparable(gate)) return null;
    const key = JSON.stringify([request.copy.tree, gate]);
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const result = await checkCopy(gate, request, { deps, check }, signal);
    // A run that orch itself stopped has said nothing.
    if (signal.aborted) return result;
    for (const oldest of known.keys()) if (known.size >= KEPT_MAX) known.delete(oldest);
    known.set(key, result);
    return result;
  };
}

/** A file to be written, or checks to go red, are what the step is for: before it, they are not there. */
function isComparable(gate: GateSpec): boolean {
  return gate.kind === "command" && gate.expect === "pass";
}

interface Running {
  readonly deps: CommandGateDeps;
  readonly check: Check;
}

async function checkCopy(
  gate: GateSpec,
  { cwd, logPath, copy }: BaseGateRequest,
  { deps, check }: Running,
  signal: AbortSignal,
): Promise<GateResult> {
  const roots = [...new Set(rootsOf(cwd))];
  const inCopy: CommandGateDeps = {
    environment: environmentOf(deps.environment, roots, copy.root),
    redact: (text) => deps.redact(text),
  };
  // What was borrowed is named by the path it has in the task's tree.
  const names = [...rootsOf(copy.root), ...roots];
  return check(gate, { cwd: copy.root, logPath, roots: names }, inCopy, signal);
}

/**
 * Whatever names the task's tree (`PATH`, `PYTHONPATH`, `INIT_CWD`) would lead the checks back into
 * it. Variables that name a repository would let git write there.
 */
function environmentOf(
  env: Readonly<Record<string, string>>,
  roots: readonly string[],
  copy: string,
): Readonly<Record<string, string>> {
  const moved = Object.entries(env).flatMap(([name, value]) =>
    REPOSITORY.has(name)
      ? []
      : [[name, roots.reduce((text, root) => relocate(text, root, copy), value)] as const],
  );
  return { ...Object.fromEntries(moved), GIT_CEILING_DIRECTORIES: dirname(copy) };
}

const REPOSITORY: ReadonlySet<string> = new Set([
  "GIT_COMMON_DIR",
  "GIT_DIR",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_PREFIX",
  "GIT_WORK_TREE",
]);
