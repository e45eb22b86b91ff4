import { expect, test } from "vitest";

import { markOf } from "../../src/adapters/process/identity.ts";

test("a session's mark is the same for all who know its marker, and no other session's", () => {
  const mark = markOf("a", "unlimited");
  expect(mark).toBe(markOf("a", "unlimited"));
  expect(mark).toMatch(/^[1-9]\d{11}$/);
  expect(markOf("b", "unlimited")).not.toBe(mark);
});

test.each([
  ["no such limit", null],
  ["an administrator's limit", "4096"],
  ["an orch around this one", markOf("outer", "unlimited")],
])("where there is %s there is no mark", (_what, limit) => expect(markOf("a", limit)).toBeNull());
