import { describe, expect, test } from "vitest";

import { notifyOf, notifyShape } from "../../src/schema/config-notify.ts";

const DEFAULTS = { command: null, url: null, header: null };
const URL = "https://hooks.example/orch";

function settings(written: unknown) {
  return notifyOf(notifyShape.parse(written));
}

function problems(written: unknown): string {
  const { error } = notifyShape.safeParse(written);
  return (error?.issues ?? [])
    .map(({ path, message }) => `${path.join(".")}: ${message}`)
    .join("; ");
}

test("nothing written is nobody told", () => {
  expect(settings({})).toEqual(DEFAULTS);
});

test("an address from a variable that is not set is none, also beside a header", () => {
  const header = { name: "X-Token", env: "HOOK_TOKEN" };
  expect(settings({ url: undefined, header })).toMatchObject({ url: null });
});

test.each<[string, object, object]>([
  ["command", { command: " notify-send orch " }, { command: "notify-send orch" }],
  ["url", { url: URL }, { url: URL }],
  [
    "header",
    { url: URL, header: { name: "X-Token", env: "HOOK_TOKEN" } },
    { url: URL, header: { name: "X-Token", variable: "HOOK_TOKEN" } },
  ],
])("%s replaces its default and nothing else", (_name, written, change) => {
  expect(settings(written)).toEqual({ ...DEFAULTS, ...change });
});

describe("is refused with what was expected:", () => {
  const headed = (name: unknown, env: unknown = "HOOK") => ({ url: URL, header: { name, env } });

  test.each<[string, unknown, string]>([
    ["an empty command", { command: " " }, "command: expected some text"],
    ["an address of another kind", { url: "file:///etc/passwd" }, "url: expected an http or https"],
    ["no address", { url: "hooks.example" }, "url: expected an http or https address"],
    ["an endless address", { url: `${URL}/${"x".repeat(2_000)}` }, "url: expected at most 2000"],
    ["a header with a space", headed("X Token"), "header.name: expected the name of a header"],
    ["a header with its value", headed("X-Token: 1"), "header.name: expected the name of a header"],
    [
      "a header with a line of its own",
      headed("X\r\nY"),
      "header.name: expected the name of a header",
    ],
    ["a header without a name", headed(""), "header.name: expected the name of a header"],
    ["a variable with a dollar", headed("X-Token", "$HOOK"), "header.env: expected the name of an"],
    ["a header without an address", { header: { name: "X", env: "Y" } }, "header: `header` needs"],
    ["a key nobody knows", { comand: "x" }, "Unrecognized key"],
  ])("%s", (_name, written, words) => {
    expect(problems(written)).toContain(words);
  });
});
