// What changed between two commits, for a person to read or a program to list?

import type { Redact } from "../adapters/redact.ts";
import { entriesBetween } from "./entries.ts";
import { gitBounded, gitList, type Git } from "./git.ts";

export interface ChangedFile {
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
  /** Lines; null: the file is not text. */
  readonly added: number | null;
  readonly removed: number | null;
}

type Commits = readonly [from: string, to: string];

/** A rename counts as two files. Throws where a commit is missing. */
export async function changedFiles(
  git: Git,
  commits: Commits,
  redact: Redact,
): Promise<readonly ChangedFile[]> {
  const entries = await entriesBetween(git, commits);
  const how = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", "--no-ext-diff"];
  const rows = await gitList(git, [...how, "--no-textconv", ...commits]);
  const lines = new Map(
    rows.map((row) => {
      const [added = "", removed = "", ...path] = row.split("\t");
      return [path.join("\t"), [countOf(added), countOf(removed)] as const];
    }),
  );
  return entries.map(({ path, before, after }) => {
    const [added, removed] = lines.get(path) ?? [null, null];
    const isNew = before.kind === "absent";
    const change = isNew ? "added" : after.kind === "absent" ? "removed" : "changed";
    return { path: redact(path), change, added, removed };
  });
}

function countOf(text: string): number | null {
  return text === "-" ? null : Number(text);
}

export interface DiffLook {
  readonly redact: Redact;
  readonly stat: boolean;
  readonly color: boolean;
  readonly columns: number;
}

/** As git shows it. No program that the repository's settings name is run. Cut where it is huge. */
export async function diffText(git: Git, commits: Commits, look: DiffLook): Promise<string> {
  const what = look.stat ? [`--stat=${look.columns}`] : ["-p"];
  const color = look.color ? "--color=always" : "--no-color";
  const plainly = ["--no-ext-diff", "--no-textconv", "--find-renames", color];
  const diff = await gitBounded(
    git,
    ["diff-tree", "-r", ...what, ...plainly, ...commits],
    DIFF_BYTES_MAX,
  );
  if (diff === null) throw new Error(`git shows no difference of ${commits.join(" and ")}`);
  const text = look.redact(diff.text);
  return diff.cut ? `${text}\n… cut after ${DIFF_BYTES_MAX} bytes` : text.trimEnd();
}

const DIFF_BYTES_MAX = 32 * 1024 * 1024;
