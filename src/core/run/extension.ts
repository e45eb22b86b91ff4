// How much more room under a limit does a person give with "30m", "$5" or "1.5M tokens"?

import { formatDuration, LONGEST_MS, parseDuration } from "../model/duration.ts";
import { isRunLimit, type Limit } from "./budget.ts";
import { LIMIT_UNITS, type Extensions, type LimitName, type LimitUnit } from "../model/policy.ts";
import type { Answer, BudgetAsked, Question } from "../model/question.ts";

/** `by` is in the limit's own unit: USD, tokens, milliseconds, or a count. */
export type Extension =
  | { readonly ok: true; readonly by: number }
  | { readonly ok: false; readonly hint: string };

/** One slip of a finger must not lift a limit for good. */
const MOST: Readonly<Record<LimitUnit, number>> = {
  usd: 10_000,
  tokens: 1_000_000_000,
  time: LONGEST_MS,
  count: 1_000,
};

const HINTS: Readonly<Record<LimitUnit, string>> = {
  usd: 'write an amount of money, like "5 USD" or "$2.50"',
  tokens: 'write a number of tokens, like "200k" or "1.5M tokens"',
  time: 'write a time, like "30m", "2h" or "1h30m"; a bare number is minutes',
  count: 'write a number of sessions, like "3 sessions"',
};

const TEXT_CHARS_MAX = 60;

/** What "extend" with these words adds; without words, what was offered. */
export function extensionOf({ limit, more }: BudgetAsked, text: string): Extension {
  return text.trim() === "" ? { ok: true, by: more } : parseExtension(limit, text);
}

/** Strict: a whole amount in the limit's unit, above zero; a leading "+" is the same amount. */
export function parseExtension(limit: LimitName, text: string): Extension {
  const unit = LIMIT_UNITS[limit];
  const by = text.length > TEXT_CHARS_MAX ? null : amountIn(unit, text.trim());
  if (by === null || by <= 0) return { ok: false, hint: HINTS[unit] };
  if (by > MOST[unit])
    return { ok: false, hint: `at most ${extensionWords(limit, MOST[unit])} can be added at once` };
  return { ok: true, by };
}

/** What is offered where no amount is named: half of what there was, in whole cents or whole units. */
export function halfMore({ name, most }: Pick<Limit, "name" | "most">): number {
  return LIMIT_UNITS[name] === "usd"
    ? Math.max(1, Math.round(most * 50)) / 100
    : Math.max(1, Math.round(most / 2));
}

/** The amount as a person would type it. Reading it again gives the amount, rounded to its unit. */
export function extensionWords(limit: LimitName, amount: number): string {
  return IN_WORDS[LIMIT_UNITS[limit]](amount);
}

const IN_WORDS: Readonly<Record<(typeof LIMIT_UNITS)[LimitName], (amount: number) => string>> = {
  usd: (amount) => `${amount.toFixed(2).replace(".00", "")} USD`,
  tokens: (amount) => `${scaled(Math.round(amount))} tokens`,
  time: (amount) => formatDuration(Math.round(amount / 1_000) * 1_000),
  count: (amount) => `${amount} session${amount === 1 ? "" : "s"}`,
};

/** "cost: 10.02 USD of 10 USD", and "sessions: 1 of 1", where the name says what is counted. */
export function limitWords({ name, used, most }: Limit): string {
  const words = [used, most].map((one) =>
    extensionWords(name, one).replace(/ (?:sessions?|tokens)$/, ""),
  );
  return `${name}: ${words.join(" of ")}`;
}

/** A number as the unit takes it, and by how much it is scaled. */
const AMOUNTS: Readonly<Record<Exclude<LimitUnit, "time">, RegExp>> = {
  usd: /^(?:\$ ?(?=[\d.]+$))?(\d{1,9}(?:\.\d{1,2})?)(?: ?(?:\$|usd|dollars?))?$/,
  tokens: /^(\d{1,12}(?:\.\d{1,6})?) ?([km]?)(?: ?tokens?)?$/,
  count: /^(\d{1,6})(?: ?sessions?)?$/,
};

function amountIn(unit: LimitUnit, written: string): number | null {
  const text = written.replace(/^\+ ?/, "").toLowerCase();
  // A bare number is minutes.
  if (unit === "time")
    return parseDuration(text.replaceAll(" ", "").replace(/min|(?<=^\d+)$/, "m"));
  const [, number, scale] = AMOUNTS[unit].exec(text) ?? [];
  if (number === undefined) return null;
  const amount = Number(number) * (scale === "m" ? 1_000_000 : scale === "k" ? 1_000 : 1);
  return unit === "tokens" ? Math.round(amount) : amount;
}

function scaled(amount: number): string {
  if (amount >= 1_000_000 && amount % 1_000 === 0) return `${amount / 1_000_000}M`;
  return amount >= 1_000 && amount % 10 === 0 ? `${amount / 1_000}k` : String(amount);
}

/** The room that people added to the limits of a run, or of one of its tasks, after one more answer. */
export function extendedBy(
  extended: Extensions,
  question: Question | null,
  answer: Answer,
  whose: "run" | "task",
): Extensions {
  const budget = question?.budget ?? null;
  if (budget === null || answer.action !== "extend") return extended;
  const { limit } = budget;
  const read = extensionOf(budget, answer.text);
  if (!read.ok || isRunLimit(limit) !== (whose === "run")) return extended;
  return { ...extended, [limit]: (extended[limit] ?? 0) + read.by };
}
