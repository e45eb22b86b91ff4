// What did the person ask for on the command line, checked and with names of our own?

import { levelFrom, type Level } from "../core/level.ts";
import type { Isolation } from "../core/event.ts";
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
}

export interface ResumeFlags extends FollowFlags {
  /** Take the run over from another machine that is known to be gone. */
  readonly takeOver: boolean;
}

export interface ReadFlags {
  readonly json: boolean;
}

export interface AnswerFlags extends ReadFlags {
  readonly option: number | null;
  readonly guidance: string | null;
  readonly action: "skip" | "retry" | "abort" | null;
  readonly run: string | null;
}

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
  return { ...followFlags(given), takeOver: given["takeOver"] === true };
}

export function readFlags(given: Given): ReadFlags {
  return { json: given["json"] === true };
}

export function answerFlags(given: Given): AnswerFlags {
  const actions = (["skip", "retry", "abort"] as const).filter((name) => given[name] === true);
  if (actions.length > 1)
    throw usage(
      `--${actions.join(" and --")} were given`,
      "give one of --skip, --retry and --abort",
    );
  return {
    ...readFlags(given),
    option: optionGiven(given),
    guidance: textGiven(given, "guidance"),
    action: actions[0] ?? null,
    run: textGiven(given, "run"),
  };
}

function followFlags(given: Given): FollowFlags {
  const is = (name: string): boolean => given[name] === true;
  if (is("quiet") && is("verbose"))
    throw usage("--quiet and --verbose were both given", "give one of them");
  return { wait: is("wait"), json: is("json"), quiet: is("quiet"), verbose: is("verbose") };
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

function optionGiven(given: Given): number | null {
  const text = textGiven(given, "option");
  if (text === null) return null;
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw usage(
    `--option is ${JSON.stringify(text)}; the number of an option was expected`,
    "`orch status` shows the options with their numbers",
  );
}

function textGiven(given: Given, name: string): string | null {
  const value = given[name];
  return typeof value === "string" ? value : null;
}

function usage(message: string, hint: string): OrchError {
  return new OrchError("usage", message, hint);
}
