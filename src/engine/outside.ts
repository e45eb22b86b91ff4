// What stands around the loop?

import type { Stop } from "./interrupt.ts";
import type {
  Agents,
  AnswerSource,
  AttemptFiles,
  Clock,
  EventStore,
  Gates,
  Human,
  ModelJudge,
  Orphans,
  TaskSource,
  View,
  Workspaces,
} from "./ports.ts";

/** Everything the loop needs from outside. */
export interface Outside {
  readonly agents: Agents;
  readonly store: EventStore;
  readonly workspaces: Workspaces;
  readonly gates: Gates;
  /** null: no second model is to be asked. */
  readonly judge: ModelJudge | null;
  readonly human: Human;
  /** null: no answers were given in advance. */
  readonly prepared: AnswerSource | null;
  readonly files: AttemptFiles;
  readonly orphans: Orphans;
  readonly source: TaskSource;
  readonly clock: Clock;
  readonly view: View;
  readonly stop: Stop;
  /** Without a terminal: keep the process until an answer arrives by any channel. */
  readonly waits: boolean;
}
