// Does the Claude Code driver keep what every driver promises?

import { join } from "node:path";

import { claudeCode } from "../../src/drivers/claude-code.ts";
import { createStreamDriver } from "../../src/drivers/stream-agent.ts";
import { OWN_PROGRAM } from "../support/run-orch.ts";
import { hastyDeps } from "../support/sessions.ts";
import { driverContract } from "./driver-contract.ts";

const FAKE = join(import.meta.dirname, "../fake-agent");

function speak(behaviour: string): string {
  const { href } = new URL("../support/speak-claude.mjs", import.meta.url);
  return behaviour === "prints-before-input" ? `${href}?early` : href;
}

driverContract("claude-code", {
  make: (behaviour) => {
    const script = join(FAKE, "scripts", `${behaviour}.json`);
    const command =
      behaviour === "program-missing"
        ? ["no-such-agent"]
        : [process.execPath, "--import", speak(behaviour), join(FAKE, "agent.mjs"), script];
    return createStreamDriver(
      claudeCode(),
      { name: "fake", driver: "claude-code", command, model: null, env: {} },
      { ...hastyDeps, ...OWN_PROGRAM },
    );
  },
});
