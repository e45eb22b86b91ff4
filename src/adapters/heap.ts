// How is the heap kept small in a process that reads a stream for hours?

import { setFlagsFromString } from "node:v8";

/**
 * Left alone, the engine doubles the part of the heap for what is soon forgotten up to 32 MB (64 in
 * newer ones) while events stream by, lets the other part double too, and gives nothing back. Here
 * the first stays as large as it is by now, and the second is looked through after a quarter more.
 *
 * Both flags are read each time; the limits themselves can only be given when Node.js starts. An
 * engine that does not know a flag any more says so on standard error and goes on.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=25");
}
