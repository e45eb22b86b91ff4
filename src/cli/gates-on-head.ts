// What do gates say of the last commit, before anybody works on it?

import { resultOf } from "../core/model/measurement.ts";
import type { GateSpec } from "../core/model/task.ts";
import type { GateResult } from "../core/model/verdict.ts";
import { isLong, saysTheSame } from "../core/run/wanted.ts";
import { findRepository } from "../workspace/git/find-repository.ts";
import { gitAsk } from "../workspace/git/git.ts";
import { measuredWithoutRun, type WithoutRun } from "./running/without-run.ts";

export interface GateOnHead {
  readonly result: GateResult;
  /** It says the same of sources that nothing can read. */
  readonly isBlind: boolean;
  /** It took too long for that. */
  readonly isUntried: boolean;
}

/** Runs each gate on the last commit, or, where there is none, in the folder itself; then with its sources unreadable. */
export async function* gatesOnHead(
  gates: readonly GateSpec[],
  { settings, ...place }: Pick<WithoutRun, "root" | "env" | "settings" | "signal" | "deep">,
): AsyncGenerator<GateOnHead> {
  const git = await findRepository(place.root, place.env);
  const base = git && (await gitAsk(git, ["rev-parse", "--verify", "-q", "HEAD"]));
  for (const gate of gates) {
    const { baseline, trials } = await measuredWithoutRun({
      ...place,
      settings: { ...settings, gates: [{ ...gate, required: true }] },
      base,
      work: null,
      fresh: true,
      recorded: () => {},
    });
    for (const one of baseline) {
      const isBlind = trials.some((trial) => saysTheSame(one, trial));
      const isUntried = isLong(one) && trials.length === 0;
      yield { result: { ...resultOf(one), required: gate.required }, isBlind, isUntried };
    }
  }
}
