// Which tree is the work with all that proves, or all that is product, as the task found it?

import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";

import { compileProving, type Proving } from "../../readers/proof/proving.ts";
import type { MixedRequest } from "../../engine/ports.ts";
import { isProduct, roleOf } from "../../readers/tamper/paths.ts";
import { isDependencyList, mergeOf, mergeTestModules } from "../../readers/proof/put-back.ts";
import { readBlobs, entriesBetween, type Entry, type Version } from "../git/diff.ts";
import { renamedTo } from "../../readers/tamper/changed-tests.ts";
import { treeOfBase } from "./change.ts";
import { gitList, gitText, type Git } from "../git/git.ts";
import { commitTree } from "../keep/commits.ts";
import { canaryOf } from "../../readers/proof/canary.ts";
import { digestOf } from "../../core/model/ids.ts";
import type { Taken } from "../../core/model/measurement.ts";

export interface MixedTreeRequest extends Omit<MixedRequest, "red"> {
  /** What the task started from: a commit or a tree. */
  readonly base: string;
  /** The work, as a tree. */
  readonly tree: string;
  /** Where the tree is put together, out of the user's index. */
  readonly index: string;
}

const PATHS_NAMED_MAX = 50;

/**
 * With what was put back, bounded. null: nothing that proves was changed. A control of which nothing is put back is the work itself. Throws where
 * the repository has lost the base.
 */
export async function mixedTree(git: Git, request: MixedTreeRequest) {
  const { base, tree, commands, of } = request;
  const baseTree = await treeOfBase(git, base);
  const entries = await entriesBetween(git, [baseTree, tree]);
  if (entries.length === 0) return null;
  const at = await provingAt(git, baseTree, commands);
  const { was } = at;
  const none = "0".repeat(tree.length);
  const isControl = of === "control";
  const named = isControl ? new Set(request.named) : null;
  const lines = await linesToPutBack(git, entries, at, { none, named });
  const paths = entries.map(({ path }) => path).sort();
  const those = (is: boolean): readonly string[] =>
    paths.filter((path) => lines.has(path) === is).slice(0, PATHS_NAMED_MAX);
  const [putBack, left] = [those(true), those(false)];
  if (lines.size === 0) return isControl ? { tree, putBack, left } : null;
  const newTests =
    !isControl && Array.from(was.keys()).some(isTest)
      ? paths.filter((path) => isTest(path.replace(SNAPSHOT, "$1")) && !was.has(path))
      : [];
  const removed = newTests.map((path) => `0 ${none}\t${path}`);
  return { tree: await treeWith(git, request, [...lines.values(), ...removed]), putBack, left };
}

/** Goes with the file of tests in the folder above. */
const SNAPSHOT = /__snapshots__\/([^/]+)\.snap$/;

const UNREADABLE = "<<<<<<< base\n=======\n>>>>>>> work\n";

/**
 * A commit on the base of which no file can be read but those that prove, that list dependencies or that tools look for
 * by a dot; where none of the others is code, no test either, and where there are none, no file. Submodules are gone.
 */
export async function unreadable(
  git: Git,
  { base, commands, index }: Pick<MixedTreeRequest, "base" | "commands" | "index">,
): Promise<{ readonly taken: Taken; readonly runs: string }> {
  const baseTree = await treeOfBase(git, base);
  const { was, proving } = await provingAt(git, baseTree, commands);
  const isKept = (path: string): boolean => {
    const how = proving.howProves(path);
    const isProof = how !== null && how !== "test-modules";
    return isProof || isDependencyList(path) || /(?:^|\/)\.[^/]*$/.test(path);
  };
  const files = [...was.keys()].filter((path) => was.get(path)?.startsWith("120") === false);
  const free = files.filter((path) => !isKept(path));
  const hasCode = free.some((path) => roleOf(path) === "source");
  const tests = hasCode ? [] : files.filter((path) => roleOf(path) === "test");
  const id = (await gitText(git, ["hash-object", "-w", "--stdin"], { input: UNREADABLE })).trim();
  const lines = (free.length > 0 ? [...free, ...tests] : files).map((path) =>
    was.get(path)?.startsWith("160") === true ? `0 ${id}\t${path}` : `100644 ${id}\t${path}`,
  );
  const tree = await treeWith(git, { tree: baseTree, index }, lines);
  const commit = await commitTree(git, tree, [base], "orch: no source can be read\n");
  return { taken: { commit, tree }, runs: digestOf(proving.lines.join("\n")) };
}

const CANARIES_MAX = 200;

/** Into every test file, for a gate may run some of them; null: there is none, or too many. */
export async function withCanary(
  git: Git,
  { base, index }: Pick<MixedTreeRequest, "base" | "index">,
  work: Taken,
  runner: string,
): Promise<Taken | null> {
  const canary = canaryOf(runner);
  const was = await filesIn(git, await treeOfBase(git, base));
  const files = [...(await filesIn(git, work.tree))].flatMap(([path, line]) => {
    const isTests = was.has(path) && (roleOf(path) === "test" || path.endsWith(".rs"));
    return line.startsWith("100") && isTests && canary?.isIn(path) === true ? [line] : [];
  });
  if (canary === null || files.length === 0 || files.length > CANARIES_MAX) return null;
  const ids = files.map((line) => line.split(/[ \t]/)[2] ?? "");
  const texts = await readBlobs(git, ids);
  const marked: string[] = [];
  for (const [n, line] of files.entries()) {
    const text = texts.get(ids[n] ?? "");
    if (text !== undefined) marked.push(await mergedLine(git, line, canary.behind(text, n)));
  }
  const tree = await treeWith(git, { tree: work.tree, index }, marked);
  const message = "orch: the work with a check that must fail\n";
  return { commit: await commitTree(git, tree, [work.commit], message), tree };
}

/**
 * New ones need what is put back as it is now, and for their sake a runner may refuse to make any check.
 * A module of tests stays in a source of Rust, which names it.
 */
function isTest(path: string): boolean {
  return roleOf(path) === "test" && !(`/${path}`.includes("/src/") && path.endsWith(".rs"));
}

/** What git lists of each file: its mode, type, id and path, as an index takes it. */
type BaseLines = ReadonlyMap<string, string>;

interface ProvingAt {
  readonly was: BaseLines;
  readonly proving: Proving;
}

async function filesIn(git: Git, tree: string): Promise<BaseLines> {
  const lines = await gitList(git, ["ls-tree", "-r", "-z", "--full-tree", tree]);
  return new Map(lines.map((line) => [line.slice(line.indexOf("\t") + 1), line]));
}

/** Asked for twice for each verdict. */
let newest: { readonly key: string; readonly result: ProvingAt } | null = null;

/** Which files of a tree prove the work, and what the commands come to run there. */
export async function provingAt(
  git: Git,
  tree: string,
  commands: readonly string[],
): Promise<ProvingAt> {
  const key = [tree, ...commands].join("\0");
  if (newest?.key === key) return newest.result;
  const was = await filesIn(git, tree);
  const provingAtBase = { was, proving: await readProving(git, commands, was) };
  newest = { key, result: provingAtBase };
  return provingAtBase;
}

/** Scripts that scripts name, and so on. */
const ROUNDS_MAX = 5;
const READ_MAX = 200;

async function readProving(
  git: Git,
  commands: readonly string[],
  was: BaseLines,
): Promise<Proving> {
  const paths = new Set(was.keys());
  const texts = new Map<string, string>();
  let proving = compileProving(commands, { paths, texts });
  for (let round = 0; round < ROUNDS_MAX && proving.unread.length > 0; round += 1) {
    const unread = proving.unread.slice(0, READ_MAX);
    const ids = unread.map((path) => was.get(path)?.split(/[ \t]/)[2] ?? null);
    const blobs = await readBlobs(git, ids);
    for (const [at, path] of unread.entries()) texts.set(path, blobs.get(ids[at] ?? "") ?? "");
    proving = compileProving(commands, { paths, texts });
  }
  return proving;
}

/**
 * By path, how the index is to hold what is put back: all that proves, or of a control the product, of which a file
 * that also holds tests or settings of runners keeps those of the work; tests in a source of Rust go where it went.
 * `none` is the id of no object.
 */
async function linesToPutBack(
  git: Git,
  entries: readonly Entry[],
  { was, proving }: ProvingAt,
  { none, named }: { readonly none: string; readonly named: ReadonlySet<string> | null },
): Promise<ReadonlyMap<string, string>> {
  // With another list of what Go vendors, other dependencies are there.
  const isBumped = entries.some(({ path }) => path === "vendor/modules.txt");
  const files = entries.map((entry) => {
    const isDependency = isBumped && entry.path.startsWith("vendor/");
    const how = isDependency ? null : proving.howProves(entry.path);
    const merge = how === "sections" ? mergeOf(entry.path) : null;
    return { ...entry, how, merge: how === "test-modules" ? mergeTestModules : merge };
  });
  const parts = files.filter(({ merge }) => merge !== null);
  const ids = parts.flatMap(({ before, after }) => [before.id, after.id]);
  const blobs = await readBlobs(git, ids);
  const textOf = ({ id }: Version): string | null => blobs.get(id ?? "") ?? null;
  const texts = files.map((f) => ({ ...f, before: textOf(f.before), after: textOf(f.after) }));
  const lines = new Map<string, string>();
  for (const file of texts) {
    const { path, how, merge, before: old } = file;
    const isRust = named === null && how === "test-modules";
    const { path: to, after: work } = (isRust ? renamedTo(file, texts) : null) ?? file;
    const base = was.get(path)?.replace(/\t[^]*/, `\t${to}`);
    const isPart = how === null || merge !== null;
    const isOfProduct = isPart && (isProduct(path) || isDependencyList(path));
    const isProof = how !== null && (base !== undefined || how === "settings");
    if (!(named === null ? isProof : named.has(path) || isOfProduct)) continue;
    const [mine, other] = named === null ? [old, work] : [work, old];
    const isBoth = base !== undefined && mine !== null && other !== null;
    const merged = isBoth ? (merge?.(mine, other) ?? null) : null;
    if (merged === null ? isRust : merged === work) continue;
    const line = isBoth && merged !== null ? await mergedLine(git, base, merged) : base;
    lines.set(to, line ?? `0 ${none}\t${path}`);
  }
  return lines;
}

async function mergedLine(git: Git, base: string, text: string): Promise<string> {
  const id = await gitText(git, ["hash-object", "-w", "--stdin"], { input: text });
  return `${base.slice(0, base.indexOf(" "))} ${id.trim()}${base.slice(base.indexOf("\t"))}`;
}

async function treeWith(
  git: Git,
  { tree, index }: Pick<MixedTreeRequest, "tree" | "index">,
  lines: readonly string[],
): Promise<string> {
  const at = { env: { GIT_INDEX_FILE: index } };
  await mkdir(dirname(index), { recursive: true, mode: 0o700 });
  try {
    await rm(`${index}.lock`, { force: true });
    await gitText(git, ["read-tree", "--reset", tree], at);
    const record = ["update-index", "-z", "--add", "--replace", "--index-info"];
    const input = lines.map((line) => `${line}\0`).join("");
    await gitText(git, record, { ...at, input });
    return (await gitText(git, ["write-tree", "--missing-ok"], at)).trim();
  } finally {
    await rm(index, { force: true });
  }
}
