// What does a config come to, or what is wrong with it?

import { expect } from "vitest";

import type { Settings } from "../../src/core/model/settings.ts";
import { parseConfig } from "../../src/schema/config.ts";

const SOURCE = { file: ".orchestrator.config.js", text: null };

export function settings(raw: unknown): Settings {
  const parsed = parseConfig(raw, SOURCE);
  return parsed.ok ? parsed.value : expect.fail(JSON.stringify(parsed.problems));
}

/** "message | suggestion" of each. */
export function problems(raw: unknown): readonly string[] {
  const parsed = parseConfig(raw, SOURCE);
  if (parsed.ok) expect.fail("the config was accepted");
  return parsed.problems.map(({ message, suggestion }) => `${message} | ${suggestion}`);
}
