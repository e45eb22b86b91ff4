// What does a script know at one of its commands: its folder, its variables, what it reads?

import type { Where } from "./folder.ts";
import type { SimpleCommand } from "./parse.ts";
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

/** How many characters a script may still cost; past it, variables are unknown and scripts unread. */
export interface Budget {
  left: number;
}

const VARIABLES_MAX = 100;
const VALUE_CHARS_MAX = 2_000;
const FEEDERS_MAX = 5;

export function spend(budget: Budget, chars: number): boolean {
  budget.left -= chars;
  return budget.left >= 0;
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
const TEMPORARY = new Set("TMPDIR TMP TEMP RUNNER_TEMP XDG_RUNTIME_DIR BATS_TMPDIR".split(" "));

function valueOf(name: string, { variables, root, home, cwd }: Scope): string | null {
  const variable = variables.get(name);
  if (variable !== undefined) return variable;
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
    const value = valueOf(name, scope);
    return value === null || !spend(budget, value.length) ? null : value;
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
