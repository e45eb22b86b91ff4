// What is a rule about one program, and which calls only tell?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import { eachOf, hasOption, setOf, type Call } from "../shell/call.ts";
import type { Created } from "./created.ts";

/** null: this call is none of the acts that the rule knows. */
export type Rule = (call: Call, created: Created) => IrreversibleAction | null;
/** Names of programs, separated by blanks, and their rule. */
export type Rules = readonly (readonly [programs: string, rule: Rule])[];

/** Options with which any program changes nothing. */
const HARMLESS = setOf("--dry-run --dryrun --dry_run --help -help --just-print --noop --what-if");

/** What else puts the act off, for one program. */
const HARMLESS_FOR = eachOf({
  "cargo yarn rsync": "-n --list-only",
  "make gmake rake": "-n --question -q",
  "gradle gradlew": "-m",
  "ansible-playbook": "--check -C --syntax-check --list-hosts --list-tasks --list-tags",
  goreleaser: "--snapshot --skip-publish",
  "semantic-release release-it nx turbo": "-d --dry --no-push",
  aws: "--generate-cli-skeleton --no-execute-changeset",
  "cdk pulumi": "--no-execute --show-template --preview-only",
  "kubectl oc k gh": "--list --local --rm",
  "vercel fly flyctl wrangler": "-v --build-only --local",
  "gh-pages lerna": "--no-push",
});

/** Where `-h` is a host, or means no help. */
const H_IS_NO_HELP = setOf(
  "psql mysql mariadb redis-cli valkey-cli dropdb mongosh mongo shutdown chown chgrp mysqladmin pg_restore",
);

/** Does the call only tell, or try out? */
export function isHarmless({ program, args }: Call): boolean {
  if (hasOption(args, HARMLESS) || args[0] === "--version") return true;
  if (args.at(-1) === "-h" && !H_IS_NO_HELP.has(program)) return true;
  return hasOption(args, setOf(HARMLESS_FOR.get(program) ?? ""));
}
