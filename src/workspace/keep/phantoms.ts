// Which files does git show as changed although nobody changed them?

import { existsSync } from "node:fs";
import { join } from "node:path";

import { writeFileAtomic } from "../../adapters/files/atomic-file.ts";
import { readSmallFile } from "../../adapters/files/small-file.ts";
import { jsonIn, isObject } from "../../core/model/json.ts";
import { gitText, type Git } from "../git/git.ts";

const BYTES_MAX = 16 * 1024 * 1024;

/**
 * Where line endings or filters of a repository differ from what was committed, a fresh checkout shows files as
 * changed. By path, what git would record of them; kept beside the private index. Nobody's work, for as long as
 * nobody changes them.
 */
export async function notePhantoms(
  git: Git,
  index: string,
  changed: readonly string[],
): Promise<void> {
  const ids = await recordedIds(git, changed);
  if (ids.size > 0) writeFileAtomic(fileFor(index), JSON.stringify(Object.fromEntries(ids)));
}

/** Does the repository convert files at all? Else there is nothing to look for. */
export function convertsFiles({ root, commonDir, pinned }: Git): boolean {
  const files = [join(root, ".gitattributes"), join(commonDir, "info/attributes")];
  return (
    files.some(existsSync) || (pinned?.settings ?? []).some(({ key }) => CONVERTS.includes(key))
  );
}

const CONVERTS: readonly string[] = ["core.autocrlf", "core.eol", "core.attributesfile"];

/** Those of the changed paths that somebody changed. */
export async function withoutPhantoms(
  git: Git,
  index: string,
  changed: readonly string[],
): Promise<readonly string[]> {
  if (changed.length === 0 || !existsSync(fileFor(index))) return changed;
  const noted = jsonIn(readSmallFile(fileFor(index), BYTES_MAX) ?? "");
  const phantoms = new Map(isObject(noted) ? Object.entries(noted) : []);
  const now = await recordedIds(
    git,
    changed.filter((path) => phantoms.has(path)),
  );
  return changed.filter((path) => !now.has(path) || now.get(path) !== phantoms.get(path));
}

function fileFor(index: string): string {
  return `${index}.phantoms`;
}

/** As git would record the files now; a path that is no line is left out. */
async function recordedIds(
  git: Git,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const files = paths.filter((path) => !/[\r\n"]/.test(path) && existsSync(join(git.root, path)));
  if (files.length === 0) return new Map();
  const input = files.map((path) => `${path}\n`).join("");
  const ids = (await gitText(git, ["hash-object", "--stdin-paths"], { input })).split("\n");
  return new Map(files.map((path, at) => [path, ids[at] ?? ""]));
}
