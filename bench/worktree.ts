// How long does a fresh tree with all that a build needs take, beside the fastest that the system can do?

import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

import { fillWorktree } from "../src/workspace/worktrees/make-worktree.ts";
import { findRepository } from "../src/workspace/git/find-repository.ts";
import type { Git } from "../src/workspace/git/git.ts";
import { atMost, median, type Figure } from "./figure.ts";
import { inProject } from "./project.ts";

const ROUNDS = 3;
const REPOSITORY_FILES = 20_000;
const DEPENDENCY_FILES = 20_000;

/** On a disk, as trees are: in memory nothing waits, and several processes are no faster than one. */
export async function benchWorktree(cli: string): Promise<readonly Figure[]> {
  const layout = { cli, git: true, files: files() };
  const took = await inProject(layout, async ({ root }) => medianOf(realpathSync(root)));
  const { git, fill, single, several } = took;
  const fastest = Math.min(single, several);
  return [
    {
      name: "a tree with what git ignores, against git and the fastest copy",
      measured: (git + fill) / (git + fastest),
      unit: "×",
      goal: atMost(1.3),
    },
    {
      name: "what git ignores alone, against the fastest copy",
      measured: fill / fastest,
      unit: "×",
      goal: atMost(1.3),
    },
    { name: "one cp -a, against the same", measured: single / fastest, unit: "×", goal: null },
    { name: "the copying, in itself", measured: fill, unit: "ms", goal: null },
  ];
}

/** Milliseconds of each. */
type Took = Record<"git" | "fill" | "single" | "several", number>;

async function medianOf(root: string): Promise<Took> {
  const git = await findRepository(root, process.env);
  if (git === null) throw new Error(`no repository in ${root}`);
  const rounds: Took[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await oneRound(git, round));
  const of = (step: keyof Took): number => median(rounds.map((took) => took[step]));
  return { git: of("git"), fill: of("fill"), single: of("single"), several: of("several") };
}

/** In which order things are copied changes from round to round: the first pays for the others. */
async function oneRound(git: Git, round: number): Promise<Took> {
  const { root } = git;
  const slot = join(root, "slots", String(round));
  const [to, from] = [join(slot, "tree"), join(root, "node_modules")];
  const [single, several] = [join(slot, "single"), join(slot, "several")];
  for (const folder of [single, several]) mkdirSync(folder, { recursive: true });
  const took: Took = { git: NaN, fill: NaN, single: NaN, several: NaN };
  took.git = await timed(() => shell(`git -C ${root} worktree add -q --detach ${to}`));
  const copies: readonly (() => Promise<unknown>)[] = [
    async () => (took.fill = await timed(() => filled(git, to))),
    async () => (took.single = await timed(() => shell(`cp -a ${from} ${single}`))),
    async () => (took.several = await timed(() => shell(`cd ${from} && ${inParts(several)}`))),
  ];
  for (const at of copies.keys()) await copies[(at + round) % copies.length]?.();
  shell(`git -C ${root} worktree remove --force ${to}`);
  rmSync(slot, { recursive: true });
  return took;
}

function filled(git: Git, to: string): Promise<unknown> {
  const { signal } = new AbortController();
  return fillWorktree({ git, to, ignored: ["node_modules/", "slots/"], include: null, signal });
}

function inParts(to: string): string {
  const copy = `sh -c 'cp -a -- "$@" ${to}/' sh`;
  const lanes = Math.max(2, availableParallelism());
  return `find . -mindepth 1 -maxdepth 1 -print0 | xargs -0 -n 20 -P ${lanes} ${copy}`;
}

/** What was written before is not waited for by what is measured. */
async function timed(work: () => unknown): Promise<number> {
  shell("sync");
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function shell(line: string): void {
  execFileSync("/bin/sh", ["-c", line], { stdio: "ignore" });
}

/** Of the size that sources and installed packages have; packages have folders in folders. */
function files(): Readonly<Record<string, string>> {
  const source = (at: number) => [`src/${at % 400}/${at}.ts`, text(at, 3_000)] as const;
  const installed = (at: number) => {
    const way = `${at % 600}/${["lib", "dist/esm", "src/deep/down"][at % 3]}`;
    return [`node_modules/package-${way}/${at}.js`, text(at, 5_000)] as const;
  };
  return {
    ".gitignore": "node_modules/\nslots/\n",
    ...Object.fromEntries(Array.from({ length: REPOSITORY_FILES }, (_, at) => source(at))),
    ...Object.fromEntries(Array.from({ length: DEPENDENCY_FILES }, (_, at) => installed(at))),
  };
}

/** From next to nothing to four times the mean. */
function text(at: number, meanBytes: number): string {
  return `export const n${at} = ${at};\n`.padEnd(
    (meanBytes * (at % 9) ** 2) / 23,
    "// and so on\n",
  );
}
