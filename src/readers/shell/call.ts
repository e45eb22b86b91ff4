// What does one call of a program look like: its words, its folder, and the paths it names?

export interface Redirect {
  /** ">", ">>", "<" and the like, without the number of a descriptor. */
  readonly operator: string;
  readonly target: string;
}

/** Words are without their quotes; a variable or a substitution in them stays as it is written. */
export interface Call {
  /** The simple command that it stands in, as written. */
  readonly text: string;
  /** Without its path: "git". */
  readonly program: string;
  readonly args: readonly string[];
  readonly redirects: readonly Redirect[];
  /** The text of a heredoc or a `<<<` that it reads. */
  readonly input: string | null;
  /** Variables that are set for this call alone. */
  readonly variables: ReadonlyMap<string, string>;
  /** The folder it would run in, and what folders are told by. */
  readonly where: Standpoint;
  /** It reads what the program before it in a pipe prints. */
  readonly isPiped: boolean;
  /** It runs only where the command before it failed. */
  readonly isFallback: boolean;
  /** It stands in a script that another call was given, as in `bash -c "…"`. */
  readonly isInner: boolean;
  /** It runs in a container, whose files are its own. */
  readonly isContained: boolean;
  /** It starts other programs, which are calls of their own. */
  readonly isWrapper: boolean;
}

export function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" ").filter((word) => word !== ""));
}

/** A value for each of the names. */
export function eachOf<T>(rows: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(
    Object.entries(rows).flatMap(([names, value]) =>
      names.split(" ").map((name) => [name, value] as const),
    ),
  );
}

/** "/usr/bin/git" and "git.exe" are git, "semantic-release@24" is semantic-release. */
export function programName(word: string): string {
  const plain = word.slice(0, 300).replace(/(.)@[^/@]*$/, "$1");
  return plain.slice(plain.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd|bat)$/i, "");
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
  const words: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--") return [...words, ...args.slice(at + 1)];
    if (!isOption(arg)) words.push(arg);
    else if (valued.has(arg)) at += 1;
  }
  return words;
}

/** Whether one of the options is there, and not put off as in `--dry-run=false`. */
export function hasOption(args: readonly string[], names: ReadonlySet<string>): boolean {
  return args.some((arg) => {
    const [name = "", value = ""] = arg.split("=", 2);
    return isOption(arg) && names.has(name) && !PUT_OFF.has(value);
  });
}

const PUT_OFF = setOf("none false 0 no");

/** Whether a one-letter option is there, alone or among others as in `-xdf`. */
export function hasLetter(args: readonly string[], letter: string): boolean {
  return args.some((arg) => /^-[A-Za-z0-9]{1,20}$/.test(arg) && arg.includes(letter));
}

/** Values of `--name value`, `--name=value`, `-n value` and `-nvalue`. */
export function optionValues(args: readonly string[], names: string): readonly string[] {
  const wanted = [...setOf(names)];
  return args.flatMap((arg, at) => {
    if (!isOption(arg)) return [];
    if (wanted.includes(arg)) return args.slice(at + 1, at + 2);
    const name = wanted.find((one) =>
      one.startsWith("--")
        ? arg.startsWith(`${one}=`)
        : arg.startsWith(one) && !arg.startsWith("--"),
    );
    return name === undefined ? [] : [arg.slice(name.length + (arg[name.length] === "=" ? 1 : 0))];
  });
}

/** Options before or beside a subcommand that take the next word, whatever the program is. */
export const VALUED = setOf(
  "-C -F -H -R -X -a -b -c -e -f -g -n -o -p -s -u -v -w -x --account --app --build-file --cluster --config --context --cwd --dir --directory --entrypoint --env --env-file --file --filter --git-dir --group --host --kube-context --kubeconfig --manifest-path --method --mount --name --namespace --network --output --package --platform --prefix --profile --project --project-name --query --region --registry --repo --scope --settings --stack --stage --subscription --tag --user --volume --with --work-tree --workdir --workspace --zone",
);

/** How deep subcommands lie. */
const WORDS_MAX = 6;

/** The words of a call up to its subcommand and what that is about. */
export function subcommand({ args }: Pick<Call, "args">): readonly string[] {
  return positionals(args, VALUED).slice(0, WORDS_MAX);
}

export interface Where {
  /** Absolute: the repository's work tree. */
  readonly root: string;
  /** Absolute: where the command starts. */
  readonly cwd: string;
  /** null: unknown. */
  readonly home: string | null;
}

/** As `Where`, once a script has gone to a folder that only a run would know. */
export type Standpoint = Omit<Where, "cwd"> & { readonly cwd: string | null };

/** Without "." and ".."; null: it depends on a folder or a variable that only a run would know. */
export function absolutePath(path: string, where: Omit<Standpoint, "root">): string | null {
  const { cwd, home } = where;
  const plain = path
    .replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home ?? "$HOME")
    .replace(/^(?:\$PWD|\$\{PWD\}|\$\(pwd\))(?=\/|$)/, () => cwd ?? "$PWD");
  if (/[$`]/.test(plain)) return null;
  if (plain.startsWith("/")) return tidyPath(plain);
  return cwd === null ? null : tidyPath(`${cwd}/${plain}`);
}

export function tidyPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  // macOS: /tmp and /var are links to these.
  if (parts[0] === "private" && ["tmp", "var"].includes(parts[1] ?? "")) parts.shift();
  return `/${parts.join("/")}`;
}
