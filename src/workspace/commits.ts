// How are commits made of trees, by orch or for the user?

import { gitText, gitTry, type Git } from "./git.ts";
import type { Skipped } from "./sort-paths.ts";

/** Private commits are orch's word, not the user's: they carry neither name nor signature of theirs. */
const ORCH_IDENTITY = {
  GIT_AUTHOR_NAME: "orch",
  GIT_AUTHOR_EMAIL: "orch@localhost",
  GIT_COMMITTER_NAME: "orch",
  GIT_COMMITTER_EMAIL: "orch@localhost",
} as const;

/** A commit of a tree by orch; equal parents count once. Returns its id. */
export async function commitTree(
  git: Git,
  tree: string,
  parents: readonly string[],
  note: string | CommitNote,
): Promise<string> {
  const { message, by } = typeof note === "string" ? { message: note, by: ORCH_IDENTITY } : note;
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  return (await gitText(git, args, { input: message, env: by })).trim();
}

interface CommitNote {
  readonly message: string;
  /** Author and committer, as variables of git's. */
  readonly by: Readonly<Record<string, string>>;
}

/** Of a commit by the user. */
export async function byUser(git: Git, message: string): Promise<CommitNote> {
  return { message: plain(message), by: await identity(git) };
}

/** The user's name and address as git knows them; orch's own where it knows none. */
async function identity(git: Git): Promise<Readonly<Record<string, string>>> {
  const known =
    (await gitTry(git, ["var", "GIT_AUTHOR_IDENT"], ANY)) !== null &&
    (await gitTry(git, ["var", "GIT_COMMITTER_IDENT"], ANY)) !== null;
  return known ? {} : ORCH_IDENTITY;
}

const ANY = ["var", "GIT_EDITOR"];

export function plain(message: string): string {
  const text = message.replaceAll("\0", "").trim();
  return `${text === "" ? "orch: work" : text}\n`;
}

/** Trailers for what a snapshot had to leave out; bounded. */
export function skippedTrailers(skipped: readonly Skipped[]): readonly string[] {
  const named = skipped
    .slice(0, SKIPPED_NAMED_MAX)
    .map(({ path, why }) => `Orch-Skipped: ${JSON.stringify(path)} (${why})`);
  const more = skipped.length - named.length;
  return more > 0 ? [...named, `Orch-Skipped: and ${more} more`] : named;
}

const SKIPPED_NAMED_MAX = 50;
