import { expect, test } from "vitest";

import { doubtsIn, HESITATION_WORDS } from "../../src/readers/closings/hesitation.ts";

test.each(HESITATION_WORDS)("%j is a word of doubt", (word) => {
  expect(doubtsIn(`It is done, ${word} all of it.`)).toEqual([word]);
});

test.each([
  ["each word once", "Not sure. Maybe. Not sure.", ["not sure", "maybe"]],
  ["no doubt of others", "Replaced 'I am not sure' by a clear text.", []],
  ["no doubt in code", "```\nmaybe\n```\nDone.", []],
  ["no doubt inside of a word", "Renamed mightyCache.", []],
])("%s", (_what, closing, doubts) => {
  expect(doubtsIn(closing)).toEqual(doubts);
});
