// What does a config come to, or what is wrong with it?

import { expect } from "vitest";

import type { Settings } from "../../src/core/model/settings.ts";
import { parseConfig } from "../../src/schema/config.ts";

const FILE = ".orchestrator.config.js";

export function settings(raw: unknown): Settings {
  const parsed = parseConfig(raw, FILE);
  return parsed.ok ? parsed.value : expect.fail(JSON.stringify(parsed.problems));
}

export function problems(raw: unknown): readonly string[] {
  const parsed = parseConfig(raw, FILE);
  if (parsed.ok) expect.fail("the config was accepted");
  return parsed.problems.map(({ message }) => message);
}
