// Would a shell command do something that cannot be undone, or that others see?

import { shortHash } from "../../core/model/short-hash.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import type { FolderOfAction, FoundAction } from "../../core/model/irreversible.ts";
import type { Call } from "../shell/call.ts";
import { innerOf } from "../shell/inner.ts";
import type { SimpleCommand } from "./item.ts";
import { absolutePath } from "./place.ts";
import type { Where } from "./place.ts";
import { readShell } from "../shell/read-shell.ts";
import { actOf } from "./rules.ts";
import { MADE_VARIABLE, madeBy } from "../shell/made.ts";
import {
  assign,
  copyScope,
  expandIn,
  inputOf,
  feedersOf,
  newBudget,
  scopeFrom,
} from "../shell/scope.ts";
import type { Budget, Scope } from "../shell/scope.ts";
import { isKnown, UNKNOWN, withoutMarks } from "../shell/word.ts";
import { programName } from "../shell/wrappers.ts";

export type { Where } from "./place.ts";

/** More than a shell takes as one argument on Linux: beyond it, no command would run. */
const SCRIPT_CHARS_MAX = 150_000;
const COMMAND_START_CHARS = 220;
const COMMAND_END_CHARS = 60;
const FOUND_MAX = 20;
/** Scripts within scripts: `bash -c "bash -c …"`. */
const SCRIPTS_DEEP_MAX = 6;
/** Programs that start programs: `sudo env nice …`. */
const WRAPPERS_MAX = 12;

/**
 * What of this a script would do, each command once, in its order; the first twenty.
 *
 * This guards against accidents, and is no sandbox: whoever wants to hide an act from it can, in a
 * file, in a variable, in another language. Nothing is run or looked up: what only a run would
 * know (a variable, a remote, a context) counts as harmless, except where the act is one whatever
 * it is. What happens to files in the work tree is no such act, because checkpoints keep them.
 */
export function irreversibleIn(script: string, where: Where): readonly FoundAction[] {
  const text = withoutMarks(script.slice(0, SCRIPT_CHARS_MAX));
  const found = new Map<string, FoundAction>();
  for (const act of actsIn(text, scopeFrom(where), { budget: newBudget(), depth: 0 })) {
    found.set(JSON.stringify([act.command, act.folder]), act);
    if (found.size >= FOUND_MAX) break;
  }
  return [...found.values()];
}

interface Visit {
  readonly budget: Budget;
  readonly depth: number;
}

function* actsIn(script: string, scope: Scope, visit: Visit): Generator<FoundAction> {
  if (visit.depth > SCRIPTS_DEEP_MAX || !visit.budget.spend(script.length)) return;
  const outer: Scope[] = [];
  let now = scope;
  for (const item of readShell(script)) {
    if (item.kind === "open") {
      outer.push(now);
      now = copyScope(now);
    } else if (item.kind === "close") now = outer.pop() ?? now;
    else yield* actsOfCommand(item, now, visit);
  }
}

function* actsOfCommand(
  command: SimpleCommand,
  scope: Scope,
  visit: Visit,
): Generator<FoundAction> {
  const words = expandIn(command.words, scope, visit.budget);
  const own = new Map<string, string>();
  const rest = takeAssignments(words, own);
  if (rest.length === 0 && command.redirects.length === 0) {
    for (const [name, value] of own) assign(scope, name, value);
    return;
  }
  yield* actsOfWords(rest, { command, own, scope, visit }, 0);
}

/** What a call is judged with besides its words. */
interface Frame {
  readonly command: SimpleCommand;
  /** Variables set for this call alone. */
  readonly own: Map<string, string>;
  readonly scope: Scope;
  readonly visit: Visit;
}

function* actsOfWords(
  words: readonly string[],
  frame: Frame,
  hops: number,
): Generator<FoundAction> {
  if (hops > WRAPPERS_MAX) return;
  const call = callOf(takeAssignments(words, frame.own), frame);
  const action = actOf(call);
  if (action !== null) {
    yield { action, command: shown(frame.command.text), folder: folderOf(frame.scope) };
    return;
  }
  remember(call, frame.scope);
  const { calls, scripts } = innerOf(call);
  for (const inner of calls) yield* actsOfWords(inner, frame, hops + 1);
  const { budget, depth } = frame.visit;
  // A script that `eval` runs changes the folder for what follows; one of `bash -c` does not.
  const scope = call.program === "eval" ? frame.scope : withOwn(frame);
  for (const script of scripts) yield* actsIn(script, scope, { budget, depth: depth + 1 });
}

function folderOf({ root, cwd }: Scope): FolderOfAction {
  if (cwd === null) return { kind: "unknown" };
  return cwd === root ? { kind: "root" } : { kind: "other", path: cwd };
}

/** Beginning and end of a long one, and what tells it from others that begin and end alike. */
function shown(text: string): string {
  const line = excerpt(text, SCRIPT_CHARS_MAX);
  if (line.length <= COMMAND_START_CHARS + COMMAND_END_CHARS) return line;
  const [start, end] = [line.slice(0, COMMAND_START_CHARS), line.slice(-COMMAND_END_CHARS)];
  return `${start} … ${end} [${line.length} characters, ${shortHash(line).slice(0, 12)}]`;
}

function withOwn({ scope, own }: Frame): Scope {
  const copy = copyScope(scope);
  for (const [name, value] of own) assign(copy, name, value);
  return copy;
}

const ASSIGNMENT = /^([A-Za-z_]\w{0,100})(\+?)=/;

/** The words after `A=b` in front of them. */
function takeAssignments(words: readonly string[], own: Map<string, string>): readonly string[] {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const found = ASSIGNMENT.exec(word);
    if (found === null) break;
    own.set(found[1] ?? "", found[2] === "" ? word.slice(found[0].length) : UNKNOWN);
  }
  return words.slice(at);
}

function callOf(words: readonly string[], { command, own, scope, visit }: Frame): Call {
  const [first = "", ...args] = words;
  return {
    program: isKnown(first) ? programName(first) : "",
    args,
    redirects: command.redirects,
    input: () => inputOf(command, scope, visit.budget),
    feeders: () => feedersOf(command, scope, visit.budget),
    env: (name) => own.get(name) ?? scope.variables.get(name) ?? null,
    where: { root: scope.root, cwd: scope.cwd, home: scope.home },
  };
}

/** What a builtin changes for the commands after it. */
function remember(call: Call, scope: Scope): void {
  const { program, args } = call;
  const names = args.filter((arg) => !arg.startsWith("-"));
  if (program === "cd" || program === "pushd") {
    const [folder = scope.home ?? UNKNOWN] = names;
    scope.cwd = args.includes("-") ? null : absolutePath(folder, scope.cwd);
  } else if (program === "popd") scope.cwd = null;
  else if (/^(?:export|local|declare|typeset|readonly)$/.test(program)) {
    const own = new Map<string, string>();
    takeAssignments(names, own);
    for (const [name, value] of own) assign(scope, name, value);
  } else if (/^(?:for|select|read|unset|mapfile|readarray|getopts)$/.test(program)) {
    for (const name of program === "for" ? names.slice(0, 1) : names) assign(scope, name, UNKNOWN);
  }
  const made = madeBy(call);
  if (made !== null) assign(scope, MADE_VARIABLE, made);
}
