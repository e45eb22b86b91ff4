// Did the task come back to a state it had already left?

import { shortHash } from "../model/short-hash.ts";
import type { Evidence } from "../model/evidence.ts";
import type { FailureIdentity } from "../../readers/failure/fingerprint.ts";
import type { Visited } from "../model/state.ts";

export const NOWHERE: Visited = { states: [], last: null, returns: 0 };

const STATES_MAX = 200;

/**
 * Policy section 12: the verdict of each gate, the failing checks and the tree together. null: the
 * tree was not measured, and nobody can say where the task is.
 */
export function stateIdentity(
  { gates, tree }: Pick<Evidence, "gates" | "tree">,
  failure: FailureIdentity | null,
): string | null {
  if (tree.kind === "not-measured") return null;
  const verdicts = gates.map(({ name, verdict }) => [name, verdict.kind]);
  return shortHash(JSON.stringify([verdicts, failure?.fp ?? null, tree.tree]));
}

/** To stay where one is is no return; the streaks of no change see to that. */
export function afterVisit(before: Visited, state: string | null): Visited {
  if (state === null || state === before.last) return before;
  const known = before.states.includes(state);
  return {
    states: known ? before.states : [...before.states, state].slice(-STATES_MAX),
    last: state,
    returns: before.returns + (known ? 1 : 0),
  };
}
