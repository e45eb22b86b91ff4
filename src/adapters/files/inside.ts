// Does a path lie in a folder?

import { isAbsolute, relative, sep } from "node:path";

/** The way from the folder to the path, "" to the folder itself; null: it leads out. Links are not followed. */
export function pathInside(folder: string, path: string): string | null {
  const way = relative(folder, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way;
}
