import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { BoundedLog } from "../../src/adapters/files/bounded-log.ts";
import { createRedactor } from "../../src/adapters/redact.ts";
import { SPELLINGS } from "../../src/adapters/secret-spellings.ts";
import { SECRET_SHAPES } from "../../src/adapters/secret-table.ts";
import { privateFolder } from "../support/private-folder.ts";
import { HIDDEN, VALUES, WAYS, letters, piecesIn } from "../support/secrets.ts";

const [[ODD_NAME, ODD] = ["", ""]] = VALUES;

/** Nothing of it stands in the text, in pieces either. */
function expectGone(text: string, spelt: string): void {
  expect(piecesIn([spelt])(text)).toEqual([]);
}

describe.each(VALUES)("the value of %s", (name, value) => {
  const redact = createRedactor({ [name]: value });
  test.each(Object.entries(WAYS))("%s is gone", (_way, spell) => {
    const spelt = spell(value);
    expectGone(redact(`before ${spelt} after\n`), spelt);
    expect(redact(redact(spelt))).toBe(redact(spelt));
  });
});

describe.each(SECRET_SHAPES)("what is known as $says", ({ example: [before, chars, after] }) => {
  const key = `${before}${letters(chars)}${after}`;
  const { plain, "JSON-escaped": json } = SPELLINGS;
  test("in base64 with other words, on one line and on several, is gone", () => {
    const coded = Buffer.from(`{"key": "${key}", "and": "others"}`).toString("base64");
    for (const end of ["", "\n", "\\n"]) {
      const lines = coded.replace(/.{48}/g, `$&${end}`);
      expect(createRedactor({})(`x ${lines} y`)).toMatch(/^x \[redacted\][^]{0,20} y$/);
    }
  });
  test.each(Object.entries({ plain, json, ...HIDDEN }))("%s is gone", (_way, spell) => {
    // The words around a bearer token or a password in an address stay.
    expect(createRedactor({})(`x ${spell?.(key)} y`)).not.toContain(letters(12));
    expect(createRedactor({})(`x ${spell?.(key)} y`)).toContain("[redacted]");
  });
});

test.each(Object.entries(WAYS))(
  "a secret %s over the border of two chunks does not leak, on a line without an end",
  (_way, spell) => {
    const spelt = spell(ODD);
    const redact = createRedactor({ [ODD_NAME]: ODD });
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
