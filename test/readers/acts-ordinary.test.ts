import { describe, expect, test } from "vitest";

import { found, sections } from "./acts-cases.ts";

describe.each(Object.entries(sections("ordinary")))("ordinary: %s", (_title, commands) => {
  test.each(commands)("%s", (script) => {
    expect(found(script)).toBeNull();
  });
});
