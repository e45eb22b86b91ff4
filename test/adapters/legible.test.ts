import { PassThrough } from "node:stream";
import { expect, test } from "vitest";

import { knowsUtf8, legible, makeLegible } from "../../src/adapters/terminal/legible.ts";
import { cells } from "../../src/cli/layout.ts";

test.each([
  ["✓ add-login: done · 10 → 12 tests …", "+ add-login: done - 10 > 12 tests ~"],
  ["\u001b[32mplain\u001b[0m\r\n\t$", "\u001b[32mplain\u001b[0m\r\n\t$"],
  ["grüße e\u0301 🙂", "gr??e e ?"],
])("%j is shown as %j", (text, shown) => {
  expect(legible(text)).toBe(shown);
  expect(cells(legible(text))).toBeLessThanOrEqual(cells(text));
});

test.each<[Readonly<Record<string, string>>, boolean]>([
  [{}, true],
  [{ LANG: "C.UTF-8" }, true],
  [{ LANG: "en_US.utf8" }, true],
  [{ LANG: "C" }, false],
  [{ LANG: "de_DE.ISO-8859-1" }, false],
  [{ LANG: "en_US.UTF-8", LC_ALL: "C" }, false],
  [{ LANG: "C", LC_ALL: "", LC_CTYPE: "C.UTF-8" }, true],
])("a locale of %j knows UTF-8: %j", (env, knows) => {
  expect(knowsUtf8(env)).toBe(knows);
});

test("what is written to such a terminal is legible, in every way of writing", async () => {
  const stream = new PassThrough();
  makeLegible(stream);
  const done: string[] = [];
  stream.write("✓ ", () => done.push("one"));
  stream.write("→", "utf8", () => done.push("two"));
  stream.write(Buffer.from("· "));
  await new Promise((resolve) => stream.write("…", () => resolve(null)));
  expect([String(stream.read()), done]).toEqual(["+ >· ~", ["one", "two"]]);
});
