// What do the attempts of a task add up to?

import type { Score } from "./signals.ts";

/** How often in a row the same trouble was seen; cleared by progress, a new plan, or a person. */
export interface Streaks {
  readonly sameFailure: number;
  readonly lastFingerprint: string | null;
  readonly lastFailing: number | null;
  /** The fewest failing checks since the streaks were cleared; null: not counted yet. */
  readonly fewestFailing: number | null;
  /** Failing attempts in a row that did not get below it. */
  readonly noFewer: number;
  /** The same, with no other verdict in between. */
  readonly anyFailure: number;
  readonly unknownGate: number;
  readonly noChange: number;
  /** Attempts that brought no progress, and whose gates were evaluated or not. */
  readonly noProgress: number;
  /** Sessions without a single tool call and without a change. */
  readonly toolless: number;
  readonly timedOut: number;
  /** Attempts in a row that ended in the same way, where the ending is a fact of its own; null: the last one did not. */
  readonly ending: string | null;
  readonly endings: number;
  readonly crashed: number;
  /** Retries in a row after the provider failed for the same cause. */
  readonly providerTries: number;
  readonly providerCause: string | null;
  readonly stuckHandoffs: number;
  readonly lastResumePoint: string | null;
}

/** The states a task was in: verdicts, failing checks and tree together. Over all its plans. */
export interface Visited {
  /** Identities in the order of the first visit; bounded. */
  readonly states: readonly string[];
  /** null: no state is known yet. */
  readonly last: string | null;
  /** How often the task came back to a state it had left. */
  readonly returns: number;
}

/** What an attempt adds up to in the counters of its task, computed when it is decided. */
export interface Tally {
  /** False where the world failed, not the work: such an attempt uses up nothing. */
  readonly counted: boolean;
  /** It got further than the attempts before. */
  readonly progressed: boolean;
  /** Identity of the failure; null where nothing failed. */
  readonly fingerprint: string | null;
  /** As they stand now. */
  readonly streaks: Streaks;
  /** Identity of the state the task is in; null: unknown. */
  readonly visited: string | null;
  readonly score: Score;
}
