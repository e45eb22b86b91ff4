// What does a proving place cost: to make, and to bring to another commit?

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { UNCONFINED } from "../src/adapters/process/confine.ts";
import { findRepository } from "../src/workspace/git/find-repository.ts";
import { createPinnedSettings } from "../src/workspace/git/pinned-settings.ts";
import { createPlaces } from "../src/workspace/place/places.ts";
import { atMost, median } from "./figure.ts";
import type { Figure } from "./figure.ts";

const FILES = 20_000;
const CHANGED = 10;
const ROUNDS = 7;

/** On a disk, beside git and `cp` on the same files. */
export async function benchPlace(): Promise<readonly Figure[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "orch-bench-")));
  try {
    return await measured(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(folder: string): Promise<readonly Figure[]> {
  const root = join(folder, "project");
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", env: ENV, maxBuffer: 1e8 });
  mkdirSync(root);
  git("init", "--quiet");
  git("config", "gc.auto", "0");
  write(root, ".gitignore", "node_modules\n");
  for (let n = 0; n < FILES; n += 1) {
    write(root, `src/${n % 400}/${n}.ts`, `export const n = ${n};\n`);
    write(root, `node_modules/package-${n % 600}/lib/${n}.js`, `export const n = ${n};\n`);
  }
  git("add", "--all");
  git("commit", "--quiet", "--message", "start");
  for (let n = 0; n < CHANGED; n += 1) write(root, `src/${n}/${n}.ts`, "export {};\n");
  git("commit", "--quiet", "--all", "--message", "work");
  const commits = ["HEAD~1", "HEAD"].map((name) => git("rev-parse", name).trim());
  const found = await findRepository(root, ENV);
  if (found === null) throw new Error(`no repository in ${root}`);
  // As a run has it.
  const repository = await createPinnedSettings(null).pin(found, join(folder, "run"), UNCONFINED);
  const places = createPlaces({
    repository: () => Promise.resolve(repository),
    first: { refs: null, ignored: null },
    commands: {
      settings: { include: null, setup: null, prepare: null },
      env: ENV,
      logs: join(folder, "logs"),
      confine: UNCONFINED,
      redact: (text) => text,
    },
    settings: {
      root: join(folder, "trees"),
      include: null,
      setup: null,
      prepare: null,
      neighbours: [],
    },
    env: ENV,
  });
  const bring = (commit: string): Promise<number> =>
    timed(() => places.with({ commit, branch: "work" }, SIGNAL, () => Promise.resolve()));
  const [start = "", work = ""] = commits;
  const copied = await timed(() => execFileSync("cp", ["-a", root, join(folder, "copy")]));
  const made = await bring(start);
  git("checkout", "--quiet", "--detach", start);
  const rounds: (readonly [number, number])[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const to = round % 2 === 0 ? work : start;
    rounds.push([await bring(to), await timed(() => git("checkout", "--quiet", to))]);
  }
  await places.close();
  const [brought, checkedOut] = [0, 1].map((at) => median(rounds.map((one) => one[at] ?? NaN)));
  return [
    {
      name: "making a place, against cp -a",
      measured: made / copied,
      unit: "×",
      goal: atMost(1.2),
    },
    {
      name: `bringing it to a commit, ${CHANGED} of ${FILES} files changed, against git checkout`,
      measured: (brought ?? NaN) / (checkedOut ?? NaN),
      unit: "×",
      goal: atMost(1.5),
    },
    { name: "bringing it, in itself", measured: brought ?? NaN, unit: "ms", goal: null },
  ];
}

const SIGNAL = new AbortController().signal;
const ENV = {
  PATH: process.env["PATH"] ?? "",
  HOME: tmpdir(),
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "bench",
  GIT_AUTHOR_EMAIL: "bench@localhost",
  GIT_COMMITTER_NAME: "bench",
  GIT_COMMITTER_EMAIL: "bench@localhost",
};

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
