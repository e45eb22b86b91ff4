// Which programs does a shell script call, where, and with what?

import type { Call } from "./call.ts";
import { absolutePath, type Where } from "./folder.ts";
import { innerOf } from "./inner.ts";
import { readShell } from "./parse.ts";
import type { SimpleCommand } from "./parse.ts";
import { assign, copyScope, expandIn, feedersOf, inputOf } from "./scope.ts";
import { scopeFrom, spend } from "./scope.ts";
import type { Budget, Scope } from "./scope.ts";
import { isKnown, UNKNOWN, withoutMarks } from "./word.ts";
import { programName } from "./wrappers.ts";

const BUDGET_CHARS = 600_000;
/** Scripts within scripts: `bash -c "bash -c …"`. */
const SCRIPTS_DEEP_MAX = 6;
/** Programs that start programs: `sudo env nice …`. */
const WRAPPERS_MAX = 12;

/**
 * Tells every call in its order, also of programs that other programs start. A list is the words of
 * one command.
 *
 * false: some of it could not be read, because it is too long or too deep.
 */
export function eachCall(
  script: string | readonly string[],
  where: Where,
  tell: (call: Call) => void,
): boolean {
  const run: Run = { budget: { left: BUDGET_CHARS }, isWhole: true, tell };
  const frame = { run, scope: scopeFrom(where), depth: 0, isContained: false };
  if (typeof script === "string") runScript(withoutMarks(script), frame);
  else runWords(script, { ...frame, command: NO_COMMAND, own: new Map() }, 0);
  return run.isWhole;
}

interface Run {
  readonly budget: Budget;
  isWhole: boolean;
  readonly tell: (call: Call) => void;
}

/** What a script is run with. */
interface Frame {
  readonly run: Run;
  readonly scope: Scope;
  readonly depth: number;
  readonly isContained: boolean;
}

const NO_COMMAND: SimpleCommand = {
  kind: "command",
  text: "",
  words: [],
  redirects: [],
  stdin: null,
  from: null,
  isFallback: false,
};

function runScript(script: string, frame: Frame): void {
  const { run, depth } = frame;
  if (depth > SCRIPTS_DEEP_MAX || !spend(run.budget, script.length)) {
    run.isWhole = false;
    return;
  }
  const { items, isWhole } = readShell(script);
  if (!isWhole) run.isWhole = false;
  const outer: Scope[] = [];
  let { scope } = frame;
  for (const item of items) {
    if (item.kind === "command") runCommand(item, { ...frame, scope });
    else if (item.kind === "loop") assign(scope, item.name, UNKNOWN);
    else if (item.kind === "close") scope = outer.pop() ?? scope;
    else {
      outer.push(scope);
      scope = copyScope(scope);
    }
  }
}

/** What a call is made with besides its words. */
interface CallFrame extends Frame {
  readonly command: SimpleCommand;
  /** Variables set for this call alone. */
  readonly own: Map<string, string>;
}

function runCommand(command: SimpleCommand, frame: Frame): void {
  const { scope, run } = frame;
  const own = new Map<string, string>();
  const rest = takeAssignments(expandIn(command.words, scope, run.budget), own);
  if (rest.length > 0 || command.redirects.length > 0)
    runWords(rest, { ...frame, command, own }, 0);
  else for (const [name, value] of own) assign(scope, name, value);
}

function runWords(words: readonly string[], frame: CallFrame, hops: number): void {
  const { run, scope, depth } = frame;
  if (hops > WRAPPERS_MAX) {
    run.isWhole = false;
    return;
  }
  const call = callOf(takeAssignments(words, frame.own), frame);
  const { calls, scripts, isContained = frame.isContained } = innerOf(call);
  run.tell({ ...call, isWrapper: calls.length + scripts.length > 0 });
  remember(call, scope);
  for (const inner of calls) runWords(inner, { ...frame, isContained }, hops + 1);
  // A script that `eval` runs changes the folder for what follows; one of `bash -c` does not.
  const inside = call.program === "eval" ? scope : withOwn(frame);
  for (const script of scripts)
    runScript(script, { run, scope: inside, depth: depth + 1, isContained });
}

function withOwn({ scope, own }: CallFrame): Scope {
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

function callOf(words: readonly string[], frame: CallFrame): Omit<Call, "isWrapper"> {
  const { command, own, scope, run, isContained } = frame;
  const [first = "", ...args] = words;
  const { root, cwd, home } = scope;
  return {
    text: command.text,
    program: isKnown(first) ? programName(first) : "",
    args,
    redirects: command.redirects.map(({ operator, target }) => ({
      operator,
      target: expandIn([target], scope, run.budget).join(" "),
    })),
    input: () => inputOf(command, scope, run.budget),
    feeders: () => feedersOf(command, scope, run.budget),
    env: (name) => own.get(name) ?? scope.variables.get(name) ?? null,
    where: { root, cwd, home },
    isContained,
  };
}

/** What a builtin changes for the commands after it. */
function remember({ program, args }: Pick<Call, "program" | "args">, scope: Scope): void {
  const names = args.filter((arg) => !arg.startsWith("-"));
  if (program === "cd" || program === "pushd") {
    const [folder = scope.home ?? UNKNOWN] = names;
    scope.cwd = args.includes("-") ? null : absolutePath(folder, scope.cwd);
  } else if (program === "popd") scope.cwd = null;
  else if (/^(?:export|local|declare|typeset|readonly)$/.test(program)) {
    const own = new Map<string, string>();
    takeAssignments(names, own);
    for (const [name, value] of own) assign(scope, name, value);
  } else if (/^(?:read|unset|mapfile|readarray|getopts)$/.test(program))
    for (const name of names) assign(scope, name, UNKNOWN);
}
