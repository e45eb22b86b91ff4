// Where may git write, and what does it see, where a sandbox holds what it starts?

import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import type { Confine } from "../../adapters/process/confine.ts";
import type { Git, Pinned } from "./git.ts";

export interface GitSandbox {
  readonly confine: Confine;
  /** There git works for the user, with what the user has there; null: an agent works there, too. */
  readonly checkout: string | null;
}

/** They start nothing, and look at no file of a tree. */
const ON_REFS: ReadonlySet<string | undefined> = new Set(["update-ref", "symbolic-ref"]);

/**
 * What stands before the shell that runs the command. An agent chooses by what it writes which filters and drivers of
 * merges run, on what, and what its own repository leads git to. All of these see the user's repository, and write
 * in the tree, in the repository's objects and in orch's own refs; they reach no network.
 */
export function confinementOf(git: Git, command: string | undefined): readonly string[] {
  const { root, gitDir, commonDir, pinned, env, sandbox } = git;
  if (sandbox === null || sandbox.checkout === root || ON_REFS.has(command)) return [];
  const refs = join(commonDir, "refs/orch");
  const indexes = pinned === null ? [] : [join(dirname(pinned.folder), "index")];
  for (const folder of [refs, ...indexes]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stores = ["objects", "lfs", "reftable"].map((name) => join(commonDir, name));
  const read = [commonDir, ...(pinned === null ? [] : [pinned.folder, ...namedFiles(pinned)])];
  const write = [dirname(gitDir), ...stores, refs, ...indexes];
  return sandbox.confine({ who: "git", cwd: root, env, read, write });
}

/** The user's lists of ignored files and of attributes. */
function namedFiles({ settings }: Pinned): readonly string[] {
  return settings.flatMap(({ key, value }) =>
    value !== null && /^core\.(?:excludesfile|attributesfile)$/.test(key)
      ? [value.replace(/^~(?=\/)/, homedir())]
      : [],
  );
}
