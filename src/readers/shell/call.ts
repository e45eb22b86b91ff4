// What does one call of a program look like, and what do its arguments say?

import type { Redirect } from "./parse.ts";
import type { Standpoint } from "./folder.ts";

export interface Call {
  /** The simple command that it stands in, as written. */
  readonly text: string;
  /** Without its path: "git"; "": unknown. */
  readonly program: string;
  /** Variables that the script sets are filled in; the others are marked, see word.ts. */
  readonly args: readonly string[];
  readonly redirects: readonly Redirect[];
  /** What it reads, where the script says so. */
  readonly input: () => string | null;
  /** Programs with arguments whose output it reads, the nearest first. */
  readonly feeders: () => readonly (readonly string[])[];
  /** A variable that the script sets; null: the script does not. */
  readonly env: (name: string) => string | null;
  /** The folder it would run in, and what folders are told by. */
  readonly where: Standpoint;
  /** It runs in a container, whose files are its own. */
  readonly isContained: boolean;
  /** It starts other programs, which are calls of their own. */
  readonly isWrapper: boolean;
}

export function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" ").filter((word) => word !== ""));
}

/** A value for each of the names, which are separated by blanks. */
export function eachOf<T>(rows: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(
    Object.entries(rows).flatMap(([names, value]) =>
      names.split(" ").map((name) => [name, value] as const),
    ),
  );
}

const NONE: ReadonlySet<string> = new Set();

function isOption(arg: string): boolean {
  return arg.startsWith("-") && arg.length > 1;
}

/** The arguments from the first that is no option; `valued` are the options that take the next word. */
export function fromWord(args: readonly string[], valued = NONE): readonly string[] {
  let at = 0;
  for (; isOption(args[at] ?? ""); at += 1) if (valued.has(args[at] ?? "")) at += 1;
  return args.slice(at);
}

/** Arguments that are no options. */
export function positionals(args: readonly string[], valued = NONE): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--") return [...found, ...args.slice(at + 1)];
    if (!isOption(arg)) found.push(arg);
    else if (valued.has(arg)) at += 1;
  }
  return found;
}

/** Is one of the options there, and not put off as in `--dry-run=false`? */
export function hasOption(args: readonly string[], names: ReadonlySet<string>): boolean {
  return args.some((arg) => {
    if (!isOption(arg)) return false;
    const [name = ""] = arg.split("=", 1);
    return (
      names.has(name) && !/^=(?:none|false|0|no)$/.test(arg.slice(name.length, name.length + 8))
    );
  });
}

/** Is a one-letter option there, alone or among others as in `-xdf`? */
export function hasLetter(args: readonly string[], letters: string): boolean {
  return args.some(
    (arg) => /^-[A-Za-z0-9]{1,20}$/.test(arg) && letters.split("").some((one) => arg.includes(one)),
  );
}

/** Values of `--name value`, `--name=value`, `-n value` and `-nvalue`. */
export function optionValues(args: readonly string[], names: string): readonly string[] {
  const wanted = names.split(" ").filter((name) => name !== "");
  return args.flatMap((arg, at) => {
    if (!isOption(arg)) return [];
    if (wanted.includes(arg)) return args.slice(at + 1, at + 2);
    const name = wanted.find((one) =>
      one.startsWith("--")
        ? arg.startsWith(`${one}=`)
        : arg.startsWith(one) && !arg.startsWith("--"),
    );
    return name === undefined ? [] : [arg.slice(name.length).replace(/^=/, "")];
  });
}

/** Options before or beside a subcommand that take the next word, so that it is no subcommand. */
const VALUED = eachOf({
  git: "-C -c --git-dir --work-tree --exec-path --namespace --config-env",
  "gh glab":
    "-R --repo --hostname -X --method -H --header -f -F --field --raw-field --input -q --jq -t --template --cache -p",
  "npm yarn":
    "--prefix -C --cwd -w --workspace --registry --tag --access --otp --userconfig --loglevel --include --exclude",
  "pnpm bun": "-C --dir --cwd -F --filter --registry --tag --loglevel --reporter",
  cargo: "-C --manifest-path --config -Z -p --package --color --registry",
  "docker podman docker-compose":
    "-H --host -c --context --config -l --log-level -f --file -p --project-name --profile --env-file --url --project-directory --ansi",
  "kubectl oc k helm":
    "-n --namespace --context --kube-context --kubeconfig --cluster --user -s --server --token --as -l --selector -v",
  aws: "--profile --region --endpoint-url --output --query --ca-bundle --color --cli-read-timeout",
  gcloud: "--project --account --configuration --format --verbosity --region --zone",
  az: "--subscription --query -o --output -g --resource-group",
  "poetry uv pdm hatch": "-C -P --directory --project -p -e --env",
  "make gmake just task rake gradle gradlew":
    "-C -f -I -o -W --directory --file --makefile -d --justfile -p -b -c -x -g --project-dir --build-file --exclude-task",
  "mvn mvnw": "-f --file -pl --projects -P -s --settings -T --threads -l --log-file -rf",
  gem: "--host -k --key -C",
  psql: "-h -p -U -d -c -f -v -o -P -F -R -T -L --host --port --username --dbname --command --file --set",
  "mongosh mongo": "--host --port -u --username -p --password --eval -f --file",
  "fly flyctl vercel netlify firebase wrangler serverless cdk sam pulumi":
    "-a --app -c --config -s --stack --stage -t --token -e --env -m --message -r --region --cwd --profile --context",
  "nx turbo": "--filter -F --projects -p --parallel -t",
});

export function valuedOptions(program: string): ReadonlySet<string> {
  return setOf(VALUED.get(program) ?? "");
}

/** How deep subcommands lie. */
const WORDS_MAX = 6;

/** The words of a call up to its subcommand and what that is about. */
export function subcommand({ program, args }: Pick<Call, "program" | "args">): readonly string[] {
  return positionals(args, valuedOptions(program)).slice(0, WORDS_MAX);
}
