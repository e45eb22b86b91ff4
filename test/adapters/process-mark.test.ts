import { expect, test } from "vitest";

import { markOf } from "../../src/adapters/process/identity.ts";

test("a session's mark is the same for all who know its marker, and no other session's", () => {
  const mark = markOf("a", "unlimited");
  expect(mark).toEqual(markOf("a", "unlimited"));
  expect(mark?.value).toMatch(/^[1-9]\d{11}999999$/);
  expect(mark?.value.startsWith(mark.prefix)).toBe(true);
  expect(markOf("b", "unlimited")?.prefix).not.toBe(mark?.prefix);
});

test("an orch inside a session can mark its own, and they stay the outer session's", () => {
  const outer = markOf("outer", "unlimited");
  const inner = markOf("inner", outer?.value);
  expect(Number(inner?.value)).toBeLessThan(Number(outer?.value));
  expect(inner?.value.startsWith(outer?.prefix ?? "none")).toBe(true);
  expect(inner?.prefix).toBe(inner?.value);
  expect(markOf("innermost", inner?.value)).toBeNull();
});

test.each([
  ["no such limit", null],
  ["an administrator's limit", "4096"],
])("where there is %s there is no mark", (_what, limit) => expect(markOf("a", limit)).toBeNull());
