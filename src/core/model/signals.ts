// What hints that a task is uncertain, and how much does each weigh?

/** What a signal adds when it fires. The only place where these numbers stand. */
const WEIGHTS = {
  declared_open_question_major: 3,
  declared_open_question_minor: 1,
  declared_low_confidence: 2,
  ambiguous_target: 3,
  missing_files: 2,
  conflicting_signals: 3,
  verification_inconclusive: 1,
  verification_inconclusive_again: 3,
  timeout_unclear: 2,
  no_tool_calls: 4,
  repeated_failure: 5,
  no_progress: 4,
  integrity_alarm: 5,
} as const satisfies Record<string, number>;

export type SignalId = keyof typeof WEIGHTS;

/** What a person reads of a signal. */
export const SIGNALS: Readonly<Record<SignalId, string>> = {
  declared_open_question_major:
    "an open question that changes behaviour, data, interface or security",
  declared_open_question_minor: "another open question",
  declared_low_confidence: "the agent's confidence is low",
  ambiguous_target: "a name in the task fits two or more files",
  missing_files: "the task names an input that does not exist",
  conflicting_signals: "two sources disagree",
  verification_inconclusive: "a gate gave no verdict",
  verification_inconclusive_again: "gates keep giving no verdict",
  timeout_unclear: "a session timed out",
  no_tool_calls: "sessions do nothing",
  repeated_failure: "the same failure",
  no_progress: "no progress",
  integrity_alarm: "the proof was tampered with",
};

export interface Signal {
  readonly signal: SignalId;
  /** A fingerprint, a path, a question: what the signal is about, so that it counts once. */
  readonly subject: string;
  readonly detail: string;
}

export type Weights = Readonly<Record<SignalId, number>>;

export interface UncertaintyPolicy {
  readonly enabled: boolean;
  /** The score from which orch acts; null: the level decides. */
  readonly threshold: number | null;
  /** With asking off: the score from which the task is skipped. */
  readonly autoSkipThreshold: number;
  /** False: nobody is ever asked because of a score. */
  readonly interactive: boolean;
  readonly weights: Weights;
}

export interface ScorePart {
  readonly signal: SignalId;
  readonly subject: string;
  /** As it counts now, after decay. */
  readonly weight: number;
  readonly detail: string;
}

export interface Score {
  /**
   * Parts that decayed to nothing stay: they are why the same observation does not count again,
   * and a log that forgot them could not explain a low score.
   */
  readonly parts: readonly ScorePart[];
  /** A new plan was made; a high score asks for one once only. */
  readonly replanned: boolean;
}

export const NO_SCORE: Score = { parts: [], replanned: false };

export const DEFAULT_UNCERTAINTY: UncertaintyPolicy = {
  enabled: true,
  threshold: null,
  autoSkipThreshold: 10,
  interactive: true,
  weights: WEIGHTS,
};

/** null: not at this level. */
export interface ScoreLimits {
  /** From where a person is asked. */
  readonly asksFrom: number | null;
  /** From where, with nobody to ask, a new plan is made, once. */
  readonly replansFrom: number | null;
  /** From where, with nobody to ask, the task is skipped. */
  readonly skipsFrom: number | null;
}
