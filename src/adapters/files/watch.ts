// When is there something new in files that other processes write?

/** Beneath the system's notices, which network folders and full tables of watches never give. */
const POLL_MS = 2_000;

/**
 * Resolves as soon as `isNew` says yes, or when `signal` aborts; rejects where `isNew` throws. It is asked
 * at every change of the paths, of a folder's own entries too. They have to be there already.
 */
export async function untilNew(
  paths: string | string[],
  isNew: () => boolean,
  signal: AbortSignal,
  pollMs = POLL_MS,
): Promise<void> {
  if (signal.aborted || isNew()) return;
  const { watch } = await import("chokidar");
  const watcher = watch(paths, { ignoreInitial: true, depth: 0 });
  let timer: NodeJS.Timeout | undefined;
  let check = (): void => {};
  try {
    await new Promise<void>((resolve, reject) => {
      check = () => {
        try {
          if (signal.aborted || isNew()) resolve();
        } catch (error) {
          reject(error);
        }
      };
      // What changed before the watcher was ready is in no notice; what it cannot watch is looked at.
      watcher.on("all", check).on("ready", check).on("error", check);
      timer = setInterval(check, pollMs);
      signal.addEventListener("abort", check);
    });
  } finally {
    clearInterval(timer);
    signal.removeEventListener("abort", check);
    await watcher.close();
  }
}
