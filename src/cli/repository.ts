// In which repository, and with which run, does a command work that changes none of it?

import { readLog, requireLog } from "../adapters/log/event-log.ts";
import type { RunFiles } from "../adapters/log/run-files.ts";
import type { RunState } from "../core/model/state.ts";
import { fold } from "../core/run/reduce.ts";
import { OrchError } from "../errors.ts";
import { findRepository } from "../workspace/find-repository.ts";
import { type Git } from "../workspace/git.ts";
import type { CliIo } from "./io.ts";

/** The repository that the command was called in. */
export async function requireRepository({ cwd, env }: CliIo): Promise<Git> {
  const git = await findRepository(cwd, env);
  if (git !== null) return git;
  throw new OrchError(
    "not-a-repository",
    `${JSON.stringify(cwd)} is in no git repository`,
    "run the command in the checkout that the run belongs to",
  );
}

/** All that is known of a run, from its log. */
export function stateOf({ log }: RunFiles): RunState {
  return fold(requireLog(log, readLog(log)).events);
}
