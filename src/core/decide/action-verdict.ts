// What becomes of an act that cannot be taken back: is a person asked, or is it refused?

import { visible } from "../model/excerpt.ts";
import { unaskedAnswer } from "./asking.ts";
import { type Asking } from "../model/question.ts";
import type { AskedQuestion, UnaskedQuestion } from "../model/session.ts";
import { ACTION_WORDS, ALLOW, type DetectedAct, REFUSE } from "../model/irreversible.ts";

export type ActionVerdict =
  | { readonly kind: "allow" }
  /** A person is to decide on these. */
  | { readonly kind: "ask"; readonly open: readonly [DetectedAct, ...DetectedAct[]] }
  /** `unasked` is what goes on record where a person could have been asked; null: one was. */
  | { readonly kind: "refuse"; readonly reason: string; readonly unasked: UnaskedQuestion | null };

/** Without another question. */
export type Settled = Exclude<ActionVerdict, { kind: "ask" }>;

/** What an agent is told of an act that nobody allowed; fixed words, which agents may expect. */
export const NOT_PERMITTED =
  "This cannot be undone, or others would see it, and no one is available to allow it. Leave it " +
  "undone, continue with what does not need it, and say in your report what is left for a person to do.";

/** The same for people, in the record of what nobody was asked. */
const REFUSED = "refused: no one was available to allow it";

/**
 * The question that a person is asked. The same commands in the same folders make the same question;
 * the whole call, which may do more than these, is shown beside it.
 */
export function actionQuestion(
  acts: readonly [DetectedAct, ...DetectedAct[]],
  call: string,
): Omit<AskedQuestion, "toolUseId"> {
  const names = [...new Set(acts.map(({ action }) => action))].join(", ");
  return {
    question: wordsOf(acts),
    options: [ALLOW, REFUSE],
    default: REFUSE,
    impact: "blocking",
    context: `It cannot be undone, or others see it. A task with "allow: [${names}]" is not asked.\nThe whole call:\n${visible(call)}`,
  };
}

/** An act that is too long to be read as a whole is not put to a person. */
export function canBeShown(call: string): boolean {
  return visible(call).length <= CALL_CHARS_MAX;
}

const CALL_CHARS_MAX = 12_000;

function wordsOf([only, ...others]: readonly [DetectedAct, ...DetectedAct[]]): string {
  if (others.length === 0) return `May the agent ${ACTION_WORDS[only.action]}? ${placed(only)}`;
  const all = [only, ...others].map((one) => `${ACTION_WORDS[one.action]}: ${placed(one)}`);
  return `May the agent do all of this? ${all.join("; ")}`;
}

function placed({ command, folder }: DetectedAct): string {
  if (folder.kind === "root") return command;
  const where = folder.kind === "other" ? folder.path : "a folder that the script finds out";
  return `${command} (in ${where})`;
}

/**
 * Refused at level 0, a person's to decide above. Permission that was given or refused
 * in this task counts for the very same command again. All commands of a call need it, because
 * the call is carried out as a whole.
 */
export function actionVerdict(acts: readonly DetectedAct[], asking: Asking): ActionVerdict {
  const judged = acts.map((one) => ({ one, earlier: earlierVerdict([one], asking) }));
  const refused = judged.find(({ earlier }) => earlier?.kind === "refuse")?.earlier;
  if (refused) return refused;
  const [first, ...others] = judged.flatMap(({ one, earlier }) => (earlier === null ? [one] : []));
  if (first === undefined) return { kind: "allow" };
  const open = [first, ...others] as const;
  const earlier = earlierVerdict(open, asking);
  if (earlier !== null) return earlier;
  // Only the very same words are the same act: what is merely like it was not allowed with it.
  const { question, impact } = actionQuestion(open, "");
  const unasked = unaskedAnswer({ ...asking, answered: [] }, { question, impact });
  if (unasked === null) return { kind: "ask", open };
  return { kind: "refuse", reason: NOT_PERMITTED, unasked: { ...unasked, answer: REFUSED } };
}

function earlierVerdict(
  open: readonly [DetectedAct, ...DetectedAct[]],
  { answered }: Asking,
): Settled | null {
  // Where a variable decides, the same words may be another act the next time.
  if (open.some(({ command, folder }) => folder.kind === "unknown" || /[$`]/.test(command)))
    return null;
  const question = wordsOf(open);
  const earlier = answered.findLast((one) => one.question === question);
  return earlier === undefined ? null : verdictBy(earlier.answer);
}

const YES = /^(?:allow(?: it)?|yes|y|ok|okay|sure|go ahead|do it)(?:,? please)?[.!]?$/i;

/** Permission is given in so many words and without conditions; everything else is none. */
export function verdictBy(answer: string): Settled {
  const given = answer.trim();
  if (YES.test(given)) return { kind: "allow" };
  const words = given === "" || given === REFUSE ? "" : ` The answer was: "${given}".`;
  const reason = `This was not allowed.${words} Leave it undone, and go on.`;
  return { kind: "refuse", reason, unasked: null };
}
