// What does a script know at one of its commands: its folder, its variables, what it reads?

import type { SimpleCommand } from "../acts/item.ts";
import type { Standpoint, Where } from "../acts/place.ts";
import { expand, GIT_FOLDER_NAME, isKnown, ROOT_NAME, TEMPORARY_NAME, UNKNOWN } from "./word.ts";
import { programName } from "./wrappers.ts";

export interface Scope {
  readonly root: string;
  readonly home: string | null;
  /** null: nobody can tell. */
  cwd: string | null;
  variables: Map<string, string>;
  /** Another scope has the same map: it is copied before it changes. */
  isShared: boolean;
}

/** What one script may cost; past it, variables are unknown and scripts unread. */
export interface Budget {
  /** false: it is used up. */
  readonly spend: (chars: number) => boolean;
}

const CHARS_MAX = 600_000;
const VARIABLES_MAX = 100;
const VALUE_CHARS_MAX = 2_000;
const FEEDERS_MAX = 5;

export function newBudget(): Budget {
  let left = CHARS_MAX;
  return {
    spend: (chars) => {
      left -= chars;
      return left >= 0;
    },
  };
}

export function scopeFrom({ root, cwd, home }: Where): Scope {
  return { root, cwd, home, variables: new Map(), isShared: false };
}

export function copyScope(scope: Scope): Scope {
  scope.isShared = true;
  return { ...scope };
}

export function assign(scope: Scope, name: string, value: string): void {
  if (scope.variables.size >= VARIABLES_MAX && !scope.variables.has(name)) return;
  if (scope.isShared) scope.variables = new Map(scope.variables);
  scope.isShared = false;
  // A long value would be copied with each use; what it was before must not stay either.
  scope.variables.set(name, value.length > VALUE_CHARS_MAX ? UNKNOWN : value);
}

/** Names that lead to a temporary folder unless the script says otherwise. */
const TEMPORARY = new Set([
  "TMPDIR",
  "TMP",
  "TEMP",
  "RUNNER_TEMP",
  "XDG_RUNTIME_DIR",
  "BATS_TMPDIR",
]);

/** `variable` is what the script set; the rest is known without it. */
export function valueOf(
  name: string,
  variable: string | null,
  { root, home, cwd }: Standpoint,
): string | null {
  if (variable !== null) return variable;
  if (TEMPORARY.has(name)) return "/tmp";
  if (name === TEMPORARY_NAME) return "/tmp/made";
  if (name === "HOME") return home;
  if (name === "PWD") return cwd;
  if (name === ROOT_NAME) return root;
  if (name === GIT_FOLDER_NAME) return `${root}/.git`;
  return name === "XDG_CACHE_HOME" && home !== null ? `${home}/.cache` : null;
}

export function expandIn(
  words: readonly string[],
  scope: Scope,
  budget: Budget,
): readonly string[] {
  return expand(words, (name) => {
    const value = valueOf(name, scope.variables.get(name) ?? null, scope);
    return value === null || !budget.spend(value.length) ? null : value;
  });
}

/** The programs before it in its pipe, the nearest first. */
export function feedersOf(
  command: SimpleCommand,
  scope: Scope,
  budget: Budget,
): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let from = command.from;
  for (; from !== null && found.length < FEEDERS_MAX; from = from.from)
    found.push(expandIn(from.words, scope, budget));
  return found;
}

/** What it reads, where the script itself holds the text; null: it reads nothing, or something else. */
export function inputOf(command: SimpleCommand, scope: Scope, budget: Budget): string | null {
  if (command.stdin !== null) return command.stdin;
  if (command.from === null) return null;
  const [first = "", ...args] = expandIn(command.from.words, scope, budget);
  const program = isKnown(first) ? programName(first) : "";
  if (program === "cat") return command.from.stdin;
  if (program !== "echo" && program !== "printf") return null;
  const text = args.filter((arg) => !/^-[neE]{1,3}$/.test(arg)).join(" ");
  return text.replace(/\\n/g, "\n");
}
