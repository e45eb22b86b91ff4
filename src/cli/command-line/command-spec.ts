// What is a command, as its help and the parser know it?

import type { Command } from "./options.ts";

export interface CommandSpec {
  /** Name and arguments: "show [run] [task]". */
  readonly usage: string;
  readonly summary: string;
  /** What its own help says behind the summary. */
  readonly more?: string;
  readonly options: readonly Flag[];
  readonly examples: readonly string[];
  /** Loads the command's file and carries it out. */
  readonly run: Command;
}

/** The parser refuses other values than the `choices`, and two flags that exclude each other. */
export type Flag = readonly [flags: string, description: string, rules?: FlagRules];

export interface FlagRules {
  readonly choices?: readonly string[];
  readonly excludes?: readonly string[];
}

export const RELOAD = [
  "--reload-config",
  "use config, prompts and tasks as they are now, not as at the run's start",
] as const;

export const UNATTENDED = [
  ["--answers <file>", "answers given in advance"],
  ["--junit <file.xml>", "write how it came out as JUnit XML, for CI"],
] as const;

export const AS_JSON = ["--json", "print it as JSON"] as const;
