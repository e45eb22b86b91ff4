// Which programs only start another one, and where does that one begin among their arguments?

import { setOf } from "./call.ts";

export interface Wrapper {
  /** Options that take the next word. */
  readonly valued: ReadonlySet<string>;
  /** How many words stand between the options and the program. */
  readonly skipped: number;
  /** Options with which it starts nothing. */
  readonly idle: ReadonlySet<string>;
}

type Row = readonly [names: string, valued?: string, skipped?: number, idle?: string];

/** A name of two words is a program with its subcommand. Names are separated by commas. */
const ROWS: readonly Row[] = [
  [
    "sudo",
    "-u -g -h -p -C -T -r -t -U -D -R --user --group --host --prompt --chdir --role --type",
    0,
    "-l -v -k -K -e --list --validate --edit",
  ],
  ["doas", "-u -C -a"],
  ["run0, pkexec", "-u --user"],
  ["env, genv", "-u --unset -C --chdir"],
  ["command", "", 0, "-v -V"],
  ["exec", "-a"],
  ["builtin, nohup, setsid, unbuffer, chronic, caffeinate, busybox, toybox, winpty"],
  ["time, gtime", "-f -o --format --output"],
  ["timeout, gtimeout", "-s -k --signal --kill-after", 1],
  ["nice, gnice", "-n --adjustment"],
  ["ionice", "-c -n --class --classdata", 0, "-p --pid"],
  ["chrt, taskset", "", 1, "-p --pid"],
  ["stdbuf, gstdbuf", "-i -o -e --input --output --error"],
  ["strace, ltrace", "-o -e -p -s -u -a", 0],
  ["flock", "-w -E --timeout --conflict-exit-code", 1],
  [
    "xargs, gxargs",
    "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --max-lines --max-chars",
  ],
  ["cross-env, env-cmd, dotenv, dotenvx run", "-e -f -c -v --file --env-file"],
  [
    "npx, pnpx, bunx, bun x, npm exec, npm x, pnpm dlx, yarn dlx",
    "-p --package -w --workspace -c --call",
  ],
  ["pnpm exec, yarn exec, lerna exec, corepack", "--scope --ignore --filter"],
  [
    "uvx, uv run, uv tool run, pipx run",
    "--from --with --spec --python -p --project --directory --package --extra --group --env-file --with-requirements --index-url",
  ],
  [
    "poetry run, pipenv run, pdm run, hatch run, rye run, pixi run, micromamba run, conda run",
    "-n --name -p --prefix -e --environment",
  ],
  [
    "bundle exec, rbenv exec, pyenv exec, nodenv exec, asdf exec, volta run, fnm exec",
    "--using --node",
  ],
  ["mise exec, mise x, rtx exec", "", 0],
  [
    "direnv exec, rvm do, nvm exec, nvm run, chamber exec, aws-vault exec, envchain",
    "-d --duration",
    1,
  ],
  [
    "doppler run, infisical run, op run, railway run, teller run",
    "-p --project -c --config --env --path --env-file -s --service -e --environment",
  ],
  ["yarn workspace", "", 1],
  ["php", "-d -c"],
  ["ruby", "-I -r -C"],
];

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(
  ROWS.flatMap(([names, valued = "", skipped = 0, idle = ""]) =>
    names
      .split(", ")
      .map((name) => [name, { valued: setOf(valued), skipped, idle: setOf(idle) }] as const),
  ),
);

/** `name` is a program, or a program and its subcommand. */
export function wrapperOf(name: string): Wrapper | null {
  return WRAPPERS.get(name) ?? null;
}

/** The words of what a wrapper starts, with the variables that are set before it. */
export function wrappedWords(args: readonly string[], wrapper: Wrapper): readonly string[] {
  let at = 0;
  let skipped = wrapper.skipped;
  for (; at < args.length; at += 1) {
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
const PACKAGES: Readonly<Record<string, string>> = {
  "@changesets/cli": "changeset",
  "@vscode/vsce": "vsce",
  "firebase-tools": "firebase",
  "netlify-cli": "netlify",
  "aws-cdk": "cdk",
  "aws-cdk-lib": "cdk",
  "@railway/cli": "railway",
  "@angular/cli": "ng",
  "@google/clasp": "clasp",
  "eas-cli": "eas",
  "serverless-framework": "serverless",
  "python-semantic-release": "semantic-release",
  "@shopify/cli": "shopify",
  "@aws-amplify/cli": "amplify",
};

/** "/usr/bin/git" and "git.exe" are git, "semantic-release@24" is semantic-release. */
export function programName(word: string): string {
  const plain = word.slice(0, 300).replace(/(.)@[^/@]*$/, "$1");
  if (Object.hasOwn(PACKAGES, plain)) return PACKAGES[plain] ?? plain;
  return plain.slice(plain.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd|bat|phar)$/i, "");
}
