// How does a fact become part of the run, and where in it does an action take place?

import type { RunEvent, Workspace } from "../core/model/event.ts";
import { reduce } from "../core/run/reduce.ts";
import type { RunState, AttemptState, TaskState } from "../core/model/state.ts";
import type { EventStore, View } from "./ports.ts";
import { invariant } from "../core/model/assert.ts";
import type { TaskId } from "../core/model/ids.ts";
import { currentStep, lastAttempt, taskOf } from "../core/run/select.ts";
import type { Step } from "../core/model/task.ts";

/**
 * The run's state and the one way to change it: append a fact, fold it, show it.
 *
 * Appends queue up behind each other, so that a condition on the state still holds when its facts
 * are written.
 */
export class Log {
  #state: RunState;
  #last: Promise<unknown> = Promise.resolve();
  readonly #store: EventStore;
  readonly #view: View;
  /** By task: hands what a person says to the agent at work. */
  readonly takers = new Map<TaskId, (words: string) => void>();
  /** Where what a running session recorded makes something due. */
  stir: () => void = () => undefined;

  constructor(state: RunState, store: EventStore, view: View) {
    this.#state = state;
    this.#store = store;
    this.#view = view;
  }

  get state(): RunState {
    return this.#state;
  }

  /**
   * Resolves when the facts are durable: only then may anything happen because of them. Where several processes
   * write one log, what others wrote is in the state, too; without facts of its own this only takes that in.
   */
  async append(...events: readonly RunEvent[]): Promise<void> {
    await this.appendWhen(() => true, ...events);
  }

  /** As `append`, but only where the state still allows it when its turn comes; tells whether it did. */
  async appendWhen(
    allows: (state: RunState) => boolean,
    ...events: readonly RunEvent[]
  ): Promise<boolean> {
    const turn = this.#last.then(() => this.#write(allows, events));
    // A failed write rejects for its own caller, not for everyone behind it in the queue.
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #write(
    allows: (state: RunState) => boolean,
    events: readonly RunEvent[],
  ): Promise<boolean> {
    if (!allows(this.#state)) return false;
    const recorded = await this.#store.append(events);
    this.#state = recorded.reduce(reduce, this.#state);
    this.#view.recorded(recorded, this.#state);
    return true;
  }
}

/** Where a task is: its step, attempt and tree, for an action inside an attempt. */
export interface Place {
  readonly task: TaskState;
  readonly step: Step;
  readonly attempt: AttemptState;
  readonly workspace: Workspace;
  /** The three ids every event of an attempt carries. */
  readonly at: { readonly task: TaskId; readonly step: Step["id"]; readonly attempt: number };
}

/** A task that began, and where it works. */
export function treeOf(log: Log, id: TaskId): Pick<Place, "task" | "workspace"> {
  const task = taskOf(log.state, id);
  const { workspace } = task;
  invariant(workspace !== null, `task ${id} has a workspace`);
  return { task, workspace };
}

export function placeOf(log: Log, id: TaskId): Place {
  const { task, workspace } = treeOf(log, id);
  const { step, at } = currentStep(task);
  const attempt = lastAttempt(at);
  invariant(attempt !== null, `task ${id} is inside an attempt`);
  return { task, step, attempt, workspace, at: { task: id, step: step.id, attempt: attempt.n } };
}
