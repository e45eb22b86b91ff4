// Does the Claude Code driver keep what every driver promises?

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll } from "vitest";

import { LINGER_MS, createClaudeCode } from "../../src/drivers/claude-code.ts";
import { callbacks } from "../support/callbacks.ts";
import { hastyDeps } from "../support/sessions.ts";
import { driverContract } from "./driver-contract.ts";

const FAKE = join(import.meta.dirname, "../fake-agent");
const SPEAK = fileURLToPath(new URL("../support/speak-claude.mjs", import.meta.url));

const lockFolder = mkdtempSync(join(tmpdir(), "orch-locks-"));

afterAll(() => rmSync(lockFolder, { recursive: true, force: true }));

driverContract("claude-code", {
  cannot: [],
  make: (behaviour) => {
    const script = join(FAKE, "scripts", `${behaviour}.json`);
    const command =
      behaviour === "program-missing"
        ? ["no-such-agent"]
        : [process.execPath, "--import", SPEAK, join(FAKE, "agent.mjs"), script];
    return createClaudeCode(
      { name: "fake", driver: "claude-code", command, model: null, env: {} },
      { ...hastyDeps, ...callbacks(), lockFolder, lingerMs: LINGER_MS },
    );
  },
});
