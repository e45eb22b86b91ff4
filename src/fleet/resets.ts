// Which agents are at the limit of their plan, as any run learnt it, and what waits until it resets?

import type { Outages, RunState } from "../core/model/state.ts";
import { agentsOf, currentStep, taskOf } from "../core/run/select.ts";
import type { Action } from "../core/run/task-action.ts";
import type { Session } from "./database.ts";

/** By agent, in epoch milliseconds. */
export type Resets = Readonly<Record<string, number>>;

export async function resetsIn(session: Session): Promise<Resets> {
  const rows = await session.rows<{ agent: string; untilMs: number }>(
    `select agent, (extract(epoch from until) * 1000)::float8 as "untilMs" from resets where until > now()`,
  );
  return Object.fromEntries(rows.map(({ agent, untilMs }) => [agent, untilMs]));
}

/** For the runs of everybody who has agents of these names. */
export async function noteResets(session: Session, outages: Outages): Promise<void> {
  for (const [agent, untilMs] of Object.entries(outages))
    if (untilMs !== null)
      await session.rows(
        "insert into resets (agent, until) values ($1, $2) on conflict (agent) do update set until = excluded.until",
        [agent, new Date(untilMs)],
      );
}

/** They are followed by a session, without a look at what other runs did since. */
export const LEADS_TO_SESSION: ReadonlySet<Action["kind"]> = new Set([
  "open-task",
  "start-attempt",
  "run-session",
]);

/** When it may begin, in epoch milliseconds; 0: now, also where one of the step's agents can work. */
export function startsAtMs(state: RunState, action: Action, resets: Resets): number {
  if (action.kind === "wait") return action.untilMs;
  if (!("task" in action) || !LEADS_TO_SESSION.has(action.kind)) return 0;
  const moments = { ...resets, ...state.outages };
  const { step } = currentStep(taskOf(state, action.task));
  return Math.min(...agentsOf(step).map((agent) => moments[agent] ?? 0));
}
