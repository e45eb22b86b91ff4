// How does a test get a repository of its own, of which this machine's configuration knows nothing?

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Without anything of the machine's own configuration. */
export const GIT_ENV: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

const CONFIG = `[core]
	repositoryformatversion = 0
[user]
	name = Ada
	email = ada@example.org
[maintenance]
	auto = false
`;

export type Git = (...args: readonly string[]) => string;

/** Runs git in the folder; what it prints, without the end of the last line. */
export function gitIn(root: string): Git {
  return (...args) =>
    execFileSync("git", args, {
      cwd: root,
      env: GIT_ENV,
      encoding: "utf8",
      stdio: "pipe",
    }).trimEnd();
}

/** As `git init` and two `git config` leave it, which together take as long as a test may. */
export function initRepository(root: string): Git {
  for (const folder of ["objects", "refs", "info", "hooks"])
    mkdirSync(join(root, ".git", folder), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(root, ".git/config"), CONFIG);
  return gitIn(root);
}

/** Everything in the folder, as the first commit. */
export function commitAll(git: Git): void {
  git("add", "--all");
  git("commit", "--quiet", "--allow-empty", "--message=start");
}
