// Which ids does text become, and can each of them name a file, a branch and a ref?

import { expect, test } from "vitest";

import { isSafeId, slug, TASK_ID_CHARS_MAX } from "../../src/core/model/ids.ts";

test.each<[string, string]>([
  ["Add login!", "add-login"],
  ["Задача №5", "задача-5"],
  ["日本語", "日本語"],
  ["größe", "größe"],
  ["gro\u0308ße", "größe"],
  ["हिन्दी में", "हिन्दी-में"],
  ["٣ مهام", "٣-مهام"],
  ["zero\u200bwidth", "zerowidth"],
  ["--a..b.lock", "a-b-lock"],
  ["\u0301a", "a"],
  ["🚀 !", "task"],
  ["", "task"],
])("%j becomes %j", (text, id) => {
  expect(slug(text)).toBe(id);
  expect(isSafeId(id)).toBe(true);
});

test.each(["a", "語", "𠮷", "ab𠮷", "क्"])(
  "an id of %j over and over fits into a path's part, and is cut between letters",
  (letter) => {
    const id = slug(letter.repeat(100), TASK_ID_CHARS_MAX);
    expect(isSafeId(id)).toBe(true);
    expect(id).not.toMatch(/\p{Cs}/u);
    expect(Buffer.byteLength(`${"x".repeat(60)}${id}.lock`)).toBeLessThanOrEqual(255);
  },
);

test.each([
  "",
  ".",
  "..",
  ".a",
  "-a",
  "_a",
  "a..b",
  "a/b",
  "a\\b",
  "a b",
  "a\u200bb",
  "\u3164",
  "a:",
])("%j is no id", (text) => {
  expect(isSafeId(text)).toBe(false);
});

test("an id may have 180 bytes", () => {
  expect(["語".repeat(60), "語".repeat(61)].map(isSafeId)).toEqual([true, false]);
});
