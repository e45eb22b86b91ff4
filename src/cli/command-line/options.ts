// Which flags can a command be given, and what do they mean to it?

import { PARALLEL_MAX, type SandboxKind } from "../../core/model/settings.ts";
import { levelFrom, type Level, type Isolation } from "../../core/model/policy.ts";
import type { LandingHow } from "../../core/model/landing.ts";
import { OrchError } from "../../errors.ts";
import type { CliIo } from "../io.ts";

/** A command's file: carries it out, and resolves to the exit code. */
export type Command = (args: readonly string[], given: Given, io: CliIo) => Promise<number>;

/** What the parser collected, by the flags' names in the command table; undefined: not given. */
export type Given = { readonly [Flag in Switch]?: boolean } & {
  readonly [Flag in Setting]?: string;
} & {
  /** true: without words, or without an amount. */
  readonly [Flag in (typeof ACTION_FLAGS)[number]]?: string | true;
} & {
  readonly option?: string | readonly string[];
  readonly set?: readonly string[];
  readonly label?: readonly string[];
  readonly needs?: readonly string[];
  readonly repository?: readonly string[];
  // Of these the parser takes only what they may be.
  readonly isolation?: Isolation;
  readonly landing?: LandingHow;
  readonly sandbox?: SandboxKind;
};

type Switch =
  | "all"
  | "allowAnswer"
  | "allowRun"
  | "deep"
  | "detach"
  | "fleet"
  | "gates"
  | "follow"
  | "force"
  | "fresh"
  | "json"
  | "list"
  | "once"
  | "open"
  | "part"
  | "plan"
  | "prompts"
  | "quiet"
  | "reloadConfig"
  | "resume"
  | "serve"
  | "skipChecks"
  | "stat"
  | "takeOver"
  | "verbose"
  | "wait"
  | "withChanges"
  | "yes";

type Setting =
  | "agent"
  | "answers"
  | "base"
  | "bestOf"
  | "by"
  | "context"
  | "default"
  | "grace"
  | "hold"
  | "impact"
  | "interactionThreshold"
  | "junit"
  | "model"
  | "on"
  | "parallel"
  | "pipeline"
  | "proof"
  | "port"
  | "run"
  | "since"
  | "slots"
  | "threshold";

/** Flags of `orch answer` that say an answer by their own name. */
export const ACTION_FLAGS = [
  "skip",
  "retry",
  "abort",
  "accept",
  "reject",
  "guidance",
  "amend",
  "extend",
] as const;

/** `--interaction-threshold` and `--threshold` are one flag with two names; null: not given. */
export function levelGiven({ interactionThreshold, threshold }: Given): Level | null {
  const text = interactionThreshold ?? threshold;
  return text === undefined ? null : levelFrom(Number(text));
}

/** null: not given. */
export function parallelGiven({ parallel }: Given): number | null {
  if (parallel === undefined) return null;
  const count = /^\d{1,4}$/.test(parallel) ? Number(parallel) : 0;
  if (count >= 1 && count <= PARALLEL_MAX) return count;
  throw usage(
    `--parallel is ${JSON.stringify(parallel)}; expected a whole number from 1 to ${PARALLEL_MAX}`,
    "it says how many tasks may run at once, for example `--parallel 3`",
  );
}

export function usage(message: string, hint: string): OrchError {
  return new OrchError("usage", message, hint);
}
