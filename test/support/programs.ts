// Which programs do tests start, and when are they made? Before the first test file, all at once.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder that `test/support/*-entry.ts` are bundled into. */
    programs: string;
  }
}

const ROOT = join(import.meta.dirname, "../..");
/** What lies here the test runner leaves to Node.js to load. */
const CACHE = join(ROOT, "node_modules/.cache");
const SUPPORT = join(ROOT, "test/support");

/** The program as users get it is built where that is out of date; `npm test` has built it already. */
export async function setup(project: TestProject): Promise<() => void> {
  const build = spawnSync(process.execPath, ["scripts/build.mjs", "--programs"], {
    cwd: ROOT,
    stdio: "inherit",
  });
  if (build.status !== 0) throw new Error("the program could not be built");
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, "orch-tests-"));
  const entries = readdirSync(SUPPORT).filter((name) => name.endsWith("-entry.ts"));
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(entries.map((name) => [name.slice(0, -3), join(SUPPORT, name)])),
    platform: "node",
    tsconfig: false,
    logLevel: "warn",
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs" });
  await bundle.close();
  project.provide("programs", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
