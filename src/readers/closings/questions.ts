// Does a closing text ask what only a person can answer?

import { asksAt } from "../../core/model/level.ts";
import type { Impact } from "../../core/model/report.ts";
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
    (top, one) => (top === null || rung(one.impact) < rung(top.impact) ? one : top),
    null,
  );
}

/** Words that ask without a question mark. */
const IMPERATIVE =
  /\b(?:(?:please|kindly) (?:confirm|decide|advise|clarify|tell me|choose|pick|specify|answer)|let me know (?:which|what|how|who)\b|(?:need|awaits?|awaiting|waiting for|wait for|require) (?:a |your |the |an |some |further |somebody's |someone's )?(?:decision|answer|input|clarification|guidance|direction|ruling|choice|instructions?)\b|(?:someone|somebody|you|a person|the (?:owner|team|author|product owner|maintainers?)) (?:has to|have to|must|needs? to|should) (?:decide|choose|clarify|say|pick|settle|tell)|(?:is|are) (?:a )?(?:product|business|design|your) (?:decision|call|choice)|(?:decision|clarification|input) (?:is )?(?:needed|required))\b/;
const COURTESY =
  /\b(?:(?:let me know|tell me|say|shout|ping me|feel free|reach out|happy to|glad to)\b.{0,20}\b(?:if|should|when|to (?:ask|adjust|change|reach))|if (?:you(?:'d| would)? (?:like|want|prefer|need|have)|needed|desired|anything|there)|unless (?:you|told|someone|there))\b/;
/** The agent answered itself: a choice that is made and written down is no question any more. */
const DECIDED =
  /\b(?:i(?:'ve| have)? (?:went with|chose|chosen|picked|decided|settled|opted|assumed|defaulted|kept|took|used)|i(?:'ll| will) (?:go|use|keep|assume|take|continue|proceed|treat|pick)|for now (?:i|it|the)|defaulted to|in the meantime|my assumption|documented (?:the|this|that) (?:assumption|choice|decision)|going with)\b/;
const POLITE =
  /^(?:(?:and|also|finally|so|but|one (?:more |last )?question|question(?: for you)?|open question|quick question)[:,]? )?(?:(?:(?:can|could|would|will) you (?:please )?|please )(?:clarify|confirm|explain|specify|tell me|elaborate(?: on)?|say|describe|advise(?: on)?|decide) (?:whether |if |on )?|(?:do you know|any idea|any guidance on|i (?:wonder|need to know|would like to know|want to ask)) (?:whether |if )?)?/;

/** A question that this many sentences leave behind was asked of the reader, not of a person. */
const TRAILING_SENTENCES_MAX = 3;

function questions({ sentences }: Prose): readonly Sentence[] {
  const asked = sentences.filter(isQuestion);
  const last = sentences.findLastIndex(isQuestion);
  const after = sentences.slice(last + 1);
  if (after.some(({ own }) => DECIDED.test(own))) return [];
  const trails = after.filter(({ own }) => !COURTESY.test(own));
  return trails.length > TRAILING_SENTENCES_MAX ? [] : asked;
}

function isQuestion({ own }: Sentence): boolean {
  return own.endsWith("?") || (IMPERATIVE.test(own) && !COURTESY.test(own));
}

function graded(sentence: Sentence, prose: Prose): readonly Asked[] {
  const bare = sentence.own.replace(POLITE, "");
  const fits = QUESTION_ROWS.find(
    ({ asks, given, not }) =>
      asks.every((one) => one.test(bare)) &&
      given?.test(prose.own) !== false &&
      not?.test(bare) !== true,
  );
  if (fits === undefined || fits.impact === null) return [];
  return [{ impact: fits.impact, row: fits.id, question: sentence.said }];
}

const RUNGS = [1, 2, 3, 4, 5] as const;

/** The lowest level that asks; past the last where none does. */
function rung(impact: Impact): number {
  return RUNGS.find((level) => asksAt(level, impact)) ?? RUNGS.length + 1;
}
