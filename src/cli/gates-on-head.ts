// What do gates say of the last commit, before anybody works on it?

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Confine } from "../adapters/process/confine.ts";
import { createRedactor } from "../adapters/redact.ts";
import type { Settings } from "../core/model/settings.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";
import { findRepository } from "../workspace/git/find-repository.ts";
import { headOf } from "../workspace/git/branch.ts";
import { gitAsk } from "../workspace/git/git.ts";
import { gatesIn, placesIn } from "./running/context.ts";

interface Place {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Pick<Settings, "worktree">;
  readonly confine: Confine;
  readonly signal: AbortSignal;
}

/**
 * Runs each gate once, on the last commit, or, where there is none, in the folder itself.
 */
export async function* gatesOnHead(
  gates: readonly GateSpec[],
  { root, env, settings, confine, signal }: Place,
): AsyncGenerator<GateResult> {
  const git = await findRepository(root, env);
  const commit = git === null ? null : await gitAsk(git, ["rev-parse", "--verify", "-q", "HEAD"]);
  const tree = git && (await gitAsk(git, ["rev-parse", "--verify", "-q", "HEAD^{tree}"]));
  const { branch } = git === null || commit === null ? { branch: null } : await headOf(git);
  const checkout =
    commit === null || tree === null ? null : { commit, tree, branch: branch ?? "orch/gates" };
  const redact = createRedactor(env);
  const logs = mkdtempSync(join(tmpdir(), "orch-gates-"));
  const places = placesIn({ root, env, redact, settings: settings.worktree }, { confine, logs });
  const runner = gatesIn({ root, env, redact }, { confine, places });
  try {
    for (const gate of gates) {
      const logPath = join(logs, `${gate.name}.log`);
      const request = { checkout, cwd: root, logPath, variables: {}, isBase: true };
      const { result } = await runner.measure(
        gate,
        { ...request, isOriginal: false, beside: [] },
        signal,
      );
      yield result;
    }
  } finally {
    await places.close();
    rmSync(logs, { recursive: true, force: true });
  }
}
