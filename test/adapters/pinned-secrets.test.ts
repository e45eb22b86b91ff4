// Is a config kept as data without its secrets, and is it whole again with them?

import { expect, test } from "vitest";

import { hiddenSecrets, shownSecrets } from "../../src/adapters/project/pinned.ts";
import { parseConfig } from "../../src/schema/config.ts";

const ENV = { MY_TOKEN: "correct-horse-battery-9", HOST: "build.example.org", LEVEL: "1" };

function configOf(raw: object, text: string) {
  const read = parseConfig(raw, "config");
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return { folder: "/p", name: "config", text, raw, settings: read.value };
}

const agent = (env: Readonly<Record<string, string>>) => ({
  agents: { a: { driver: "command", command: "work --with $TOKEN", env } },
});

test("what comes from the environment is kept by its name, and looked up again", () => {
  const raw = agent({ AUTH: `Bearer ${ENV.MY_TOKEN}`, WHERE: ENV.HOST, VERBOSE: "1" });
  const { json, made } = hiddenSecrets(configOf(raw, "process.env"), ENV);
  expect(json).not.toMatch(/correct/);
  expect(made).toEqual({});
  expect(shownSecrets(json, ENV)).toEqual({ ok: true, value: raw });
  const later = shownSecrets(json, { ...ENV, MY_TOKEN: "another-one" });
  expect(JSON.stringify(later)).toContain("Bearer another-one");
  expect(shownSecrets(json, {})).toEqual({ ok: false, problems: ["MY_TOKEN"] });
});

test("what stands in the config's own text is kept as it is", () => {
  const raw = agent({ API_TOKEN: "written-out-in-full-7" });
  const { json } = hiddenSecrets(configOf(raw, 'API_TOKEN: "written-out-in-full-7"'), ENV);
  expect(shownSecrets(json, {})).toEqual({ ok: true, value: raw });
});

test("a secret that the config made is not kept, and a variable has to hold it later", () => {
  const raw = agent({ API_TOKEN: "from-the-key-chain-7", MY_TOKEN: "something-else-8" });
  const { json, made } = hiddenSecrets(configOf(raw, "pass show"), ENV);
  expect(json).not.toMatch(/chain|else/);
  expect(made).toEqual({ API_TOKEN: "from-the-key-chain-7", ORCH_MY_TOKEN: "something-else-8" });
  expect(shownSecrets(json, { ...ENV, ...made })).toEqual({ ok: true, value: raw });
});
