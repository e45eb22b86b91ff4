// Which programs only start another one, and where does that one begin among their arguments?

import { setOf } from "./call.ts";

interface Wrapper {
  /** Options that take the next word. */
  readonly valued: ReadonlySet<string>;
  /** How many words stand between the options and the program. */
  readonly skipped: number;
  /** Options with which it starts nothing. */
  readonly idle: ReadonlySet<string>;
}

type Row = readonly [valued?: string, skipped?: number, idle?: string];

/** A name of several words is a program with its subcommand. Names are separated by commas. */
const ROWS: Readonly<Record<string, Row>> = {
  sudo: [
    "-u -g -h -p -C -T -r -t -U -D -R --user --group --host --prompt --chdir",
    0,
    "-l -v -k -K -e --list --validate --edit",
  ],
  "doas, run0, pkexec": ["-u -C -a --user --group"],
  "env, genv": ["-u --unset -C --chdir"],
  command: ["", 0, "-v -V"],
  "exec, builtin, nohup, setsid, unbuffer, chronic, caffeinate, busybox, winpty": ["-a"],
  "time, gtime": ["-f -o --format --output"],
  "timeout, gtimeout": ["-s -k --signal --kill-after", 1],
  "nice, gnice, ionice": ["-n -c --adjustment --class --classdata", 0, "-p --pid"],
  "chrt, taskset": ["", 1, "-p --pid"],
  "stdbuf, gstdbuf, strace, ltrace": ["-i -o -e -p -s -u --input --output --error"],
  flock: ["-w -E --timeout --conflict-exit-code", 1],
  "xargs, gxargs": [
    "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --max-lines --max-chars",
  ],
  "cross-env, env-cmd, dotenv, dotenvx run": ["-e -f -c -v --file --env-file"],
  "npx, pnpx, bunx, bun x, npm exec, npm x, pnpm dlx, yarn dlx, pnpm exec, yarn exec, lerna exec, corepack":
    ["-p --package -w --workspace -c --call --scope --ignore --filter"],
  "uvx, uv run, uv tool run, pipx run, poetry run, pipenv run, pdm run, hatch run, conda run": [
    "--from --with --spec --python -p --project --directory --package --extra --group --env-file --index-url -n --name --prefix -e --environment",
  ],
  "bundle exec, rbenv exec, pyenv exec, nodenv exec, asdf exec, volta run, mise exec, mise x, nix develop, nix shell":
    [],
  "nvm exec, nvm run, rvm do, direnv exec, chamber exec, aws-vault exec, yarn workspace": [
    "-d --duration",
    1,
  ],
  "doppler run, op run, railway run": [
    "-p --project -c --config --env --path --env-file -s --service -e --environment",
  ],
  "php, ruby": ["-d -c -I -r -C"],
};

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(
  Object.entries(ROWS).flatMap(([names, [valued = "", skipped = 0, idle = ""]]) =>
    names
      .split(", ")
      .map((name) => [name, { valued: setOf(valued), skipped, idle: setOf(idle) }] as const),
  ),
);

/** The words of what a wrapper starts, with the variables that are set before it; null: it is no wrapper. */
export function wrappedWords(name: string, args: readonly string[]): readonly string[] | null {
  const wrapper = WRAPPERS.get(name);
  if (wrapper === undefined) return null;
  let { skipped } = wrapper;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (wrapper.idle.has(arg)) return [];
    if (arg === "--") {
      if (skipped === 0) return args.slice(at + 1);
    } else if (wrapper.valued.has(arg)) at += 1;
    else if (!arg.startsWith("-")) {
      if (skipped === 0) return args.slice(at);
      skipped -= 1;
    }
  }
  return [];
}

/** Names under which a registry has a program. */
const PACKAGES = new Map([
  ["@changesets/cli", "changeset"],
  ["firebase-tools", "firebase"],
  ["netlify-cli", "netlify"],
  ["aws-cdk", "cdk"],
]);

/** "/usr/bin/git" and "git.exe" are git, "semantic-release@24" is semantic-release. */
export function programName(word: string): string {
  const plain = word.slice(0, 300).replace(/(.)@[^/@]*$/, "$1");
  const known = PACKAGES.get(plain) ?? plain;
  return known.slice(known.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd|bat)$/i, "");
}
