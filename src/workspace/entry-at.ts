// What stands at a path?

import { lstatSync, type Stats } from "node:fs";

/** null: nothing there, or nothing that can be looked at. */
export function entryAt(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
