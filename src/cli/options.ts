// What did the person ask for on the command line, checked and with names of our own?

import { levelFrom, type Level } from "../core/model/level.ts";
import type { Isolation } from "../core/model/event.ts";
import type { AnswerAction } from "../core/model/question.ts";
import { OrchError } from "../errors.ts";

/** Flags of `orch run`; null: not given, so that environment, task and config decide. */
export interface RunFlags extends FollowFlags {
  readonly level: Level | null;
  readonly agent: string | null;
  readonly model: string | null;
  readonly pipeline: string | null;
  readonly isolation: Isolation | null;
  readonly autoCommit: boolean | null;
}

export interface FollowFlags {
  /** Keep the process while a question waits. */
  readonly wait: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** A file of answers given in advance, or "-" for standard input; null: there are none. */
  readonly answers: string | null;
}

export interface ResumeFlags extends FollowFlags {
  /** Take the run over from another machine that is known to be gone. */
  readonly takeOver: boolean;
}

export interface AnswerFlags {
  readonly json: boolean;
  /** null: no flag says an answer. */
  readonly said: SaidByFlag | null;
  readonly run: string | null;
}

export type SaidByFlag =
  | { readonly kind: "option"; readonly number: number }
  | { readonly kind: "action"; readonly action: AnswerAction; readonly text: string };

/** The values commander collected, by name. */
export type Given = Readonly<Record<string, unknown>>;

export function runFlags(given: Given): RunFlags {
  return {
    ...followFlags(given),
    level: levelGiven(given),
    agent: textGiven(given, "agent"),
    model: textGiven(given, "model"),
    pipeline: textGiven(given, "pipeline"),
    isolation: isolationGiven(given),
    autoCommit: typeof given["autoCommit"] === "boolean" ? given["autoCommit"] : null,
  };
}

export function resumeFlags(given: Given): ResumeFlags {
  return { ...followFlags(given), takeOver: isOn(given, "takeOver") };
}

export function answerFlags(given: Given): AnswerFlags {
  const ways = [...ACTIONS, ...ACTIONS_WITH_WORDS, "extend", "option"] as const;
  const [way = null, ...others] = ways.filter((name) => isGiven(given, name));
  if (others.length > 0)
    throw usage(`--${way} and --${others.join(" and --")} were given`, "give one answer");
  if (isOn(given, "list") && way !== null)
    throw usage(`--list and --${way} were given`, "--list only shows what waits; give one of them");
  const said = way === null ? null : saidBy(given, way);
  return { json: isOn(given, "json"), said, run: textGiven(given, "run") };
}

const ACTIONS = ["skip", "retry", "abort", "accept", "reject"] as const;
const ACTIONS_WITH_WORDS = ["guidance", "amend"] as const;

type Way = (typeof ACTIONS)[number] | (typeof ACTIONS_WITH_WORDS)[number] | "extend" | "option";

function saidBy(given: Given, way: Way): SaidByFlag {
  if (way === "option") return { kind: "option", number: optionGiven(given) };
  // Without an amount `--extend` gives what was offered; an empty one is a variable that was not set.
  if (way === "extend" && textGiven(given, way)?.trim() === "")
    throw usage("--extend was given an empty amount", "leave the amount out, or say how much");
  return { kind: "action", action: way, text: textGiven(given, way) ?? "" };
}

function isGiven(given: Given, name: string): boolean {
  return given[name] !== undefined && given[name] !== false;
}

function followFlags(given: Given): FollowFlags {
  if (isOn(given, "quiet") && isOn(given, "verbose"))
    throw usage("--quiet and --verbose were both given", "give one of them");
  return {
    wait: isOn(given, "wait"),
    json: isOn(given, "json"),
    quiet: isOn(given, "quiet"),
    verbose: isOn(given, "verbose"),
    answers: answersGiven(given),
  };
}

/** `--interaction-threshold` and `--threshold` are one flag with two names. */
function levelGiven(given: Given): Level | null {
  const long = textGiven(given, "interactionThreshold");
  const short = textGiven(given, "threshold");
  if (long !== null && short !== null && long !== short)
    throw usage(
      `--interaction-threshold ${long} and --threshold ${short} are the same setting`,
      "give one of them",
    );
  const text = long ?? short;
  if (text === null) return null;
  const level = /^\d+$/.test(text) ? levelFrom(Number(text)) : null;
  if (level === null)
    throw usage(
      `the interaction threshold is ${JSON.stringify(text)}; a whole number from 0 to 5 was expected`,
      "0 never waits for a person, 5 asks most readily",
    );
  return level;
}

function isolationGiven(given: Given): Isolation | null {
  const text = textGiven(given, "isolation");
  if (text === null || text === "branch" || text === "none") return text;
  throw usage(
    `--isolation is ${JSON.stringify(text)}; "branch" or "none" was expected`,
    '"branch" works on a branch of its own, "none" in the working copy as it is',
  );
}

function optionGiven(given: Given): number {
  const text = textGiven(given, "option") ?? "";
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw usage(
    `--option is ${JSON.stringify(text)}; the number of an option was expected`,
    "`orch status` shows the options with their numbers",
  );
}

function answersGiven(given: Given): string | null {
  const text = textGiven(given, "answers");
  if (text?.trim() === "")
    throw usage("--answers is empty", 'name a file of answers, or "-" for standard input');
  return text;
}

export function isOn(given: Given, name: string): boolean {
  return given[name] === true;
}

export function textGiven(given: Given, name: string): string | null {
  const value = given[name];
  return typeof value === "string" ? value : null;
}

/** What a flag that may be given several times was given. */
export function wordsGiven(given: Given, name: string): readonly string[] {
  const value = given[name];
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
}

export function usage(message: string, hint: string): OrchError {
  return new OrchError("usage", message, hint);
}
