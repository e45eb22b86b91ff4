// Which flags can a command be given, and what do they mean to it?

import { levelFrom, type Level } from "../core/model/level.ts";
import { OrchError } from "../errors.ts";
import type { CliIo } from "./io.ts";

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
};

type Switch =
  | "all"
  | "autoCommit"
  | "explainLevel"
  | "follow"
  | "force"
  | "json"
  | "list"
  | "quiet"
  | "takeOver"
  | "verbose"
  | "wait";

type Setting =
  | "agent"
  | "answers"
  | "context"
  | "default"
  | "expiresIn"
  | "hold"
  | "impact"
  | "interactionThreshold"
  | "isolation"
  | "model"
  | "pipeline"
  | "policy"
  | "proof"
  | "predictions"
  | "run"
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

export function usage(message: string, hint: string): OrchError {
  return new OrchError("usage", message, hint);
}
