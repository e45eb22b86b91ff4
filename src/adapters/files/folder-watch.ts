// When does something change in a folder?

import { watch, type FSWatcher } from "node:fs";

/** The system's notice may be late, lost (network folders) or refused (too many watches). */
const CHECK_AGAIN_MS = 1_000;

/**
 * Calls `check` at every change, and once a second. The first check is the caller's own, after this
 * returned: then nothing slips in between. The returned function ends it.
 */
export function watchFolder(folder: string, check: () => void): () => void {
  let watcher: FSWatcher | null = null;
  try {
    watcher = watch(folder, check);
    watcher.on("error", () => watcher?.close());
  } catch {
    // The interval still checks.
  }
  const timer = setInterval(check, CHECK_AGAIN_MS);
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}

/** Resolves as soon as `isNew` says yes, or when `signal` aborts. Rejects where `isNew` throws. */
export function folderChanged(
  folder: string,
  isNew: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      try {
        if (!signal.aborted && !isNew()) return;
        resolve();
      } catch (error) {
        reject(error);
      }
      unwatch();
      signal.removeEventListener("abort", check);
    };
    const unwatch = watchFolder(folder, check);
    signal.addEventListener("abort", check);
    check();
  });
}
