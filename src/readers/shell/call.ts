// What does one call of a program look like to a rule?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import type { Redirect } from "../acts/item.ts";
import type { Standpoint } from "../acts/place.ts";

export interface Call {
  /** Without its path: "git". */
  readonly program: string;
  /** Variables that the script sets are filled in; the others are marked, see word.ts. */
  readonly args: readonly string[];
  readonly redirects: readonly Redirect[];
  /** What it reads, where the script says so. */
  readonly input: () => string | null;
  /** Programs with arguments whose output it reads, the nearest first. */
  readonly feeders: () => readonly (readonly string[])[];
  /** A variable that the script sets; null: the script does not. */
  readonly env: (name: string) => string | null;
  readonly where: Standpoint;
}

/** null: this call is none of the acts that the rule knows. */
export type Rule = (call: Call) => IrreversibleAction | null;
export type Rules = Readonly<Record<string, Rule>>;

/** The same rule for several programs. */
export function each(programs: string, rule: Rule): Rules {
  return Object.fromEntries(programs.split(" ").map((program) => [program, rule]));
}

export function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" ").filter((word) => word !== ""));
}

const NONE: ReadonlySet<string> = new Set();

function isOption(arg: string): boolean {
  return arg.startsWith("-") && arg.length > 1;
}

/** Arguments that are no options; `valued` are the options that take the next word. */
export function positionals(args: readonly string[], valued = NONE): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--") return [...found, ...args.slice(at + 1)];
    if (!isOption(arg)) found.push(arg);
    else if (valued.has(arg)) at += 1;
  }
  return found;
}

/** Is one of the options there, and not put off as in `--dry-run=false`? */
export function hasOption(args: readonly string[], names: ReadonlySet<string>): boolean {
  return args.some((arg) => {
    if (!isOption(arg)) return false;
    const [name = ""] = arg.split("=", 1);
    return (
      names.has(name) && !/=(?:none|false|0|no)$/.test(arg.slice(name.length, name.length + 8))
    );
  });
}

/** Is a one-letter option there, alone or among others as in `-xdf`? */
export function hasLetter(args: readonly string[], letters: string): boolean {
  return args.some(
    (arg) => /^-[A-Za-z0-9]{1,20}$/.test(arg) && letters.split("").some((one) => arg.includes(one)),
  );
}

/** Values of `--name value`, `--name=value`, `-n value` and `-nvalue`. */
export function optionValues(args: readonly string[], names: string): readonly string[] {
  const wanted = names.split(" ").filter((name) => name !== "");
  return args.flatMap((arg, at) => {
    if (!isOption(arg)) return [];
    if (wanted.includes(arg)) return args.slice(at + 1, at + 2);
    const name = wanted.find((one) =>
      one.startsWith("--")
        ? arg.startsWith(`${one}=`)
        : arg.startsWith(one) && !arg.startsWith("--"),
    );
    if (name === undefined) return [];
    return [arg.slice(name.length).replace(/^=/, "")];
  });
}
