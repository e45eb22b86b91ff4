// How are commits made of trees, by orch or for the user?

import { OrchError } from "../../errors.ts";
import type { Environment } from "../git/shell.ts";
import { gitAnswer, gitText, REFUSALS, type Git, type GitSetting } from "../git/git.ts";
import type { Skipped } from "./index-paths.ts";

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
  note: string | { readonly message: string; readonly by: Environment },
): Promise<string> {
  const { message, by } = typeof note === "string" ? { message: note, by: ORCH_IDENTITY } : note;
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  return (await gitText(git, args, { input: message, env: by })).trim();
}

/**
 * As `commitTree`, of a commit of the user's: by their name and address as git knows them, where it knows none by those
 * of the environment, and else by those of HEAD's author.
 */
export async function commitTreeByUser(
  git: Git,
  tree: string,
  parents: readonly string[],
  text: string,
): Promise<string> {
  const message = plain(text);
  try {
    return await commitTree(git, tree, parents, { message, by: {} });
  } catch (error) {
    if (!(error instanceof OrchError) || !NOBODY.test(error.message)) throw error;
    const { GIT_AUTHOR_EMAIL: address = "", GIT_AUTHOR_NAME = address } = git.env;
    const named = address === "" ? null : { name: GIT_AUTHOR_NAME, email: address };
    const { name, email } = named ?? (await authorOfHead(git));
    const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email };
    const by = { ...author, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email };
    return commitTree(git, tree, parents, { message, by });
  }
}

async function authorOfHead(git: Git): Promise<Readonly<Record<"name" | "email", string>>> {
  const written = await gitText(git, ["log", "-1", "--format=%an%x00%ae", "HEAD"]);
  const [name = "", email = ""] = written.trim().split("\0");
  return { name: name === "" ? email : name, email };
}

/** Whose commits will be made, where git does not know who works here; null: it does. */
export async function strangeAuthor(
  git: Git,
  settings: readonly GitSetting[],
): Promise<string | null> {
  const { env } = git;
  const isKnown = settings.some(({ key }) => ["user.email", "author.email"].includes(key));
  if (isKnown || env["GIT_AUTHOR_EMAIL"] || env["EMAIL"]) return null;
  if ((await gitAnswer(git, ["var", "GIT_AUTHOR_IDENT"], REFUSALS)).exitCode === 0) return null;
  const { name, email } = await authorOfHead(git);
  return `git knows no name and address of yours: commits are made as ${name} <${email}>, the author of HEAD`;
}

/** As git says it. */
const NOBODY = /who you are|empty ident|auto-detect|user\.useConfigOnly/;

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

/** Every object is there, as git finds them: what a prune took away in between is not. */
export async function requireWhole(git: Git, commit: string): Promise<void> {
  await gitText(git, ["rev-list", "--objects", "--quiet", commit, "--not", `${commit}^1`]);
}
