// How does a small text file come to name another folder, whatever its encoding?

import { constants } from "node:fs";
import { chmod, lstat, readFile, writeFile } from "node:fs/promises";

import { relocate } from "../core/model/relocate.ts";

/** In the file, paths that begin with one of `from` begin with `to`; what is no text stays as it is. */
export async function relocateFile(
  file: string,
  from: readonly string[],
  to: string,
): Promise<void> {
  const content = await readFile(file);
  if (content.includes(0)) return;
  // As single bytes, so that text of whatever encoding comes out as it went in.
  const text = content.toString("latin1");
  const moved = from.reduce((was, each) => relocate(was, latin1(each), latin1(to)), text);
  if (moved === text) return;
  const { mode } = await lstat(file);
  await chmod(file, mode | constants.S_IWUSR);
  await writeFile(file, moved, "latin1");
  await chmod(file, mode);
}

function latin1(path: string): string {
  return Buffer.from(path).toString("latin1");
}
