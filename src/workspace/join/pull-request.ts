// How does finished work become a pull request, with the program `gh` that the user has signed in?

import { runProgram } from "../../adapters/process/run-program.ts";
import { ownProgram } from "../../adapters/process/program.ts";
import type { RunBase } from "../../core/model/event.ts";
import { isObject, jsonIn, textAt } from "../../core/model/json.ts";
import type { Landed, LandingIntent } from "../../core/model/landing.ts";
import type { Proposal } from "../../engine/ports.ts";
import { branchOf, branchRef } from "../git/branch.ts";
import { gitAnswer, gitAsk, gitText, type Git } from "../git/git.ts";

export interface ProposeCall {
  readonly intent: LandingIntent;
  readonly base: RunBase;
  readonly words: Proposal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Nothing is forced: a branch of that name that holds something else is left as it is. */
export async function propose(git: Git, call: ProposeCall): Promise<Landed> {
  const { intent, base, words } = call;
  const { commit, branch } = intent;
  const remote = await remoteOf(git, branch);
  if (remote === null) return left("the repository has no remote to push to", null);
  const spec = `${commit}:${branchRef(base.into)}`;
  const byHand = `git push ${remote} ${spec}`;
  const program = ownProgram("gh", git.env["PATH"], git.root);
  if (program === null) return left("the program gh is not installed", byHand);
  const gh = (args: readonly string[], input?: string) =>
    runProgram(program, args, {
      cwd: git.root,
      env: { ...call.env, PATH: git.env["PATH"], GH_PROMPT_DISABLED: "1", NO_COLOR: "1" },
      timeoutMs: GH_TIMEOUT_MS,
      ...(input === undefined ? {} : { input }),
    });
  const signedIn = await gh(["auth", "status"]);
  if (signedIn.exitCode !== 0) return left("gh is not signed in (`gh auth login`)", byHand);
  const pushed = await gitAnswer(git, [...PUSH, remote, spec], [0, 1, 128]);
  if (pushed.exitCode !== 0)
    return left(`${remote} does not take the branch: ${lastLine(pushed.stderr)}`, byHand);
  const existing = await gh(["pr", "view", base.into, "--json", "url"]);
  const url = existing.exitCode === 0 ? urlIn(existing.stdout) : null;
  if (url !== null) return { kind: "landed", commit, url };
  const target = branchOf((await setting(git, branch, "merge")) ?? branch);
  const where = ["--head", base.into, "--base", target];
  const create = ["pr", "create", ...where, "--title", words.title, "--body-file", "-"];
  const made = await gh(create, words.body);
  if (made.exitCode === 0) return { kind: "landed", commit, url: lastLine(made.stdout) };
  const hand = `gh pr create ${where.join(" ")}`;
  return left(`the branch is pushed, and gh opens no pull request: ${lastLine(made.stderr)}`, hand);
}

function left(why: string, next: string | null): Landed {
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

function urlIn(text: string): string | null {
  const value = jsonIn(text);
  return isObject(value) ? textAt(value, "url") : null;
}

const LINE_CHARS_MAX = 400;

function lastLine(text: string): string {
  return (text.trim().split("\n").at(-1) ?? "").slice(0, LINE_CHARS_MAX);
}
