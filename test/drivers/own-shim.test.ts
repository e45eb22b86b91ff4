import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { ensureShim } from "../../src/drivers/question-channel.ts";
import { makeProject } from "../support/project.ts";

const CLI = `console.log(JSON.stringify(process.argv.slice(2)));`;

function place() {
  const root = makeProject({ "it's cli.cjs": CLI });
  const program = { node: process.execPath, cli: join(root, "it's cli.cjs") };
  const folder = join(root, "deep", "bin");
  const orch = join(folder, "orch");
  const calls = (...args: string[]): unknown =>
    JSON.parse(
      execFileSync("/bin/sh", ["-c", 'orch "$@"', "sh", ...args], {
        env: { PATH: folder },
        encoding: "utf8",
      }),
    );
  return { root, program, folder, orch, calls };
}

describe("orch in an agent's PATH", () => {
  test("is this very orch, with every argument as it was given", () => {
    const { program, folder, calls } = place();
    ensureShim(folder, program);
    expect(calls("ask", "what's $up?", "")).toEqual(["ask", "what's $up?", ""]);
  });

  test("is left as it is while it is in order", () => {
    const { program, folder, orch } = place();
    ensureShim(folder, program);
    const before = statSync(orch).ino;
    ensureShim(folder, program);
    expect(statSync(orch).ino).toBe(before);
  });

  test.each<[string, (orch: string, folder: string) => void]>([
    ["of another orch", (orch) => writeFileSync(orch, "#!/bin/sh\necho other\n")],
    ["without its right to run", (orch) => chmodSync(orch, 0o600)],
    ["that is a link", (orch) => (rmSync(orch), symlinkSync("/bin/true", orch))],
    ["that is gone", (orch) => rmSync(orch)],
    ["whose folder is gone", (_orch, folder) => rmSync(folder, { recursive: true })],
  ])("%s is written anew", (_name, spoil) => {
    const { program, folder, orch, calls } = place();
    ensureShim(folder, program);
    spoil(orch, folder);
    ensureShim(folder, program);
    expect(calls("status")).toEqual(["status"]);
  });

  test("is not written through a link to another folder", () => {
    const { root, program, folder } = place();
    const other = join(root, "other");
    mkdirSync(other);
    mkdirSync(join(root, "deep"));
    symlinkSync(other, folder);
    expect(() => ensureShim(folder, program)).toThrow("is not a folder of orch's own");
    expect(() => readFileSync(join(other, "orch"))).toThrow("ENOENT");
  });
});
