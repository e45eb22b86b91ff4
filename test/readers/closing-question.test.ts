import { describe, expect, test } from "vitest";

import { questionIn } from "../../src/readers/read-evidence.ts";

describe("the last paragraph asks", () => {
  test.each([
    ["what to do", "Should empty input be rejected or ignored?"],
    ["which of two is meant", "The spec says 10, the mock-up says 12. Which is right?"],
    ["for what cannot be undone", "Should I wipe the production database?"],
    ["without a question mark", "Please tell me how to proceed."],
    ["in bold letters", "I stopped here. **Keep or delete the old rows?**"],
  ])("%s", (_what, text) => {
    expect(questionIn(text)).not.toBeNull();
  });

  test("in the agent's own words, on one line, the last question where there are several", () => {
    expect(questionIn("Done.\n\nCents?  Or\neuros? I cannot tell.")).toBe("Or euros?");
  });

  test("above the options that it gives", () => {
    expect(questionIn("I read it all.\n\nWhich one?\n\n- Cents\n- Euros\n")).toBe("Which one?");
  });
});

describe("nothing is asked by", () => {
  test.each([
    ["nothing", ""],
    ["a statement", "Two tests still fail; I will look at the rounding next."],
    ["a blocker", "I cannot continue without the signing key."],
    ["doubt", "I am not sure this is the nicest name, but perhaps it is fine."],
    ["permission to go on", "Should I continue?"],
    ["permission to run the tests", "Would you like me to run the tests now?"],
    ["a courtesy", "Let me know if you want anything changed!"],
    ["a courteous question", "Is there anything else I can do?"],
    ["an earlier paragraph", "Why did it fail?\n\nThe slug dropped a letter."],
    ["code", "The helper:\n```\nreturn a ? b : c?\n```\n"],
    ["a quotation", "It prints:\n> Are you sure?"],
  ])("%s", (_what, text) => {
    expect(questionIn(text)).toBeNull();
  });

  test.each(["a ", "? ", "\n", "- ", "`", "*", "Should I "])(
    "a million characters of %j, and they are read at once",
    (part) => {
      expect(questionIn(part.repeat(1_000_000 / part.length))?.length ?? 0).toBeLessThan(4_001);
    },
  );
});
