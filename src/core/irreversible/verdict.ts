// What becomes of an act that cannot be taken back: is a person asked, or is it refused?

import { unaskedAnswer, type Asking } from "../asking.ts";
import type { AskedQuestion, UnaskedQuestion } from "../session.ts";
import { ACTION_WORDS } from "./action.ts";
import type { FoundAction } from "./find.ts";

export type ActionVerdict =
  | { readonly kind: "allow" }
  /** A person is to decide. */
  | { readonly kind: "ask" }
  /** `unasked` is what goes on record where a person could have been asked; null: one was. */
  | { readonly kind: "refuse"; readonly reason: string; readonly unasked: UnaskedQuestion | null };

const LEAVE = "Allow it";
const NO_LEAVE = "Refuse it";

/** What an agent is told of an act that nobody allowed; fixed words, which agents may expect. */
export const NO_LEAVE_GIVEN =
  "This cannot be undone, or others would see it, and no one is available to allow it. Leave it " +
  "undone, go on with what does not need it, and say in your report what is left for a person to do.";

/** The same for people, in the record of what nobody was asked. */
const REFUSED = "refused: no one was available to allow it";

/** The question that a person is asked. The same command makes the same question. */
export function actionQuestion({ action, command }: FoundAction): Omit<AskedQuestion, "toolUseId"> {
  return {
    question: `May the agent ${ACTION_WORDS[action]}? ${command}`,
    options: [LEAVE, NO_LEAVE],
    default: NO_LEAVE,
    impact: "blocking",
    context: `It cannot be undone, or others see it. A task with "allow: [${action}]" is not asked.`,
    expiresInMs: null,
  };
}

/**
 * Policy section 8: refused at level 0, a person's to decide above. Leave that was given or refused
 * in this task counts for the very same command again.
 */
export function actionVerdict(found: FoundAction, asking: Asking): ActionVerdict {
  const { question, impact } = actionQuestion(found);
  const earlier = asking.answered.findLast((one) => one.question === question);
  if (earlier !== undefined) return verdictBy(earlier.answer);
  // Only the very same words are the same act: what is merely like it was not allowed with it.
  const unasked = unaskedAnswer({ ...asking, answered: [] }, { question, impact });
  if (unasked === null) return { kind: "ask" };
  return {
    kind: "refuse",
    reason: NO_LEAVE_GIVEN,
    unasked: { ...unasked, answer: REFUSED },
  };
}

const YES = /^(?:allow(?: it)?|yes|y|ok|okay|go ahead|do it)[.!]?$/i;

/** Leave is given in so many words; everything else is an answer, and no leave. */
export function verdictBy(answer: string): Exclude<ActionVerdict, { kind: "ask" }> {
  const said = answer.trim();
  if (YES.test(said)) return { kind: "allow" };
  const words = said === "" || said === NO_LEAVE ? "" : ` They said: ${said}`;
  const reason = `A person did not allow this.${words} Leave it undone, and go on.`;
  return { kind: "refuse", reason, unasked: null };
}
