// When does something change in one of these folders?

import { watch, type FSWatcher } from "node:fs";

/** The system's notice may be late, lost (network folders) or refused (too many watches). */
const LOOK_AGAIN_MS = 1_000;

/**
 * Calls `look` at every change, and once a second. The first look is the caller's own, after this
 * returned: then nothing slips in between. The returned function ends it.
 */
export function watchFolders(folders: readonly string[], look: () => void): () => void {
  const watches = folders.flatMap((folder) => startWatch(folder, look));
  const timer = setInterval(look, LOOK_AGAIN_MS);
  return () => {
    clearInterval(timer);
    for (const one of watches) one.close();
  };
}

function startWatch(folder: string, look: () => void): readonly FSWatcher[] {
  try {
    const started = watch(folder, look);
    started.on("error", () => started.close());
    return [started];
  } catch {
    return []; // The interval still looks.
  }
}
