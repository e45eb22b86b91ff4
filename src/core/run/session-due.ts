// Which agent gets the next session of a step, and in which conversation?

import { isAvailable } from "../decide/team.ts";
import type { SessionStart } from "../model/event.ts";
import type { RunState, TaskState } from "../model/state.ts";
import { agentsOf, allSessions, conversationOf, currentStep } from "./select.ts";

export interface SessionDue {
  readonly agent: string;
  /** null: the agent's own. Another agent does not know the names of the first one's models. */
  readonly model: string | null;
  readonly start: SessionStart;
  /** The agent that worked on the step before; null: none, or the same. */
  readonly successorOf: string | null;
}

/**
 * The first agent of the step that can work. What goes on in a conversation stays with its agent, if
 * that one can; findings go to the preferred agent again, once it can. Another agent begins afresh.
 */
export function sessionDue(
  { outages }: RunState,
  task: TaskState,
  start: SessionStart,
  nowMs: number,
): SessionDue {
  const { step, at } = currentStep(task);
  const team = agentsOf(step);
  const isUp = (agent: string): boolean => isAvailable(outages, agent, nowMs);
  const stays =
    start.kind === "deliver" || (start.kind === "follow-up" && start.why !== "feedback");
  const talking = start.kind === "fresh" ? null : agentOf(task, start.sessionId);
  const before = at.attempts.flatMap(({ sessions }) => sessions).at(-1)?.agent ?? null;
  const isKept = talking !== null && team.includes(talking) && stays && isUp(talking);
  const agent = isKept ? talking : (team.find(isUp) ?? before ?? step.agent);
  return {
    agent,
    model: agent === step.agent ? step.model : null,
    start: talking === null || talking === agent ? start : { kind: "fresh" },
    successorOf: before === agent ? null : before,
  };
}

function agentOf(task: TaskState, conversation: string): string | null {
  const session = allSessions(task).findLast((one) => conversationOf(one) === conversation);
  return session?.agent ?? null;
}
