// When does something change in a folder?

import { watch, type FSWatcher } from "node:fs";

/** The system's notice may be late, lost (network folders) or refused (too many watches). */
const LOOK_AGAIN_MS = 1_000;

/**
 * Calls `look` at every change, and once a second. The first look is the caller's own, after this
 * returned: then nothing slips in between. The returned function ends it.
 */
export function watchFolder(folder: string, look: () => void): () => void {
  const started = startWatch(folder, look);
  const timer = setInterval(look, LOOK_AGAIN_MS);
  return () => {
    clearInterval(timer);
    started?.close();
  };
}

function startWatch(folder: string, look: () => void): FSWatcher | null {
  try {
    const started = watch(folder, look);
    started.on("error", () => started.close());
    return started;
  } catch {
    return null; // The interval still looks.
  }
}
