// What do gates say of the last commit, before anybody works on it?

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Confine } from "../adapters/process/confine.ts";
import { createRedactor } from "../adapters/redact.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";
import { createBaseCopies, type BaseCopy } from "../workspace/proof/base-copy.ts";
import { findRepository } from "../workspace/git/find-repository.ts";
import { gitAsk, type Git } from "../workspace/git/git.ts";
import { gatesIn } from "./running/context.ts";

interface Place {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly confine: Confine;
  readonly signal: AbortSignal;
}

/**
 * Runs each gate once, in a copy of the last commit, or, where there is none, in the folder itself. What
 * is known of the same commit from before is not run again.
 */
export async function* gatesOnHead(
  gates: readonly GateSpec[],
  { root, env, confine, signal }: Place,
): AsyncGenerator<GateResult> {
  const git = await findRepository(root, env);
  const tree = git && (await gitAsk(git, ["rev-parse", "--verify", "-q", "HEAD^{tree}"]));
  const runner = gatesIn({ root, env, redact: createRedactor(env) }, confine);
  const logs = mkdtempSync(join(tmpdir(), "orch-gates-"));
  const copies: Promise<BaseCopy>[] = [];
  const copyOf = (of: Git, base: string) =>
    (copies[0] ??= createBaseCopies(tmpdir()).make(of, base));
  try {
    for (const gate of gates) {
      const logPath = join(logs, `${gate.name}.log`);
      const request = { cwd: root, logPath, variables: {}, isBase: true };
      if (git === null || tree === null) yield await runner.check(gate, request, signal);
      else {
        const copy = { tree, beside: [], root: async () => (await copyOf(git, tree)).root };
        yield await runner.checkBase(gate, { ...request, copy }, signal);
      }
    }
  } finally {
    for (const copy of copies) await (await copy).remove();
    rmSync(logs, { recursive: true, force: true });
  }
}
