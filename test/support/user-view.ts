// What is a user's in a repository, so that it can be compared before and after?

import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

import type { Git } from "./repository.ts";

/** What may not change because of orch: everything but its own refs, its branches and `.orch`. */
export interface UserView {
  readonly head: string;
  readonly refs: string;
  readonly stash: string;
  /** The index file, byte by byte. */
  readonly index: string;
  readonly config: string;
  /** Every file of the checkout, tracked, untracked or ignored: its mode and content. */
  readonly files: Readonly<Record<string, string>>;
  /** Objects that are reachable from what is the user's. */
  readonly objects: string;
}

export function userView(root: string, git: Git): UserView {
  const refs = git("for-each-ref", "--format=%(refname) %(objectname)")
    .split("\n")
    .filter((line) => !/^refs\/(?:heads\/)?orch\//.test(line));
  const hash = (path: string): string =>
    createHash("sha256")
      .update(readFileSync(join(root, path)))
      .digest("hex");
  return {
    head: readFileSync(join(root, ".git/HEAD"), "utf8"),
    refs: refs.join("\n"),
    stash: git("stash", "list"),
    index: hash(".git/index"),
    config: readFileSync(join(root, ".git/config"), "utf8"),
    files: Object.fromEntries(filesBelow(root, "")),
    objects: git("rev-list", "--objects", "--exclude=orch/*", "--branches", "--tags", "HEAD"),
  };
}

function filesBelow(root: string, folder: string): readonly (readonly [string, string])[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (path === ".git" || path === ".orch") return [];
    const full = join(root, path);
    const stats = lstatSync(full);
    if (stats.isDirectory()) return filesBelow(root, path);
    const content = stats.isSymbolicLink()
      ? readlinkSync(full)
      : readFileSync(full).toString("hex");
    return [[path, `${stats.mode} ${content}`] as const];
  });
}
