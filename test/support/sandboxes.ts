// Can bwrap make a sandbox on this machine?

import { spawnSync } from "node:child_process";

/** Where it cannot, orch has to refuse. */
export const MAKES_SANDBOXES =
  spawnSync("bwrap", "--unshare-user --ro-bind / / -- true".split(" ")).status === 0;
