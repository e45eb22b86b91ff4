import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { BoundedLog } from "../../src/adapters/files/bounded-log.ts";
import { createRedactor } from "../../src/adapters/redact.ts";
import { SPELLINGS } from "../../src/adapters/secret-spellings.ts";
import { SECRET_NAMES, SECRET_SHAPES } from "../../src/adapters/secret-table.ts";
import { inert } from "../../src/core/model/excerpt.ts";
import { privateFolder } from "../support/private-folder.ts";

const ESCAPE = "\u001b";
const letters = (count: number): string => "aB3dE6gH9".repeat(20).slice(0, count);
const every = (text: string, chars: number, between: string): string =>
  text.match(new RegExp(`[^]{1,${chars}}`, "g"))?.join(between) ?? "";

/** What a terminal shows and a program writes between the characters of a text; none of it hides. */
const HIDDEN: Readonly<Record<string, (text: string) => string>> = {
  "with a colour at each character": (text) => every(text, 1, `${ESCAPE}[32m`),
  "with a colour inside": (text) => every(text, 6, `${ESCAPE}[1;31m`),
  "with a colour that JSON spells": (text) => every(text, 6, "\\u001b[1;31m"),
};
const WRAPPED: Readonly<Record<string, (text: string) => string>> = {
  "wrapped over lines": (text) => every(text, 11, "\n"),
  "wrapped and moved in": (text) => every(text, 11, "\r\n    "),
  "wrapped in JSON": (text) => every(text, 11, "\\n"),
  "base64, wrapped": (text) => every(Buffer.from(`${text}\n`).toString("base64"), 12, "\n"),
};

const ODD = `p4ss/w"rd &<${letters(14)}>'=%`;
const VALUES: readonly (readonly [name: string, value: string])[] = [
  ...SECRET_NAMES.map(({ example }) => [example, ODD] as const),
  // Of an address the password alone is secret.
  ...SECRET_SHAPES.filter(({ triggers }) => !triggers.includes("://")).map(
    ({ says, example: [before, chars, after] }) =>
      [`SECRET of ${says}`, `${before}${letters(chars)}${after}`] as const,
  ),
];

/** Nothing of it stands in the text, in pieces either. */
function expectGone(text: string, spelt: string): void {
  const flat = (from: string): string =>
    inert(from.replace(/\\u001b\[[\d;]*m/g, "")).replace(/\\n|\s/g, "");
  const [shown, secret] = [flat(text), flat(spelt)];
  for (let at = 0; at + 10 <= secret.length; at += 1)
    expect(shown).not.toContain(secret.slice(at, at + 10));
}

describe.each(VALUES)("the value of %s", (name, value) => {
  const redact = createRedactor({ [name]: value });
  test.each(Object.entries({ ...SPELLINGS, ...HIDDEN, ...WRAPPED }))(
    "%s is gone",
    (_way, spell) => {
      const spelt = spell(value);
      expectGone(redact(`before ${spelt} after\n`), spelt);
      expect(redact(redact(spelt))).toBe(redact(spelt));
    },
  );
});

describe.each(SECRET_SHAPES)("what is known as $says", ({ example: [before, chars, after] }) => {
  const key = `${before}${letters(chars)}${after}`;
  const { plain, "JSON-escaped": json } = SPELLINGS;
  test.each(Object.entries({ plain, json, ...HIDDEN }))("%s is gone", (_way, spell) => {
    // The words around a bearer token or a password in an address stay.
    expect(createRedactor({})(`x ${spell?.(key)} y`)).not.toContain(letters(12));
    expect(createRedactor({})(`x ${spell?.(key)} y`)).toContain("[redacted]");
  });
});

test.each(Object.entries({ ...SPELLINGS, ...HIDDEN }))(
  "a secret %s over the border of two chunks does not leak, on a line without an end",
  (_way, spell) => {
    const spelt = spell(ODD);
    const redact = createRedactor({ DB_PASS: ODD });
    for (let at = 0; at <= spelt.length; at += 5) {
      const path = join(privateFolder(), "gate.log");
      const log = new BoundedLog(path, redact);
      log.write("stdout", Buffer.from(`${"x".repeat(64 * 1024)} ${spelt.slice(0, at)}`));
      log.write("stdout", Buffer.from(`${spelt.slice(at)} ${"y".repeat(64 * 1024)}`));
      expectGone(log.close(), spelt);
      expectGone(readFileSync(path, "utf8"), spelt);
    }
  },
);
