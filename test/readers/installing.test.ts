import { describe, expect, test } from "vitest";

import { declaredIn, installsFor } from "../../src/readers/proof/installing.ts";

const declared = (files: Readonly<Record<string, string>>) =>
  declaredIn(Object.keys(files), (path) => files[path] ?? null);

const wants = (name: string) => JSON.stringify({ dependencies: { [name]: "1" } });
const locks = (name: string) =>
  JSON.stringify({ packages: { "": {}, [`node_modules/${name}`]: {} } });

/** Folder and program of each. */
function installs(here: Readonly<Record<string, string>>, there: Readonly<Record<string, string>>) {
  const all = installsFor(declared(here), declared(there));
  return all.map(({ folder, run }) => [folder, run.split(" ").slice(0, 2).join(" ")]);
}

describe("what is installed for a commit", () => {
  test.each<[string, Record<string, string>, Record<string, string>, readonly string[][]]>([
    [
      "is nothing where the lists are the same",
      { "package.json": wants("a"), "package-lock.json": locks("a") },
      { "package.json": wants("a"), "package-lock.json": locks("a") },
      [],
    ],
    [
      "is what the lock says, once",
      { "package.json": wants("b"), "package-lock.json": locks("b") },
      { "package.json": wants("a"), "package-lock.json": locks("a") },
      [["", "npm ci"]],
    ],
    [
      "is nothing for another version and other scripts of the project",
      { "package.json": '{"version":"2","scripts":{}}', "package-lock.json": '{"version":"2"}' },
      { "package.json": '{"version":"1"}', "package-lock.json": '{"version":"1"}' },
      [],
    ],
    [
      "needs no lock of npm",
      { "package.json": wants("b") },
      { "package.json": wants("a") },
      [["", "npm install"]],
    ],
    [
      "is what the lock above says",
      { "packages/a/package.json": wants("b"), "pnpm-lock.yaml": "a" },
      { "packages/a/package.json": wants("a"), "pnpm-lock.yaml": "a" },
      [["", "pnpm install"]],
    ],
    [
      "is that of the folder with a lock of its own",
      {
        "site/package.json": wants("b"),
        "site/yarn.lock": "b",
        "uv.lock": "a",
        "pyproject.toml": "a",
      },
      {
        "site/package.json": wants("a"),
        "site/yarn.lock": "a",
        "uv.lock": "a",
        "pyproject.toml": "b",
      },
      [["site/", "yarn install"]],
    ],
    ["is left to cargo and go", { "Cargo.lock": "b" }, { "Cargo.lock": "a" }, []],
  ])("%s", (_sentence, here, there, expected) => {
    expect(installs(here, there)).toEqual(expected);
  });
});
