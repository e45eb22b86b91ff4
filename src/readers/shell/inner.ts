// What else does a call run: a program it starts, or a script it was given?

import { hasLetter, optionValues, positionals, setOf } from "./call.ts";
import type { Call } from "./call.ts";
import { findTargets, targetsOf } from "../acts/find-command.ts";
import { valuedOptions } from "./valued.ts";
import { wrappedWords, wrapperOf } from "./wrappers.ts";

export interface Inner {
  /** Programs with their arguments. */
  readonly calls: readonly (readonly string[])[];
  readonly scripts: readonly string[];
}

const NOTHING: Inner = { calls: [], scripts: [] };

function script(...scripts: readonly (string | null | undefined)[]): Inner {
  return { calls: [], scripts: scripts.filter((one) => typeof one === "string") };
}

function words(...calls: readonly (readonly string[])[]): Inner {
  return { calls: calls.filter((one) => one.length > 0), scripts: [] };
}

export function innerOf(call: Call): Inner {
  const special = Object.hasOwn(SPECIAL, call.program) ? SPECIAL[call.program] : undefined;
  return special?.(call) ?? wrapped(call);
}

/** null: a wrapper like any other, or none. */
type Opener = (call: Call) => Inner | null;

const SHELL_VALUES = setOf(
  "-o +o -O +O -eo -euo -exo -euxo -ueo -xeuo -leo --rcfile --init-file -C",
);

function openShell({ args, input }: Call): Inner {
  if (hasLetter(args.slice(0, 1), "n")) return NOTHING;
  const rest = positionals(args, SHELL_VALUES);
  const before = args.slice(0, rest.length === 0 ? undefined : args.indexOf(rest[0] ?? ""));
  if (before.includes("--command") || hasLetter(before, "c")) return script(rest[0]);
  return rest.length === 0 || hasLetter(before, "s") ? script(input()) : words(rest);
}

function openXargs(call: Call): Inner {
  const wrapper = wrapperOf("xargs");
  const started = wrapper === null ? [] : wrappedWords(call.args, wrapper);
  const [program] = started;
  if (program === undefined) return NOTHING;
  return words([...started, ...call.feeders().flatMap(targetsOf)]);
}

const EXEC = /^-(?:exec|execdir|ok|okdir)$/;
const SEGMENTS_MAX = 20;
const SEGMENT_WORDS_MAX = 200;

function openFind({ args }: Call): Inner {
  const targets = findTargets(args);
  const calls: (readonly string[])[] = [];
  for (let at = 0; at < args.length && calls.length < SEGMENTS_MAX; at += 1) {
    if (!EXEC.test(args[at] ?? "")) continue;
    const rest = args.slice(at + 1, at + SEGMENT_WORDS_MAX);
    const end = rest.findIndex((word) => word === ";" || word === "+");
    const segment = end === -1 ? rest : rest.slice(0, end);
    calls.push(segment.flatMap((word) => (word === "{}" ? targets : [word])));
    at += segment.length;
  }
  return words(...calls);
}

function openGit({ args }: Call): Inner {
  const [verb = "", second = "", ...rest] = positionals(args, valuedOptions("git"));
  if (verb === "submodule" && second === "foreach") return script(rest.join(" "));
  if (verb === "bisect" && second === "run") return words(rest);
  return verb === "rebase" ? script(...optionValues(args, "-x --exec")) : NOTHING;
}

function openPython({ args }: Call): Inner {
  const at = args.findIndex((arg, index) => {
    return !arg.startsWith("-") && !/^-[WX]$/.test(args[index - 1] ?? "");
  });
  const before = at === -1 ? args : args.slice(0, at);
  if (before.includes("-c")) return NOTHING;
  return at === -1 ? NOTHING : words(args.slice(at));
}

/** What these are told and do not know is a script of package.json, or a program it installed. */
function openManager(call: Call): Inner {
  const wrapper = wrapped(call);
  if (wrapper.calls.length > 0) return wrapper;
  const rest = fromSubcommand(call);
  return words(/^(?:run|run-script)$/.test(rest[0] ?? "") ? rest.slice(1) : rest);
}

/** The arguments from the first that is no option. */
function fromSubcommand({ program, args }: Call): readonly string[] {
  const valued = valuedOptions(program);
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (valued.has(arg)) at += 1;
    else if (!arg.startsWith("-")) return args.slice(at);
  }
  return [];
}

function wrapped(call: Call): Inner {
  const wrapper = wrapperOf(call.program);
  if (wrapper !== null) return words(wrappedWords(call.args, wrapper));
  const [verb = "", ...args] = fromSubcommand(call);
  let started = wrapperOf(`${call.program} ${verb}`);
  if (started !== null) return words(wrappedWords(args, started));
  started = wrapperOf(`${call.program} ${verb} ${args[0] ?? ""}`);
  return started === null ? NOTHING : words(wrappedWords(args.slice(1), started));
}

/** A program whose option holds a script; without the option it may still be a wrapper. */
function withScriptOption(names: string): Opener {
  return (call) => {
    const scripts = optionValues(call.args, names);
    return scripts.length === 0 ? null : { ...wrapped(call), scripts };
  };
}

/** `script -qc "…" out.txt`. */
function openScript({ args }: Call): Inner {
  const at = args.findIndex((arg) => /^(?:-[a-z]{0,5}c|--command)$/.test(arg));
  return at === -1 ? NOTHING : script(args[at + 1]);
}

function joined(valued: string): Opener {
  const options = setOf(valued);
  return ({ args }) => {
    const at = args.findIndex((arg, index) => {
      return !arg.startsWith("-") && !options.has(args[index - 1] ?? "");
    });
    return at === -1
      ? NOTHING
      : script(
          args
            .slice(at)
            .filter((arg) => !arg.startsWith(":::"))
            .join(" "),
        );
  };
}

function each(programs: string, opener: Opener): Readonly<Record<string, Opener>> {
  return Object.fromEntries(programs.split(" ").map((program) => [program, opener]));
}

const SPECIAL: Readonly<Record<string, Opener>> = {
  ...each("bash sh zsh dash ksh ash fish", openShell),
  ...each("python python3 python2 py pypy3", openPython),
  ...each("yarn pnpm bun", openManager),
  ...each("xargs gxargs", openXargs),
  ...each("find gfind", openFind),
  ...each("su flock", withScriptOption("-c --command")),
  script: openScript,
  ...each("npx", withScriptOption("-c --call")),
  ...each("nix-shell", withScriptOption("--run --command")),
  ...each("watch", joined("-n --interval")),
  ...each("parallel", joined("-j --jobs --delay --timeout --joblog -a --arg-file --colsep -I")),
  git: openGit,
  eval: ({ args }) => script(args.join(" ")),
  trap: ({ args }) => (args.length > 1 ? script(args.find((arg) => arg !== "--")) : NOTHING),
  concurrently: ({ args }) =>
    script(...positionals(args, setOf("-n --names -c --prefix-colors -p"))),
  nix: ({ args }) => {
    const at = args.findIndex((arg) => arg === "-c" || arg === "--command");
    return at === -1 ? NOTHING : words(args.slice(at + 1));
  },
};
