// What hints that a task is uncertain, and how much does each weigh?

/**
 * Policy section 7. A signal's weight is what it adds when it fires; its sentence is what a person
 * reads. The only place where these numbers stand.
 */
export const SIGNALS = {
  declared_open_question_major: {
    weight: 3,
    sentence: "the agent lists a question that changes behaviour, data, interface or security",
  },
  declared_open_question_minor: { weight: 1, sentence: "the agent lists another question" },
  declared_low_confidence: { weight: 2, sentence: "the agent's stated confidence is below 0.5" },
  ambiguous_target: { weight: 3, sentence: "one reference of the task fits two or more files" },
  missing_files: { weight: 2, sentence: "the task names an input that does not exist" },
  conflicting_signals: { weight: 3, sentence: "gates and claim disagree, or two sources do" },
  verification_inconclusive: { weight: 1, sentence: "a gate gave no verdict" },
  verification_inconclusive_again: {
    weight: 3,
    sentence: "a gate gave no verdict twice or more in a row",
  },
  timeout_unclear: { weight: 2, sentence: "a session timed out and left nothing" },
  no_tool_calls: {
    weight: 4,
    sentence: "two sessions in a row without a tool call or a changed file",
  },
  repeated_failure: { weight: 5, sentence: "the same failure was seen three times" },
  no_progress: { weight: 4, sentence: "three attempts without progress" },
  integrity_alarm: { weight: 5, sentence: "the proof itself was tampered with" },
  hesitation_words: { weight: 0, sentence: "doubt words in prose" },
} as const satisfies Record<string, { readonly weight: number; readonly sentence: string }>;

export type SignalId = keyof typeof SIGNALS;

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

const WEIGHTS: Weights = {
  declared_open_question_major: SIGNALS.declared_open_question_major.weight,
  declared_open_question_minor: SIGNALS.declared_open_question_minor.weight,
  declared_low_confidence: SIGNALS.declared_low_confidence.weight,
  ambiguous_target: SIGNALS.ambiguous_target.weight,
  missing_files: SIGNALS.missing_files.weight,
  conflicting_signals: SIGNALS.conflicting_signals.weight,
  verification_inconclusive: SIGNALS.verification_inconclusive.weight,
  verification_inconclusive_again: SIGNALS.verification_inconclusive_again.weight,
  timeout_unclear: SIGNALS.timeout_unclear.weight,
  no_tool_calls: SIGNALS.no_tool_calls.weight,
  repeated_failure: SIGNALS.repeated_failure.weight,
  no_progress: SIGNALS.no_progress.weight,
  integrity_alarm: SIGNALS.integrity_alarm.weight,
  hesitation_words: SIGNALS.hesitation_words.weight,
};

export const DEFAULT_UNCERTAINTY: UncertaintyPolicy = {
  enabled: true,
  threshold: null,
  autoSkipThreshold: 10,
  interactive: true,
  weights: WEIGHTS,
};

/** Policy section 7: words in prose never weigh more, whatever the config says. */
export const HESITATION_WEIGHT_MAX = 1;

/** null: not at this level. */
export interface ScoreLimits {
  /** From where a person is asked. */
  readonly asksFrom: number | null;
  /** From where, with nobody to ask, a new plan is made, once. */
  readonly replansFrom: number | null;
  /** From where, with nobody to ask, the task is skipped. */
  readonly skipsFrom: number | null;
}
