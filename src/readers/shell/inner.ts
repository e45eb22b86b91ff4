// What else does a call run: a program it starts, or a script it was given?

import {
  eachOf,
  fromWord,
  hasLetter,
  hasOption,
  optionValues,
  positionals,
  setOf,
} from "./call.ts";
import { subcommand, valuedOptions } from "./call.ts";
import type { Call } from "./call.ts";
import { findTargets, targetsOf } from "./find-targets.ts";
import { wrappedWords } from "./wrappers.ts";

export interface Inner {
  /** Programs with their arguments. */
  readonly calls: readonly (readonly string[])[];
  readonly scripts: readonly string[];
  /** They run in a container. */
  readonly isContained?: true;
}

type Started = Omit<Call, "isWrapper">;
/** null: a wrapper like any other, or none. */
type Opener = (call: Started) => Inner | null;

const NOTHING: Inner = { calls: [], scripts: [] };

export function innerOf(call: Started): Inner {
  return SPECIAL.get(call.program)?.(call) ?? wrapped(call);
}

function script(...scripts: readonly (string | null | undefined)[]): Inner {
  return { calls: [], scripts: scripts.filter((one) => typeof one === "string") };
}

function words(...calls: readonly (readonly string[])[]): Inner {
  return { calls: calls.filter((one) => one.length > 0), scripts: [] };
}

function wrapped({ program, args }: Started): Inner {
  const own = wrappedWords(program, args);
  if (own !== null) return words(own);
  const [verb = "", ...rest] = fromWord(args, valuedOptions(program));
  return words(
    wrappedWords(`${program} ${verb}`, rest) ??
      wrappedWords(`${program} ${verb} ${rest[0] ?? ""}`, rest.slice(1)) ??
      [],
  );
}

const SHELL_VALUES = setOf("-o +o -O +O -eo -euo -exo -euxo -ueo -xeuo --rcfile --init-file");

function openShell({ args, input }: Started): Inner {
  if (hasLetter(args.slice(0, 1), "n")) return NOTHING;
  const rest = positionals(args, SHELL_VALUES);
  const before = args.slice(0, rest.length === 0 ? undefined : args.indexOf(rest[0] ?? ""));
  if (hasLetter(before, "c")) return script(rest[0]);
  return rest.length === 0 || hasLetter(before, "s") ? script(input()) : words(rest);
}

function openXargs(call: Started): Inner {
  const started = wrappedWords("xargs", call.args) ?? [];
  return started.length === 0 ? NOTHING : words([...started, ...call.feeders().flatMap(targetsOf)]);
}

const EXEC = /^-(?:exec|execdir|ok|okdir)$/;
const SEGMENTS_MAX = 20;
const SEGMENT_WORDS_MAX = 200;

function openFind({ args }: Started): Inner {
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

function openGit(call: Started): Inner {
  const [verb = "", second = "", ...rest] = subcommand(call);
  if (verb === "submodule" && second === "foreach") return script(rest.join(" "));
  if (verb === "bisect" && second === "run") return words(rest);
  return verb === "rebase" ? script(...optionValues(call.args, "-x --exec")) : NOTHING;
}

/** `python -m twine …`, and a script of its own. */
function openPython({ args }: Started): Inner {
  const rest = fromWord(args, setOf("-W -X"));
  const before = args.slice(0, args.length - rest.length);
  return before.includes("-c") ? NOTHING : words(rest);
}

/** What these are told and do not know is a script of package.json, or a program it installed. */
function openManager(call: Started): Inner {
  const wrapper = wrapped(call);
  if (wrapper.calls.length > 0) return wrapper;
  const rest = fromWord(call.args, valuedOptions(call.program));
  return words(/^(?:run|run-script)$/.test(rest[0] ?? "") ? rest.slice(1) : rest);
}

/** A program whose option holds a script; without the option it may still be a wrapper. */
function openOption(call: Started): Inner | null {
  const at = call.args.findIndex((arg) => /^(?:-[a-z]{0,5}c|--command|--call|--run)$/.test(arg));
  return at === -1 ? null : { ...wrapped(call), scripts: call.args.slice(at + 1, at + 2) };
}

const JOINED_VALUES = setOf("-n --interval -j --jobs --delay --timeout -a --arg-file -I");

/** Its words together are a script. */
function openJoined({ args }: Started): Inner {
  const rest = fromWord(args, JOINED_VALUES).filter((arg) => !arg.startsWith(":::"));
  return rest.length === 0 ? NOTHING : script(rest.join(" "));
}

const RUN_VALUED = setOf(
  "-v --volume -w --workdir -e --env --env-file -u --user -p --publish --name --network --net --entrypoint --mount -h --hostname -l --label --platform -m --memory --cpus -c --add-host --cap-add --cap-drop --device --gpus --ip --link --pid --ipc --restart --security-opt --shm-size --tmpfs --ulimit --volumes-from --pull --dns --expose --index",
);
/** Their programs reach a cluster or a cloud that is a container itself. */
const LOCAL_CONTAINER = /control-plane|k3s|k3d|kind|minikube|localstack|verdaccio/;

/** The program that a container is started or entered for. */
function openContainer({ program, args }: Started): Inner | null {
  const valued = valuedOptions(program);
  let rest = fromWord(args, valued);
  if (/^(?:compose|container)$/.test(rest[0] ?? "")) rest = fromWord(rest.slice(1), valued);
  if (!/^(?:run|exec)$/.test(rest[0] ?? "")) return NOTHING;
  const own = rest.slice(1);
  const [name = "", ...started] = fromWord(own, RUN_VALUED);
  if (LOCAL_CONTAINER.test(name) || hasOption(started, setOf("--dry-run"))) return NOTHING;
  const options = own.slice(0, own.length - started.length - 1);
  const entry = optionValues(options, "--entrypoint");
  return { ...words([...entry, ...started]), isContained: true };
}

const SPECIAL: ReadonlyMap<string, Opener> = eachOf<Opener>({
  "bash sh zsh dash ksh ash fish": openShell,
  "python python3 python2 py": openPython,
  "yarn pnpm bun": openManager,
  "xargs gxargs": openXargs,
  "find gfind": openFind,
  "su flock script npx nix-shell": openOption,
  "watch parallel eval": openJoined,
  "docker podman docker-compose": openContainer,
  git: openGit,
  trap: ({ args }) => (args.length > 1 ? script(args.find((arg) => arg !== "--")) : NOTHING),
  concurrently: ({ args }) =>
    script(...positionals(args, setOf("-n --names -c --prefix-colors -p"))),
});
