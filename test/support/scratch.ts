// Where do tests leave what they write, so that nothing of it is there afterwards?

import { chmodSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One folder for temporary files of all tests and their programs; it goes when the last test is over. */
export function setup(): () => void {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "orch-tests-")));
  // Some programs run as another user.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
