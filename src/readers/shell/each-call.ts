// Which programs does a shell script call, where, and with what? The one place that knows the parser.

import { forEachChild, parse, type Command, type ParsedScript, type SyntaxNode } from "unbash";

import {
  programName,
  absolutePath,
  eachOf,
  fromWord,
  hasLetter,
  positionals,
  setOf,
  VALUED,
} from "./call.ts";
import type { Call, Redirect, Standpoint, Where } from "./call.ts";

/** More than a shell takes as one argument on Linux. */
const SCRIPT_CHARS_MAX = 131_072;
/** The parser reads a node's inside when it is asked for, and each time anew from its text. */
const READ_CHARS_MAX = 3_000_000;
/** More commands than people write into one script cost more than may be read. */
const CALL_COST = 500;
/** Each level of nesting is read once more. */
const NESTING_MAX = 50;
/** Programs that start programs, and scripts within scripts. */
const HOPS_MAX = 12;

/**
 * Tells every call in its order, also of programs that other programs start; those of `$(…)` before
 * the call that takes their output.
 *
 * Conditions are not decided: both branches of an `if` and both sides of an `||` are told, and so is
 * the body of a function. Comments, patterns of `case` and bodies of heredocs are no commands.
 *
 * false: some of it could not be read, because it is too long or too deep.
 */
export function eachCall(script: string, where: Where, tell: (call: Call) => void): boolean {
  const run: Run = { left: READ_CHARS_MAX, tell };
  const place = { ...where };
  const outside = { isPiped: false, isFallback: false, isInner: false, isContained: false };
  runScript(script, { ...outside, run, source: script, place, hops: 0 });
  return run.left >= 0;
}

interface Run {
  /** How many characters may still be read; below 0, something was left out. */
  left: number;
  readonly tell: (call: Call) => void;
}

type Place = { -readonly [Key in keyof Standpoint]: Standpoint[Key] };

/** What a part of a script is run with. */
interface Frame extends Pick<Call, "isPiped" | "isFallback" | "isInner" | "isContained"> {
  readonly run: Run;
  /** What positions of nodes are counted in. */
  readonly source: string;
  /** `cd` changes it; a subshell has its own. */
  readonly place: Place;
  readonly hops: number;
}

function runScript(script: string, frame: Frame): void {
  const { run, hops } = frame;
  if (script.length > SCRIPT_CHARS_MAX || hops > HOPS_MAX || isDeep(script)) run.left = -1;
  if (run.left < 0) return;
  const source = script.replaceAll("\r\n", "\n");
  try {
    visit(parse(source), { ...frame, source });
  } catch (error) {
    // What nests a hundred times deeper than people write overflows the parser's stack.
    if (!(error instanceof RangeError)) throw error;
    run.left = -1;
  }
}

function isDeep(script: string): boolean {
  let depth = 0;
  for (const [token] of script.matchAll(/[$<>(][({]|[)}]/g)) {
    depth = token.length === 2 ? depth + 1 : Math.max(0, depth - 1);
    if (depth > NESTING_MAX) return true;
  }
  return false;
}

function visit(node: SyntaxNode, frame: Frame): void {
  const { run, source, place } = frame;
  run.left -= node.end - node.pos + 1;
  if (run.left < 0) return;
  const visitChildren = (within: Frame): void =>
    forEachChild(node, (child) => visit(child, within));
  if (node.type === "Command") {
    visitChildren(frame);
    runCommand(node, frame);
  } else if (node.type === "Subshell") visitChildren({ ...frame, place: { ...place } });
  else if (node.type === "AndOr")
    for (const [at, command] of node.commands.entries())
      visit(command, { ...frame, isFallback: node.operators[at - 1] === "||" });
  else if (node.type === "Pipeline")
    for (const [at, command] of node.commands.entries())
      visit(command, { ...frame, isPiped: at > 0 });
  else if ("script" in node) {
    const { script }: { readonly script: ParsedScript | undefined } = node;
    const within = { ...frame, place: { ...place }, isPiped: false };
    if (script !== undefined) visit(script, { ...within, source: script.source ?? source });
  } else visitChildren(frame);
}

/** What a call is made with besides its words. */
interface CallFrame extends Frame, Pick<Call, "text" | "redirects" | "input"> {
  readonly variables: Map<string, string>;
}

function runCommand(node: Command, frame: Frame): void {
  const assigned = node.prefix.flatMap((part) => (part.type === "Assignment" ? [part.text] : []));
  const words = [node.name, ...node.args].flatMap((part) => {
    if (part === undefined) return [];
    return [part.type === "Word" ? part.value : part.text];
  });
  let input: string | null = null;
  const redirects = node.redirects.map((redirect): Redirect => {
    const { operator } = redirect;
    if (redirect.type === "HereDoc") input = redirect.body.text;
    const target = redirect.type === "HereDoc" ? "" : (redirect.target?.value ?? "");
    if (redirect.type === "HereString") input = target;
    return { operator: operator.replace("&>", ">"), target };
  });
  const text = frame.source.slice(node.pos, node.end);
  const ofCall = { text, redirects, input, variables: new Map<string, string>() };
  if (words.length + redirects.length > 0)
    runWords([...assigned, ...words], { ...frame, ...ofCall });
}

function runWords(words: readonly string[], frame: CallFrame): void {
  const { run, place, hops, source: _, ...ofCall } = frame;
  run.left = hops > HOPS_MAX ? -1 : run.left - CALL_COST;
  if (run.left < 0) return;
  const call = { ...ofCall, ...programIn(words, frame.variables), where: { ...place } };
  const open = SPECIAL.get(call.program) ?? openWrapper;
  const { calls, scripts, isContained = frame.isContained } = open(call);
  run.tell({ ...call, isWrapper: calls.length + scripts.length > 0 });
  changeFolder(call, place);
  const within = { ...frame, isContained, hops: hops + 1 };
  for (const inner of calls) runWords(inner, within);
  // A script that `eval` runs changes the folder for what follows; one of `bash -c` does not.
  const inside = call.program === "eval" ? place : { ...place };
  for (const script of scripts) runScript(script, { ...within, place: inside, isInner: true });
}

const ASSIGNMENT = /^([A-Za-z_]\w{0,100})\+?=/;

/** What stands behind the variables that are set for it. */
function programIn(words: readonly string[], variables: Map<string, string>) {
  const end = words.findIndex((word) => !ASSIGNMENT.test(word));
  for (const word of end === -1 ? words : words.slice(0, end)) {
    const [start = "", name = ""] = ASSIGNMENT.exec(word) ?? [];
    variables.set(name, word.slice(start.length));
  }
  const [first = "", ...args] = end === -1 ? [] : words.slice(end);
  return { program: programName(first), args };
}

function changeFolder({ program, args }: Pick<Call, "program" | "args">, place: Place): void {
  if (program === "popd" || (program === "cd" && args.includes("-"))) place.cwd = null;
  else if (program === "cd" || program === "pushd") {
    const [folder = "~"] = args.filter((arg) => !arg.startsWith("-"));
    place.cwd = absolutePath(folder, place);
  }
}

interface Inner {
  /** Programs with their arguments. */
  readonly calls: readonly (readonly string[])[];
  readonly scripts: readonly string[];
  /** They run in a container. */
  readonly isContained?: true;
}

type Started = Omit<Call, "isWrapper">;

const NOTHING: Inner = { calls: [], scripts: [] };

function words(...calls: readonly (readonly string[])[]): Inner {
  return { calls: calls.filter((one) => one.length > 0), scripts: [] };
}

/** Options that take the next word, and how many words stand between the options and the program. */
type Wrapper = readonly [valued: string, skipped?: number];

const WRAPPERS = eachOf<Wrapper>({
  "sudo doas": ["-u -g -h -p -C -D --user --group --chdir"],
  "env cross-env dotenv": ["-u -C -f -e --unset --chdir"],
  "exec builtin nohup setsid time nice ionice stdbuf xargs": ["-a -n -c -d -f -o -I -L -P"],
  "timeout flock": ["-s -k -w --signal --kill-after", 1],
  "npx pnpx bunx uvx": ["-p -w --package --workspace --from --with"],
  "watch parallel": ["-n -j --interval --jobs"],
  "python python3 php ruby": ["-c -d -I -r -W -X"],
});

/** Those whose first word makes them one. */
const RUNNING = setOf(
  "npm:exec npm:x pnpm:dlx pnpm:exec yarn:dlx yarn:exec bun:x uv:run pipx:run poetry:run pipenv:run pdm:run hatch:run conda:run bundle:exec rbenv:exec mise:exec mise:x asdf:exec",
);

function openWrapper({ program, args }: Started): Inner {
  const wrapper = WRAPPERS.get(program);
  if (wrapper !== undefined) {
    const [valued, skipped = 0] = wrapper;
    return words(fromWord(args, setOf(valued)).slice(skipped));
  }
  const [verb = "", ...rest] = fromWord(args, VALUED);
  return RUNNING.has(`${program}:${verb}`) ? words(fromWord(rest, VALUED)) : NOTHING;
}

/** A script as a word, as a file, or as what it reads. */
function openShell({ args, input }: Started): Inner {
  // `-euo pipefail`: the value of the letter "o".
  const rest = fromWord(args, new Set(args.filter((arg) => /^[-+][a-z]*o$/.test(arg))));
  const options = args.slice(0, args.length - rest.length);
  if (hasLetter(options, "n")) return NOTHING;
  if (hasLetter(options, "c")) return { calls: [], scripts: rest.slice(0, 1) };
  if (rest.length > 0) return words(rest);
  return input === null ? NOTHING : { calls: [], scripts: [input] };
}

/** What these do not know as a command of theirs is a program that is installed. */
function openManager(call: Started): Inner {
  const wrapped = openWrapper(call);
  if (wrapped.calls.length > 0) return wrapped;
  const rest = fromWord(call.args, VALUED);
  return words(rest[0] === "run" ? rest.slice(1) : rest);
}

/** The program that a container is started or entered for. */
function openContainer({ args }: Started): Inner {
  const at = args.findIndex((arg) => arg === "run" || arg === "exec");
  if (at === -1) return NOTHING;
  const [, ...started] = fromWord(args.slice(at + 1), VALUED);
  return { ...words(started), isContained: true };
}

const SPECIAL = eachOf<(call: Started) => Inner>({
  "bash sh zsh dash": openShell,
  "yarn pnpm bun": openManager,
  "docker podman docker-compose": openContainer,
  command: ({ args }) => (/^-[vV]/.test(args[0] ?? "") ? NOTHING : words(fromWord(args))),
  eval: ({ args }) => ({ calls: [], scripts: [args.join(" ")] }),
  concurrently: ({ args }) => ({ calls: [], scripts: positionals(args, setOf("-n -c")) }),
});
