import { expect, test } from "vitest";

import { machineRemedy, refusedBy } from "../../src/core/model/machine.ts";

test.each([
  ["spawn /bin/sh EAGAIN", "machine", /processes/],
  ["/bin/sh: 31: Cannot fork", "machine", /processes/],
  ["spawn claude EMFILE", "machine", /ulimit -n/],
  ["Error: ENOSPC: no space left on device, open '/x'", "machine", /space or inodes/],
  ["EIO: i/o error, read", "machine", /disk/],
  ["spawn claude EACCES", "refused", null],
  ["spawn claude E2BIG", "refused", null],
  ["", "refused", null],
] as const)("%s is a fault of: %s", (words, by, remedy) => {
  expect(refusedBy(words)).toBe(by);
  if (remedy === null) expect(machineRemedy(words)).toBeNull();
  else expect(machineRemedy(words)).toMatch(remedy);
});
