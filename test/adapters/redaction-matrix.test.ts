import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { BoundedLog } from "../../src/adapters/files/bounded-log.ts";
import { createRedactor } from "../../src/adapters/redact.ts";
import { privateFolder } from "../support/private-folder.ts";
import { SHAPED, VALUES, WAYS, letters, piecesIn } from "../support/secrets.ts";

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

test.each(SHAPED)("a key that is known as %s is gone", (says, key) => {
  for (const written of [key, JSON.stringify(key), `\u001b[32m${key}\u001b[0m`]) {
    // The words around a bearer token or a password in an address stay.
    expect(createRedactor({})(`x ${written} y`)).not.toContain(letters(12, says));
    expect(createRedactor({})(`x ${written} y`)).toContain("[redacted]");
  }
});

/** A value of one line, and a private key, which has several. */
const PARTED = VALUES.filter(([name]) => name === "GITHUB_TOKEN" || name === "SECRET_0");

describe.each(PARTED)("the value of %s, in two chunks anywhere,", (name, value) => {
  const redact = createRedactor({ [name]: value });
  test.each([
    ["on a line of its own", "\n", "\n"],
    ["on a line without an end", "x".repeat(64 * 1024), "y".repeat(64 * 1024)],
  ])("%s does not leak", (_where, before, after) => {
    for (let at = 0; at <= value.length; at += 5) {
      const path = join(privateFolder(), "gate.log");
      const log = new BoundedLog(path, redact);
      log.write("stdout", Buffer.from(`${before}${value.slice(0, at)}`));
      log.write("stdout", Buffer.from(`${value.slice(at)}${after}`));
      expectGone(log.close(), value);
      expectGone(readFileSync(path, "utf8"), value);
    }
  });
});
