import { expect, test } from "vitest";
import { z } from "zod";

import { parseWith } from "../../src/schema/key-problems.ts";

const schema = z.strictObject({ agent: z.string().optional() });

test("a key that was removed names what to do instead, and no other key", () => {
  expect(parseWith(schema, { judge: { enabled: true } })).toEqual({
    ok: false,
    problems: [
      'unknown key "judge" (remove it: there is no second opinion any more; a person is asked instead)',
    ],
  });
});
