// Which of the agents that may work on a step can, and when does one take over?

import type { RunEvent } from "../model/event.ts";
import type { Outages } from "../model/state.ts";

/** Who works on a step, and who else may. */
export interface Team {
  /** Of the session that is decided on. */
  readonly present: string;
  /** In the order in which they are preferred. */
  readonly others: readonly string[];
  readonly outages: Outages;
}

export function isAvailable(outages: Outages, agent: string, nowMs: number): boolean {
  const untilMs = Object.hasOwn(outages, agent) ? outages[agent] : 0;
  return typeof untilMs === "number" && untilMs <= nowMs;
}

/** The first of the others that can work; null: none. */
export function successorIn({ others, outages }: Team, nowMs: number): string | null {
  return others.find((agent) => isAvailable(outages, agent, nowMs)) ?? null;
}

/** When the first of all that have a limit can work again; null: nobody knows. */
export function soonestReset({ others, outages }: Team, resetAtMs: number | null): number | null {
  const resets = [resetAtMs, ...others.map((agent) => outages[agent] ?? null)];
  const moments = resets.filter((one) => one !== null);
  return moments.length === 0 ? null : Math.min(...moments);
}

/** With what a decision says of the agent whose session it follows: the limit of one is that of all tasks. */
export function outagesAfter(outages: Outages, event: RunEvent, agent: string | null): Outages {
  if (event.type === "run-resumed")
    return Object.fromEntries(Object.entries(outages).filter(([, untilMs]) => untilMs !== null));
  if (event.type !== "decided" || event.decision.kind !== "continue") return outages;
  const { how } = event.decision;
  if (how.kind === "fail-over") return { ...outages, [how.from]: how.untilMs };
  return how.kind === "wait" && how.stated && agent !== null
    ? { ...outages, [agent]: how.untilMs }
    : outages;
}
