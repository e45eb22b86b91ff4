// What else does a call run: a program it starts, or a script it was given?

import { eachOf, fromWord, hasLetter, positionals, setOf, VALUED, type Call } from "./call.ts";

export interface Inner {
  /** Programs with their arguments. */
  readonly calls: readonly (readonly string[])[];
  readonly scripts: readonly string[];
  /** They run in a container. */
  readonly isContained?: true;
}

type Started = Omit<Call, "isWrapper">;

const NOTHING: Inner = { calls: [], scripts: [] };

export function innerOf(call: Started): Inner {
  return SPECIAL.get(call.program)?.(call) ?? openWrapper(call);
}

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

const SEGMENTS_MAX = 20;
const SEGMENT_WORDS_MAX = 200;

const EXEC = setOf("-exec -execdir -ok -okdir");

/** What `-exec` starts, for something in the folders that are searched. */
function openFind({ args }: Started): Inner {
  const targets = findTargets(args);
  const calls: (readonly string[])[] = [];
  for (let at = 0; at < args.length && calls.length < SEGMENTS_MAX; at += 1) {
    if (!EXEC.has(args[at] ?? "")) continue;
    const rest = args.slice(at + 1, at + SEGMENT_WORDS_MAX);
    const end = rest.findIndex((word) => word === ";" || word === "+");
    const segment = end === -1 ? rest : rest.slice(0, end);
    calls.push(segment.flatMap((word) => (word === "{}" ? targets : [word])));
    at += segment.length;
  }
  return words(...calls);
}

const TARGETS_MAX = 50;

/** Something in each of the folders that a `find` searches. */
export function findTargets(args: readonly string[]): readonly string[] {
  const rest = fromWord(args);
  const end = rest.findIndex((arg) => /^[-(!]/.test(arg));
  const roots = end === -1 ? rest : rest.slice(0, end);
  return (roots.length === 0 ? ["."] : roots.slice(0, TARGETS_MAX)).map((root) => `${root}/*`);
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
  find: openFind,
  "docker podman docker-compose": openContainer,
  command: ({ args }) => (/^-[vV]/.test(args[0] ?? "") ? NOTHING : words(fromWord(args))),
  eval: ({ args }) => ({ calls: [], scripts: [args.join(" ")] }),
  concurrently: ({ args }) => ({ calls: [], scripts: positionals(args, setOf("-n -c")) }),
});
