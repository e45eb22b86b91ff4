// Does a gate miss packages that the project lists, and what installs them?

import { existsSync } from "node:fs";
import { join } from "node:path";

import { readFileBounded } from "../adapters/files/small-file.ts";
import { unknown, type Unknown } from "../core/model/verdict.ts";

const NEW_VENV = "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt";

/** Where packages lie, what lists them, and what puts them there. */
const INSTALLS = [
  ["node_modules", "pnpm-lock.yaml", "pnpm install"],
  ["node_modules", "yarn.lock", "yarn install"],
  ["node_modules", "bun.lock", "bun install"],
  ["node_modules", "package-lock.json", "npm install"],
  ["node_modules", "package.json", "npm install"],
  [".venv", "uv.lock", "uv sync"],
  [".venv", "poetry.lock", "poetry install"],
  [".venv", "requirements.txt", NEW_VENV],
] as const;

/** As shells, Node, npm and Python say which program or package is not there. */
const MISSING =
  /([\w./-]+): (?:command )?not found|(?:Cannot find (?:module|package) '|No module named '?|missing packages.*?\[")((?:@[\w.-]+\/)?[\w-]+)/g;

/** A key, a name with its version, or all of a line: no word of a script. */
const LISTED = /(?<=name = ")[\w.-]+|[\w@/-]+(?="?\s*[:@=<>~!;[]|\s*$)/gm;

const LIST_BYTES_MAX = 16 * 1024 * 1024;

/** null: the folder of packages is there, or what the gate misses stands in no list of the project. */
export function notInstalled(output: string, cwd: string, line: string): Unknown | null {
  const folder = join(cwd, /^cd (\S+) && /.exec(line)?.[1] ?? "");
  const missing = [...output.matchAll(MISSING)].map(([, program, name = program]) => name ?? "");
  const isThere = (name: string): boolean => [folder, cwd].some((at) => existsSync(join(at, name)));
  for (const [packages, list, install] of missing.length === 0 ? [] : INSTALLS) {
    const read = readFileBounded(join(folder, list), LIST_BYTES_MAX, "followed");
    if (read.kind !== "read" || isThere(packages)) continue;
    const listed = new Set(read.text.match(LISTED));
    const first = missing.find((name) => listed.has(name) || name.startsWith(`${packages}/`));
    if (first !== undefined) return unknown("not-installed", `no ${first}; run \`${install}\``);
  }
  return null;
}
