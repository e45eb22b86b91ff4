// A throw-away project: a folder with the given files, gone when the test is.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { privateFolder } from "./private-folder.ts";

/** Absolute path of the folder. `git: true` makes it look like a repository's root. */
export function makeProject(
  files: Readonly<Record<string, string>>,
  { git = true }: { readonly git?: boolean } = {},
): string {
  const root = privateFolder();
  if (git) mkdirSync(join(root, ".git", "objects"), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
