// Where are the hook and the tool server that a driver's agent calls back?

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { rolldown } from "rolldown";

import type { Callbacks } from "../../src/drivers/claude-code/control-files.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const MCP_ENTRY = fileURLToPath(new URL("./mcp-entry.ts", import.meta.url));

export interface TestCallbacks extends Callbacks {
  /** A folder for the agent's PATH. */
  readonly bin: string;
  remove(): void;
}

/** Bundles both entries, so that drivers can be tested without a build of the whole program. */
export async function buildCallbacks(): Promise<TestCallbacks> {
  const folder = mkdtempSync(join(tmpdir(), "orch-callbacks-"));
  const bundle = await rolldown({
    cwd: ROOT,
    input: { hook: "src/hook.ts", mcp: MCP_ENTRY },
    platform: "node",
    tsconfig: false,
    logLevel: "warn",
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs" });
  await bundle.close();
  return {
    node: process.execPath,
    hook: join(folder, "hook.mjs"),
    mcp: [join(folder, "mcp.mjs")],
    bin: join(folder, "bin"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
