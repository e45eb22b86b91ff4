// How is state.json kept up to date without slowing the log down?

import { writeFileAtomic } from "../files/atomic-file.ts";
import { systemDisk, type Disk } from "../files/disk.ts";

/** A person sees no difference, and a burst of events becomes one write. */
const COALESCE_MS = 250;

export interface Projection {
  /** Something is new: the file follows within 250 ms. */
  changed(): void;
  /** The file is up to date when this returns. Throws OrchError. */
  flush(): void;
  /** Nothing is written any more. What `changed` announced is lost unless it was flushed. */
  stop(): void;
}

export interface ProjectionOptions {
  /** Asked before every write: a displaced owner must not overwrite its successor's file. */
  readonly mayWrite?: () => boolean;
  readonly disk?: Disk;
}

/** A file that can be made again from the log at any time; `render` says what stands in it. */
export function projection(
  path: string,
  render: () => string,
  options: ProjectionOptions = {},
): Projection {
  const disk = options.disk ?? systemDisk;
  let timer: NodeJS.Timeout | null = null;
  let written: string | null = null;

  return { changed, flush, stop };

  function changed(): void {
    timer ??= setTimeout(writeQuietly, COALESCE_MS).unref();
  }

  function flush(): void {
    stop();
    if (options.mayWrite?.() === false) return;
    const text = render();
    if (text === written) return;
    writeFileAtomic(path, text, disk);
    written = text;
  }

  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function writeQuietly(): void {
    try {
      flush();
    } catch {
      // The log is the truth and this only a view of it: the next change tries again, and a full
      // disk stops the run where the log itself cannot be written.
    }
  }
}
