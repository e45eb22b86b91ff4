// How does a test put a pipe where a file is expected?

import { execFileSync } from "node:child_process";

/** Nobody writes to it: whoever opens it for reading in the plain way waits for ever. */
export function makePipe(path: string): void {
  const [program, ...options] = ["mkfifo", "-m", "600"];
  execFileSync(program ?? "", [...options, path]);
}
