// Do a session's last words need a person, where it left nothing else, and from which level on?

import { clip } from "../../core/model/excerpt.ts";
import { ASKED_AT, type Level } from "../../core/model/level.ts";
import { phrases } from "../match/phrases.ts";
import { actInProse, personNeeded } from "./person-needed.ts";
import { proseOf, type Prose, type Sentence } from "./prose.ts";
import { QUESTION_ROWS } from "./question-rows.ts";

export interface Closing {
  readonly text: string;
  /** All required gates passed: much that sounds like trouble then describes the work. */
  readonly proven: boolean;
  readonly level: Level;
}

export interface ClosingVerdict {
  /** At the input's level. */
  readonly needsHuman: boolean;
  /** The lowest level at which a pause is right; null: at none. */
  readonly minLevel: Level | null;
  readonly rule: ClosingRuleId;
  /** The decisive words first, as the agent wrote them; then the row of a table that read them. */
  readonly evidence: readonly string[];
}

/** In their order of precedence: among reasons that hold from the same level on, the first counts. */
export const CLOSING_RULES = {
  "prose-irreversible": "the text asks permission for what cannot be undone",
  "prose-blocker": "the text names something only a person can clear",
  "prose-refusal": "the text says no in a way that nothing milder explains",
  "prose-question": "the text asks what only a person can answer",
  "prose-silent": "nothing in the text is for a person",
} as const;

export type ClosingRuleId = keyof typeof CLOSING_RULES;

export function assessClosing({ text, proven, level }: Closing): ClosingVerdict {
  const first = reasonIn(text, proven);
  return {
    needsHuman: first !== null && level >= first.from,
    minLevel: first?.from ?? null,
    rule: first?.rule ?? "prose-silent",
    evidence: (first?.details ?? []).map((one) => clip(one, DETAIL_CHARS_MAX)),
  };
}

const DETAIL_CHARS_MAX = 500;
/** From this level on a person would rather be asked once too often than see a run go nowhere. */
const REFUSAL_FROM = 3;

interface Reason {
  readonly rule: ClosingRuleId;
  /** The lowest level at which it pauses. */
  readonly from: Level;
  readonly details: readonly string[];
}

function reasonIn(text: string, proven: boolean): Reason | null {
  const prose = proseOf(text);
  const act = actInProse(prose);
  if (act !== null) return { rule: "prose-irreversible", from: 1, details: [act] };
  const need = personNeeded(prose, proven);
  const asked = questions(prose).flatMap((sentence) => graded(sentence, prose));
  if (need !== null) {
    const { isCertain, details } = need;
    const from = isCertain ? 1 : REFUSAL_FROM;
    asked.unshift({ rule: isCertain ? "prose-blocker" : "prose-refusal", from, details });
  }
  return asked.toSorted((one, other) => one.from - other.from)[0] ?? null;
}

/** Words that ask without a question mark. */
const IMPERATIVE = phrases`
  please|kindly confirm|decide|advise|clarify|tell+me|choose|pick|specify|answer, let me know
  which|what|how|who, decision|clarification|input is? needed|required,
  need|await*|waiting+for|wait+for|require @? further?
  decision|answer|input|clarification|guidance|direction|ruling|choice|instruction*,
  someone|somebody|you|person|owner|team|author|maintainer*
  has+to|have+to|must|need+to|needs+to|should decide|choose|clarify|say|pick|settle|tell, is|are a?
  product|business|design|your decision|call|choice`;

const COURTESY = phrases`
  let+me+know|tell+me|say|shout|ping+me|feel+free|reach+out|happy+to|glad+to .. if|should|when|to,
  if you|you'd would? like|want|prefer|need|have, if needed|desired|anything|there, unless
  you|told|someone|there`;

/** "Tell me how to proceed" asks, "let me know what you think" does not. */
const ASKS_WAY = phrases`how|what|which .. proceed|continue|use|handle|follow|do`;

/** The agent answered itself: a choice that is made and written down is no question any more. */
const DECIDED = phrases`
  i|i've have? went+with|chose|chosen|picked|decided|settled|opted|assumed|defaulted|kept|took|used,
  i|i'll will? go|use|keep|assume|take|continue|proceed|treat|pick, for now i|it|the, going with,
  defaulted to, in the meantime, my assumption, documented the|this|that assumption|choice|decision`;

const POLITE = [
  /^(?:and|also|finally|so|but|(?:(?:open|quick|one (?:more |last )?))?question)(?: for you)?[:,]? /,
  /^(?:(?:can|could|would|will) you |please )+(?:clarify|confirm|explain|specify|tell me|say|describe|advise|decide)(?: on)? /,
  /^(?:do you know|any idea|any guidance on|i (?:wonder|need to know|would like to know|want to ask)) /,
  /^(?:whether|if|on) /,
];

/** A question that this many sentences leave behind was asked of the reader, not of a person. */
const TRAILING_SENTENCES_MAX = 3;

function questions({ sentences }: Prose): readonly Sentence[] {
  const last = sentences.findLastIndex(isQuestion);
  const after = sentences.slice(last + 1);
  if (after.some(({ own }) => DECIDED.test(own))) return [];
  const trails = after.filter(({ own }) => !isCourtesy(own));
  return trails.length > TRAILING_SENTENCES_MAX ? [] : sentences.filter(isQuestion);
}

function isQuestion({ own }: Sentence): boolean {
  return own.endsWith("?") || (IMPERATIVE.test(own) && !isCourtesy(own));
}

function isCourtesy(own: string): boolean {
  return COURTESY.test(own) && !ASKS_WAY.test(own);
}

function graded(sentence: Sentence, prose: Prose): readonly Reason[] {
  const bare = POLITE.reduce((text, polite) => text.replace(polite, ""), sentence.own);
  const fits = QUESTION_ROWS.find(
    ({ asks, where, unless }) =>
      asks.every((one) => one.test(bare)) &&
      where?.test(prose.own) !== false &&
      unless?.test(bare) !== true,
  );
  const { id, impact } = fits ?? { id: "", impact: null };
  if (impact === null) return [];
  return [{ rule: "prose-question", from: ASKED_AT[impact], details: [sentence.said, id] }];
}
