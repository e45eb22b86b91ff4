// When does something change in a folder?

import { watch } from "chokidar";

/**
 * The file system's notice may be late, lost (network folders) or refused (too many watchers): so
 * the folder is also looked at in this interval.
 */
const LOOK_AGAIN_MS = 1_000;

/**
 * Resolves as soon as `isNew` says yes, or when `signal` aborts. It is asked after the watch has
 * begun, so that nothing slips in between an earlier look and the watch; then at every change; and
 * once a second.
 */
export async function folderChanged(
  folder: string,
  isNew: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted || isNew()) return;
  const watcher = watch(folder, { depth: 0, ignoreInitial: true, persistent: true });
  try {
    await new Promise<void>((resolve) => {
      const look = () => (signal.aborted || isNew() ? settle() : undefined);
      const timer = setInterval(look, LOOK_AGAIN_MS);
      const settle = () => {
        clearInterval(timer);
        signal.removeEventListener("abort", settle);
        resolve();
      };
      signal.addEventListener("abort", settle, { once: true });
      // Without the watch the interval still looks.
      watcher.on("error", () => undefined);
      watcher.on("ready", look).on("all", look);
    });
  } finally {
    await watcher.close();
  }
}
