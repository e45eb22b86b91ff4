// Does a closing text ask what only a person can answer?

import { asksAt } from "../../core/model/level.ts";
import type { Level } from "../../core/model/level.ts";
import type { Impact } from "../../core/model/report.ts";
import { phrases } from "../match/phrases.ts";
import type { Prose, Sentence } from "./prose.ts";
import { QUESTION_ROWS } from "./question-rows.ts";

export interface Asked {
  readonly impact: Impact;
  /** Which row graded it. */
  readonly row: string;
  /** As the agent wrote it. */
  readonly question: string;
}

/** The weightiest question of the ending; null: it asks nothing that is worth a person's time. */
export function questionOf(prose: Prose): Asked | null {
  const asked = questions(prose).flatMap((sentence) => graded(sentence, prose));
  return asked.reduce<Asked | null>(
    (top, one) => (top === null || levelOf(one.impact) < levelOf(top.impact) ? one : top),
    null,
  );
}

const LEVELS = [1, 2, 3, 4, 5] as const;

/** The lowest level that asks. */
export function levelOf(impact: Impact): Level {
  return LEVELS.find((level) => asksAt(level, impact)) ?? 5;
}

const DECIDER = "someone|somebody|you|person|owner|team|author|maintainer*";

/** Words that ask without a question mark. */
const IMPERATIVE = phrases`
  please|kindly confirm|decide|advise|clarify|tell+me|choose|pick|specify|answer,
  let me know which|what|how|who,
  need|await*|waiting+for|wait+for|require @? further?
  decision|answer|input|clarification|guidance,
  need|await*|waiting+for|wait+for|require @? further? direction|ruling|choice|instruction*,
  ${DECIDER} has+to|have+to|must|need+to|needs+to|should
  decide|choose|clarify|say|pick|settle|tell,
  is|are a? product|business|design|your decision|call|choice,
  decision|clarification|input is? needed|required`;

const COURTESY = phrases`
  let+me+know|tell+me|say|shout|ping+me|feel+free|reach+out|happy+to|glad+to .. if|should|when,
  let+me+know|feel+free|reach+out|happy+to|glad+to .. to ask|adjust|change|reach,
  if you|you'd would? like|want|prefer|need|have, if needed|desired|anything|there,
  unless you|told|someone|there`;

/** The agent answered itself: a choice that is made and written down is no question any more. */
const DECIDED = phrases`
  i|i've have?
  went+with|chose|chosen|picked|decided|settled|opted|assumed|defaulted|kept|took|used,
  i|i'll will? go|use|keep|assume|take|continue|proceed|treat|pick, for now i|it|the,
  defaulted to, in the meantime, my assumption, going with,
  documented the|this|that assumption|choice|decision`;

const OPENING =
  "and|also|finally|so|but|question|open question|quick question|one (?:more |last )?question";
const POLITE = [
  new RegExp(`^(?:${OPENING})(?: for you)?[:,]? `),
  /^(?:(?:can|could|would|will) you |please )+(?:clarify|confirm|explain|specify|tell me|elaborate|say|describe|advise|decide)(?: on)? /,
  /^(?:do you know|any idea|any guidance on|i (?:wonder|need to know|would like to know|want to ask)) /,
  /^(?:whether|if|on) /,
];

/** A question that this many sentences leave behind was asked of the reader, not of a person. */
const TRAILING_SENTENCES_MAX = 3;

function questions({ sentences }: Prose): readonly Sentence[] {
  const last = sentences.findLastIndex(isQuestion);
  const after = sentences.slice(last + 1);
  if (after.some(({ own }) => DECIDED.test(own))) return [];
  const trails = after.filter(({ own }) => !COURTESY.test(own));
  return trails.length > TRAILING_SENTENCES_MAX ? [] : sentences.filter(isQuestion);
}

function isQuestion({ own }: Sentence): boolean {
  return own.endsWith("?") || (IMPERATIVE.test(own) && !COURTESY.test(own));
}

function graded(sentence: Sentence, prose: Prose): readonly Asked[] {
  const bare = POLITE.reduce((text, polite) => text.replace(polite, ""), sentence.own);
  const fits = QUESTION_ROWS.find(
    ({ asks, where, unless }) =>
      asks.every((one) => one.test(bare)) &&
      where?.test(prose.own) !== false &&
      unless?.test(bare) !== true,
  );
  if (fits === undefined || fits.impact === null) return [];
  return [{ impact: fits.impact, row: fits.id, question: sentence.said }];
}
