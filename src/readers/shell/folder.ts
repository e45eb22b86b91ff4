// Where is a command run, and which folder does a path name from there?

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
export function absolutePath(
  path: string,
  { cwd, home }: Pick<Standpoint, "cwd" | "home">,
): string | null {
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
