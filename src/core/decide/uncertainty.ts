// How uncertain is a task, and what should be done about it?

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

/** Policy section 8. Level 0 never asks; what is done instead begins where level 3 would ask. */
const ASK_FROM = { 0: null, 1: 10, 2: 8, 3: 5, 4: 4, 5: 3 } as const satisfies Record<
  number,
  number | null
>;
/** The interaction levels, from the table: the policy holds this file\'s settings, not the other way round. */
type Level = keyof typeof ASK_FROM;
const ACT_FROM = 5;

/** A second unknown verdict in a row counts instead of the first, not beside it. */
const REPLACES: Partial<Readonly<Record<SignalId, SignalId>>> = {
  verification_inconclusive_again: "verification_inconclusive",
};

/** Doubt is one thing, however often and in whatever words it is said. */
const ONE_SUBJECT: Partial<Readonly<Record<SignalId, string>>> = { hesitation_words: "prose" };

const PARTS_MAX = 200;
const SUBJECT_CHARS_MAX = 200;
const DETAIL_CHARS_MAX = 300;

export function total(score: Score): number {
  return score.parts.reduce((sum, part) => sum + part.weight, 0);
}

/** Each pair of signal and subject counts once in a task, at the weight it had when it was new. */
export function addSignals(
  score: Score,
  signals: readonly Signal[],
  policy: UncertaintyPolicy,
): Score {
  if (!policy.enabled) return score;
  const parts = signals.reduce(
    (known, signal) => withSignal(known, signal, policy.weights),
    score.parts,
  );
  return { ...score, parts };
}

export function afterProgress(score: Score): Score {
  return { ...score, parts: halved(score.parts) };
}

/** A person spoke: whatever was unclear until then is settled. */
export function afterAnswer(score: Score): Score {
  return { ...score, parts: score.parts.map((part) => ({ ...part, weight: 0 })) };
}

export function afterReplan(score: Score): Score {
  return { parts: halved(score.parts), replanned: true };
}

export type ScoreAction =
  | { readonly kind: "nothing" }
  | { readonly kind: "ask"; readonly threshold: number }
  | { readonly kind: "replan"; readonly threshold: number }
  | { readonly kind: "skip"; readonly threshold: number };

const NOTHING: ScoreAction = { kind: "nothing" };

/**
 * A person is asked where one can be. Where none can, a high score earns one new plan, then the
 * task goes on as it is, until the score says that going on would be guessing.
 */
export function scoreAction(
  score: Score,
  policy: UncertaintyPolicy,
  level: Level,
  askingIsPossible: boolean,
): ScoreAction {
  if (!policy.enabled || isDoubtAlone(score)) return NOTHING;
  const sum = total(score);
  const threshold = policy.threshold ?? ASK_FROM[level] ?? ACT_FROM;
  if (level > 0 && policy.interactive && askingIsPossible) {
    return sum >= threshold ? { kind: "ask", threshold } : NOTHING;
  }
  if (sum >= policy.autoSkipThreshold) return { kind: "skip", threshold: policy.autoSkipThreshold };
  return sum >= threshold && !score.replanned ? { kind: "replan", threshold } : NOTHING;
}

/** null: not at this level. */
export interface ScoreLimits {
  /** From where a person is asked. */
  readonly asksFrom: number | null;
  /** From where, with nobody to ask, a new plan is made, once. */
  readonly replansFrom: number | null;
  /** From where, with nobody to ask, the task is skipped. */
  readonly skipsFrom: number | null;
}

/** Where `scoreAction` acts at this level; null: it does not, in this way. */
export function scoreLimits(policy: UncertaintyPolicy, level: Level): ScoreLimits {
  if (!policy.enabled) return { asksFrom: null, replansFrom: null, skipsFrom: null };
  const threshold = policy.threshold ?? ASK_FROM[level] ?? ACT_FROM;
  if (level === 0 || !policy.interactive)
    return { asksFrom: null, replansFrom: threshold, skipsFrom: policy.autoSkipThreshold };
  return { asksFrom: threshold, replansFrom: null, skipsFrom: null };
}

/** Also where a config puts the threshold as low as a single word. */
function isDoubtAlone(score: Score): boolean {
  return score.parts.every((part) => part.signal === "hesitation_words" || part.weight === 0);
}

function withSignal(
  parts: readonly ScorePart[],
  signal: Signal,
  weights: Weights,
): readonly ScorePart[] {
  const subject = (ONE_SUBJECT[signal.signal] ?? signal.subject).slice(0, SUBJECT_CHARS_MAX);
  const isKnown = parts.some(
    (part) =>
      part.subject === subject &&
      (part.signal === signal.signal || REPLACES[part.signal] === signal.signal),
  );
  if (isKnown) return parts;
  const replaced = REPLACES[signal.signal];
  const others = parts.filter((part) => part.signal !== replaced || part.subject !== subject);
  if (others.length >= PARTS_MAX) return parts;
  const detail = signal.detail.slice(0, DETAIL_CHARS_MAX);
  const before = parts.find((part) => part.signal === replaced && part.subject === subject);
  // A weight set below the one it replaces must not make a second unknown verdict count for less.
  const weight = Math.max(weightOf(signal.signal, weights), before?.weight ?? 0);
  return [...others, { signal: signal.signal, subject, weight, detail }];
}

function weightOf(signal: SignalId, weights: Weights): number {
  const weight = weights[signal];
  // Also for NaN: a weight that is no number adds nothing, rather than making the sum none.
  if (!(weight > 0)) return 0;
  return signal === "hesitation_words" ? Math.min(weight, HESITATION_WEIGHT_MAX) : weight;
}

function halved(parts: readonly ScorePart[]): readonly ScorePart[] {
  return parts.map((part) => ({ ...part, weight: Math.floor(part.weight / 2) }));
}
