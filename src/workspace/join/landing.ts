// How does finished work get into a branch of the user's, without touching anything else of theirs?

import { existsSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import type { RunBase } from "../../core/model/event.ts";
import type { Landed, LandingIntent } from "../../core/model/landing.ts";
import type { Landing, LandingPlan, Proposal } from "../../engine/ports.ts";
import { branchRef, branchOf } from "../git/branch.ts";
import { commitTreeByUser } from "../keep/commits.ts";
import { findRepository } from "../git/find-repository.ts";
import { gitAnswer, gitList, type Git, gitAsk, gitText } from "../git/git.ts";
import { commitOf, isAncestor, moveRefs, treeOf } from "../git/refs.ts";
import { SPARSE } from "../git/sparse.ts";
import { joinTrees } from "./merge.ts";
import { pinnedRepository } from "../workspace-git.ts";
import type { WorkspacesDeps } from "../workspaces.ts";
import { oneLine } from "../../core/model/excerpt.ts";
import { runProgram } from "../../adapters/process/run-program.ts";
import { ownProgram } from "../../adapters/process/program.ts";
import { isObject, jsonIn, textAt } from "../../core/model/json.ts";

export function createLanding(deps: WorkspacesDeps): Landing {
  const repository = () => pinnedRepository(deps);
  return {
    plan: async (intent, base, message) => planOf(await repository(), intent, base, message),
    move: async (branch, way) => move(await repository(), branch, way),
    propose: async (intent, base, words) =>
      propose(await repository(), intent, base, { ...words, env: deps.env }),
  };
}

async function planOf(
  git: Git,
  { commit, branch }: LandingIntent,
  base: RunBase,
  message: string,
): Promise<LandingPlan> {
  const from = await commitOf(git, branchRef(branch));
  if (from === null) return { kind: "impossible", why: `there is no branch ${branch} any more` };
  if (await isAncestor(git, commit, from)) return { kind: "contained", commit: from };
  if (base.withChanges && !(await hasSnapshot(git, base.commit, from)))
    return {
      kind: "impossible",
      why: "the run began with uncommitted files, which it would commit: commit them first",
    };
  const joined = await joinTrees(git, from, commit);
  if (joined.kind === "contained") return { kind: "forward", from, to: commit };
  if (joined.kind === "conflict") return { kind: "conflict", paths: joined.paths };
  const to = await commitTreeByUser(git, joined.tree, [from, commit], message);
  return { kind: "joined", from, to, tree: joined.tree };
}

/** What was uncommitted when the run began is in the branch by now. */
async function hasSnapshot(git: Git, snapshot: string, from: string): Promise<boolean> {
  const joined = await joinTrees(git, from, snapshot);
  return joined.kind === "clean" && joined.tree === (await treeOf(git, from));
}

async function move(
  git: Git,
  branch: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<Landed> {
  const busy = await unfinishedIn(git, branch);
  if (busy !== null) return left(`${branch} is in the middle of ${busy}`);
  const checkout = await checkoutOf(git, branch);
  if (checkout === null) await moveRefs(git, [{ ref: branchRef(branch), from, to }]);
  const why = checkout === null ? null : await pull(checkout, to);
  if (why !== null) return left(why);
  const stands = await commitOf(git, branchRef(branch));
  return stands === to
    ? { kind: "landed", commit: to, url: null }
    : left(`${branch} was moved at the same moment`);
}

/** Where the branch is checked out; null: nowhere. */
async function checkoutOf(git: Git, branch: string): Promise<Git | null> {
  let at = "";
  // By the repository itself: what stands for it while settings are pinned lies elsewhere.
  const listed = await gitList({ ...git, pinned: null }, ["worktree", "list", "--porcelain", "-z"]);
  for (const row of listed) {
    if (row.startsWith("worktree ")) at = row.slice("worktree ".length);
    if (row !== `branch ${branchRef(branch)}`) continue;
    const checkout = await findRepository(at, git.env);
    return checkout === null ? null : { ...checkout, pinned: git.pinned };
  }
  return null;
}

/** git refuses where it would overwrite anything that is not committed, and then touches nothing. */
async function pull(checkout: Git, to: string): Promise<string | null> {
  const careful = "--no-overwrite-ignore --no-autostash --no-squash --no-verify-signatures";
  const isSparse = (await gitAsk({ ...checkout, pinned: null }, SPARSE)) ?? "false";
  const merge = ["-c", `core.sparseCheckout=${isSparse}`, "merge", "--ff-only", "--quiet"];
  const how = [...merge, "--no-stat", ...careful.split(" "), to];
  const { exitCode, stderr } = await gitAnswer(checkout, how, [0, 1, 2, 128]);
  const words = oneLine(stderr.replace(/(?:hint|error|fatal): /g, "")).slice(0, WORDS_CHARS_MAX);
  return exitCode === 0 ? null : `git does not merge it into ${checkout.root}: ${words}`;
}

/** A rebase or a bisection puts the branch back to where it stood when it began. */
async function unfinishedIn({ commonDir }: Git, branch: string): Promise<string | null> {
  const linked = await readdir(join(commonDir, "worktrees")).catch(() => []);
  const folders = [commonDir, ...linked.map((name) => join(commonDir, "worktrees", name))];
  for (const folder of folders)
    for (const [file, what] of UNFINISHED) {
      const path = join(folder, file);
      const named = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
      if (named === branch || named === branchRef(branch)) return what;
    }
  return null;
}

const UNFINISHED = [
  ["rebase-merge/head-name", "a rebase"],
  ["rebase-apply/head-name", "a rebase"],
  ["BISECT_START", "a bisection"],
] as const;

const WORDS_CHARS_MAX = 400;

/** Nothing is forced: a branch of that name that holds something else is left as it is. */
async function propose(
  git: Git,
  { commit, branch }: LandingIntent,
  { into }: RunBase,
  { title, body, env }: Proposal & { readonly env: NodeJS.ProcessEnv },
): Promise<Landed> {
  const { remote, gh, why } = await hostOf(git, branch, env);
  const spec = `${commit}:${branchRef(into)}`;
  const byHand = `git push ${remote} ${spec}`;
  if (remote === null || gh === null) return left(why, remote === null ? null : byHand);
  const pushed = await gitAnswer(git, [...PUSH, remote, spec], [0, 1, 128]);
  if (pushed.exitCode !== 0)
    return left(`${remote} does not take the branch: ${lastLine(pushed.stderr)}`, byHand);
  const existing = await gh(["pr", "view", into, "--json", "url"]);
  const found = existing.exitCode === 0 ? jsonIn(existing.stdout) : null;
  const url = isObject(found) ? textAt(found, "url") : null;
  if (url !== null) return { kind: "landed", commit, url };
  const target = branchOf((await setting(git, branch, "merge")) ?? branch);
  const where = ["--head", into, "--base", target];
  const create = ["pr", "create", ...where, "--title", title, "--body-file", "-"];
  const made = await gh(create, body);
  if (made.exitCode === 0) return { kind: "landed", commit, url: lastLine(made.stdout) };
  const hand = `gh pr create ${where.join(" ")}`;
  return left(`the branch is pushed, and gh opens no pull request: ${lastLine(made.stderr)}`, hand);
}

/** Where a pull request goes, and what makes it; `gh` null: why nothing does. */
export async function hostOf(git: Git, branch: string, env: NodeJS.ProcessEnv) {
  const remote = await remoteOf(git, branch);
  if (remote === null) return { remote, gh: null, why: "the repository has no remote to push to" };
  const program = ownProgram("gh", git.env["PATH"], git.root);
  if (program === null) return { remote, gh: null, why: "the program gh is not installed" };
  const gh = (args: readonly string[], input?: string) =>
    runProgram(program, args, {
      cwd: git.root,
      env: { ...env, PATH: git.env["PATH"], GH_PROMPT_DISABLED: "1", NO_COLOR: "1" },
      timeoutMs: GH_TIMEOUT_MS,
      ...(input === undefined ? {} : { input }),
    });
  const isSignedIn = (await gh(["auth", "status"])).exitCode === 0;
  return { remote, gh: isSignedIn ? gh : null, why: "gh is not signed in (`gh auth login`)" };
}

function left(why: string, next: string | null = null): Landed {
  return { kind: "left", why, next };
}

/** No hook runs, nothing is signed, and only this branch goes. */
const PUSH = ["push.followTags=false", "push.gpgSign=false", "push.recurseSubmodules=no"]
  .flatMap((one) => ["-c", one])
  .concat("push", "--quiet", "--no-verify");

/** Where the branch comes from; else "origin", or the only remote there is. */
async function remoteOf(git: Git, branch: string): Promise<string | null> {
  const remote = await setting(git, branch, "remote");
  const all = (await gitText(git, ["remote"])).split("\n").filter((name) => name !== "");
  if (remote !== null && all.includes(remote)) return remote;
  if (all.includes("origin")) return "origin";
  return all.length === 1 ? (all[0] ?? null) : null;
}

function setting(git: Git, branch: string, key: string): Promise<string | null> {
  return gitAsk(git, ["config", "--get", `branch.${branch}.${key}`]);
}

const GH_TIMEOUT_MS = 2 * 60_000;

function lastLine(text: string): string {
  return (text.trim().split("\n").at(-1) ?? "").slice(0, WORDS_CHARS_MAX);
}
