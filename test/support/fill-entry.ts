// A process that begins to fill a tree, and stops when some of it is copied: <checkout> <tree>

import { writeSync } from "node:fs";

import { fillTree } from "../../src/workspace/fill/fill-tree.ts";
import { findRepository } from "../../src/workspace/git.ts";

const [root = "", to = ""] = process.argv.slice(2);
const git = await findRepository(root, process.env);
if (git === null) throw new Error(`no repository in ${root}`);
await fillTree({
  git,
  to,
  ignored: ["node_modules/"],
  include: null,
  onProgress: () => {
    writeSync(1, "copying\n");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
  signal: new AbortController().signal,
});
