// How does orch make commits of its own, which belong to no branch?

import { gitCreateRef, gitText } from "./git.ts";
import type { Git, GitCall } from "./git.ts";
import type { Skipped } from "./sort-paths.ts";

/** Private commits are orch's word, not the user's: they carry neither name nor signature of theirs. */
export const ORCH_IDENTITY = {
  GIT_AUTHOR_NAME: "orch",
  GIT_AUTHOR_EMAIL: "orch@localhost",
  GIT_COMMITTER_NAME: "orch",
  GIT_COMMITTER_EMAIL: "orch@localhost",
} as const;

/** A commit of a tree; parents that are the same commit count once. Returns its id. */
export async function commitTree(
  git: Git,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const { args, call } = makeCommit({ tree, parents, message });
  return (await gitText(git, args, call)).trim();
}

/**
 * As `commitTree`, with a ref that did not exist before, by one process for both. null: it did not
 * work, and nothing is there under that ref.
 */
export async function commitUnder(
  git: Git,
  ref: string,
  { tree, parents, message }: CommitParts,
): Promise<string | null> {
  const { args, call } = makeCommit({ tree, parents, message });
  return gitCreateRef(git, { make: args, name: ["update-ref", "--no-deref", ref] }, call);
}

/** A message that is passed as an argument needs nobody who writes it into a pipe. */
const ARGUMENT_CHARS_MAX = 8 * 1024;

function makeCommit({ tree, parents, message }: CommitParts): {
  readonly args: readonly string[];
  readonly call: GitCall;
} {
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent])];
  return message.length <= ARGUMENT_CHARS_MAX
    ? { args: [...args, "-m", message], call: { env: ORCH_IDENTITY } }
    : { args, call: { input: message, env: ORCH_IDENTITY } };
}

export interface CommitParts {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
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
