// How does an agent find this orch on its PATH?

import { chmodSync, lstatSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { temporaryBeside } from "../adapters/files/atomic-file.ts";
import { isRealFolder, readSmallFile } from "../adapters/files/small-file.ts";

const BYTES_MAX = 16 * 1024;
const MODE = 0o700;

/**
 * A folder for PATH with `orch` in it. Agents can change what lies there, so it is looked at each
 * time, and written anew where it is not as it should be. Throws where the disk does, and where
 * something else stands in its place.
 */
export function ensureShim(
  folder: string,
  { node, cli }: { readonly node: string; readonly cli: string },
): void {
  const path = join(folder, "orch");
  const text = `#!/bin/sh\nexec ${shellWord(node)} ${shellWord(cli)} "$@"\n`;
  if (isRealFolder(folder) && isOurs(path, text)) return;
  mkdirSync(folder, { recursive: true, mode: MODE });
  if (!isRealFolder(folder)) throw new Error(`${folder} is not a folder of orch's own`);
  const beside = temporaryBeside(path);
  writeFileSync(beside, text, { mode: MODE, flag: "wx" });
  chmodSync(beside, MODE);
  renameSync(beside, path);
}

function isOurs(path: string, text: string): boolean {
  const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o777) === MODE && readSmallFile(path, BYTES_MAX) === text;
}

/** Text as one word of a POSIX shell, whatever it holds. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
