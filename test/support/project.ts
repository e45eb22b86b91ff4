// A throw-away project: a folder with the given files, gone when the test is.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** Absolute path of the folder. `git: true` makes it look like a repository's root. */
export function makeProject(
  files: Readonly<Record<string, string>>,
  { git = true }: { readonly git?: boolean } = {},
): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "orch-project-")));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
  if (git) mkdirSync(join(root, ".git"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
