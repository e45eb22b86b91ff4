// Where is a source file as a program that plain Node can run?

import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** Bundles one file of the project, given from its root, into a temporary folder. */
export async function bundle(entry: string): Promise<string> {
  const root = join(import.meta.dirname, "../..");
  const folder = await mkdtemp(join(tmpdir(), "orch-bundle-"));
  const build = await rolldown({
    cwd: root,
    input: { program: entry },
    platform: "node",
    tsconfig: false,
    logLevel: "warn",
  });
  await build.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs" });
  await build.close();
  return join(folder, "program.mjs");
}
