// Which subcommands of a program are acts?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import { hasOption, positionals, setOf } from "../shell/call.ts";
import type { Call, Rules } from "../shell/call.ts";
import { valuedOptions } from "../shell/valued.ts";

/**
 * Verbs are separated by commas; each is the first words after the program, "a|b" is one word of
 * several, "*" any word. The verb "" is the bare call.
 */
export type VerbRow = readonly [programs: string, verbs: string, action: IrreversibleAction];

type Verb = readonly ReadonlySet<string>[];

/** How deep subcommands lie. */
const WORDS_MAX = 6;

export function rulesFrom(rows: readonly VerbRow[]): Rules {
  const table = new Map<string, readonly (readonly [verb: Verb, action: IrreversibleAction])[]>();
  for (const [programs, verbs, action] of rows) {
    const read = verbs.split(", ").map((verb) => [verbFrom(verb), action] as const);
    for (const program of programs.split(" "))
      table.set(program, [...(table.get(program) ?? []), ...read]);
  }
  return Object.fromEntries(
    [...table].map(([program, verbs]) => [program, (call: Call) => actionOf(call, verbs)]),
  );
}

/** The words of a call up to its subcommand and what that is about. */
export function subcommand({ program, args }: Call): readonly string[] {
  return positionals(args, valuedOptions(program)).slice(0, WORDS_MAX);
}

function verbFrom(verb: string): Verb {
  return verb === "" ? [] : verb.split(" ").map((word) => new Set(word.split("|")));
}

function actionOf(
  call: Call,
  verbs: readonly (readonly [verb: Verb, action: IrreversibleAction])[],
): IrreversibleAction | null {
  const words = subcommand(call);
  const isMeant = (verb: Verb): boolean =>
    verb.length === 0
      ? words.length === 0
      : verb.every((one, at) => words.length > at && (one.has("*") || one.has(words[at] ?? "")));
  return verbs.find(([verb]) => isMeant(verb))?.[1] ?? null;
}

/** Options with which any program changes nothing. */
const HARMLESS = setOf(
  "--dry-run --dryrun --dry_run --help -help --just-print --noop --no-op --what-if --whatif",
);

/** What else puts the act off, for one program. */
const HARMLESS_FOR: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  (
    [
      ["git", "--analyze"],
      ["cargo yarn dart flutter", "-n"],
      ["make gmake rake", "-n --question -q"],
      ["gradle gradlew", "-m"],
      ["ansible-playbook", "--check -C --syntax-check --list-hosts --list-tasks --list-tags"],
      ["ansible", "--check -C --list-hosts"],
      ["goreleaser", "--snapshot --skip-publish"],
      ["semantic-release", "-d --print --no-push"],
      ["release-it", "-d --no-npm.publish"],
      ["np", "--preview --no-publish"],
      ["nx", "-d"],
      ["aws", "--generate-cli-skeleton --no-execute-changeset"],
      ["cdk", "--no-execute --show-template"],
      ["pulumi", "--preview-only"],
      ["kubectl oc k", "--list --local --rm"],
      ["gh", "--list"],
      ["vercel vc", "-v"],
      ["fly flyctl", "--build-only"],
      ["turbo", "--dry"],
      ["wrangler", "--local --outdir"],
      ["supabase", "--local"],
      ["gh-pages", "--no-push"],
      ["lerna", "--no-push"],
      ["rsync", "-n --list-only"],
      ["terraform tofu", "-help"],
    ] as const
  ).flatMap(([programs, options]) =>
    programs.split(" ").map((program) => [program, setOf(options)] as const),
  ),
);

/** Where `-h` is a host, or means no help. */
const H_IS_NO_HELP = setOf(
  "psql mysql mariadb redis-cli valkey-cli dropdb mongosh mongo clickhouse-client shutdown chown chgrp mysqladmin pg_restore kamal",
);

/** Does the call only tell, or try out? */
export function isHarmless({ program, args }: Call): boolean {
  if (hasOption(args, HARMLESS) || args[0] === "--version") return true;
  if (args.at(-1) === "-h" && !H_IS_NO_HELP.has(program)) return true;
  const own = Object.hasOwn(HARMLESS_FOR, program) ? HARMLESS_FOR[program] : undefined;
  return own !== undefined && hasOption(args, own);
}
