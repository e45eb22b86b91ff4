import { tmpdir } from "node:os";
import fc from "fast-check";
import { expect, test } from "vitest";

import { createRedactor, redactDeep, secretsInFile } from "../../src/adapters/redact.ts";

// Put together here, so that no scanner takes this file for a leak.
const letters = (count: number) => "aB3dE6gH9".repeat(20).slice(0, count);
const dashes = "-----";
const pem = (body: string) =>
  `${dashes}BEGIN RSA PRIVATE KEY${dashes}\n${body}\n${dashes}END RSA PRIVATE KEY${dashes}`;

const bare = createRedactor({});

test("the spaces that a file left around a value belong to no secret", () => {
  const redact = createRedactor({ API_TOKEN: "  spaced-secret  " });
  expect(redact("before spaced-secret after")).toBe("before [redacted] after");
});

test.each<[string, string, string]>([
  ["a value that is too short to tell", "API_TOKEN", "1234567"],
  ["a variable that is no secret", "EDITOR_NAME", "a-long-value-1234"],
  ["a limit on tokens", "MAX_OUTPUT_TOKENS", "128000000"],
  ["a plain word called a key", "CACHE_KEY", "production"],
  ["the place of a key", "PRIVATE_KEY_PATH", "keys/production-1"],
  ["a path that exists", "APPLICATION_CREDENTIALS", tmpdir()],
])("%s stays", (_name, variable, value) => {
  expect(createRedactor({ [variable]: value })(`see ${value}`)).toBe(`see ${value}`);
});

test("the longest secret goes as a whole when it contains another", () => {
  const redact = createRedactor({ A_TOKEN: "abcdefgh", B_TOKEN: "abcdefgh-ijkl" });
  expect(redact("abcdefgh-ijkl abcdefgh")).toBe("[redacted] [redacted]");
});

test("values the user names are taken out, however they are called", () => {
  expect(createRedactor({}, ["abc"])("xabcx")).toBe("x[redacted]x");
});

test("of a file with settings those count that no file holds by chance, by name or by shape", () => {
  const key = ["sk", "ant", letters(24)].join("-");
  const text = `PORT=8080123412341234\nexport DB_PASSWORD="long-enough-to-tell" # mine\nA_TOKEN=short-1\n//r.example/:_authToken=0123456789abc\nB_TOKEN=\${FROM_ELSEWHERE}\nX=${key}\n`;
  const secrets = secretsInFile("app/.env", text).toSorted(([a], [b]) => (a < b ? -1 : 1));
  expect(secrets).toEqual([
    ["0123456789abc", "//r.example/:_authToken in app/.env"],
    ["long-enough-to-tell", "DB_PASSWORD in app/.env"],
    [key, "a key in app/.env"],
  ]);
  const learned = secrets.slice(0, 0);
  const redact = createRedactor({}, [], learned);
  expect(redact("0123456789abc")).toBe("0123456789abc");
  learned.push(...secrets);
  expect(redact("0123456789abc")).toBe("[redacted]");
});

test("a secret is found as JSON writes it, and JSON stays JSON", () => {
  const secret = 'two"quotes\\and\na second, rather long line';
  const redact = createRedactor({ MY_SECRET: secret });
  const once = JSON.stringify({ text: `x ${secret} y` });
  expect(JSON.parse(redact(once))).toEqual({ text: "x [redacted] y" });
  expect(redact("a second, rather long line")).toBe("[redacted]");
});

test.each<[string, string, string]>([
  ["a bearer token", `Authorization: Bearer ${letters(20)}`, "Authorization: Bearer [redacted]"],
  ["a password in a URL", "postgres://me:pa55word@db/x", "postgres://me:[redacted]@db/x"],
  ["a private key", `see ${pem(letters(64))}, please`, "see [redacted], please"],
  ["two of them", `${pem("AAAA")} and ${pem("BBBB")}`, "[redacted] and [redacted]"],
  ["a private key cut off", `x ${pem("AAAA").slice(0, 40)}`, "x [redacted]"],
])("%s is taken out, and the words around it stay", (_name, text, expected) => {
  expect(bare(text)).toBe(expected);
});

test("a private key in JSON takes nothing but itself", () => {
  const line = JSON.stringify({ key: pem(letters(64)), next: "kept" });
  expect(JSON.parse(bare(line))).toEqual({ key: "[redacted]", next: "kept" });
  const cut = JSON.stringify({ key: pem(letters(64)).slice(0, 60), next: pem("A") });
  expect(JSON.parse(bare(cut))).toEqual({ key: "[redacted]", next: "[redacted]" });
});

test.each([
  "task-implementing-the-whole-feature-at-once",
  "risk-ant-colony-optimisation-and-more",
  "the bearer authentication scheme",
  "https://example.com:8080/path@2",
  "import npm_package_config from './npm_lifecycle_event'",
  "eyJ is how a token starts",
  "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
])("%j is no secret", (text) => {
  expect(bare(text)).toBe(text);
});

test("names stay, texts go, and the shape of a value is kept", () => {
  const redact = createRedactor({ API_TOKEN: "add-login-1" });
  expect(
    redactDeep(
      { task: "add-login-1", list: ["x add-login-1", 3, null, true] },
      redact,
      (key) => key === "task",
    ),
  ).toEqual({ task: "add-login-1", list: ["x [redacted]", 3, null, true] });
});

test("redacting again changes nothing, and JSON of anything stays JSON", () => {
  const secrets = { A_TOKEN: "secret-one-1", B_TOKEN: 'with "quotes" 2' };
  const redact = createRedactor(secrets);
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      ...Object.values(secrets),
      `ghp_${letters(36)}`,
      pem(letters(40)),
      "sk-ant-",
      "://a:",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join(" ");
      const safe = redact(text);
      expect(redact(safe)).toBe(safe);
      expect(safe).not.toContain(secrets.A_TOKEN);
      expect(typeof JSON.parse(redact(JSON.stringify(text)))).toBe("string");
    }),
  );
});
