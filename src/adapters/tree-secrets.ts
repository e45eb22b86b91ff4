// Which secrets stand in ignored files of the checkout, which the trees of tasks have, too?

import { join } from "node:path";

import type { Recorded } from "../core/model/event.ts";
import { readFileBounded } from "./files/small-file.ts";
import { secretsInFile, type NamedSecret } from "./redact.ts";

const FILES_MAX = 200;
const FILE_BYTES_MAX = 64 * 1024;

/** Ignored paths that trees of this run were given. */
export function ignoredIn(events: readonly Recorded[]): readonly string[] {
  return events.flatMap(({ event }) => (event.type === "tree-made" ? event.ignored : []));
}

/** Of `.env` and the first files among the paths; a large one, or one that cannot be read, has none. */
export function secretsIn(root: string, paths: readonly string[]): readonly NamedSecret[] {
  return [".env", ".env.local", ...paths].slice(0, FILES_MAX).flatMap((path) => {
    const file = readFileBounded(join(root, path), FILE_BYTES_MAX, "followed");
    return file.kind === "read" ? secretsInFile(path, file.text) : [];
  });
}
