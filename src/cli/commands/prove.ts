// How well is a commit proven that no run made?

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { loadConfig } from "../../adapters/project/config-loader.ts";
import { changedWords } from "../../core/decide/lost-checks.ts";
import { GRADES } from "../../core/model/decision.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import type { Taken } from "../../core/model/measurement.ts";
import { twoByTwo } from "../../core/views/projection-attempt.ts";
import type { TaskState } from "../../core/model/state.ts";
import { lastAttempt } from "../../core/run/select.ts";
import { gitAsk, gitText, type Git } from "../../workspace/git/git.ts";
import { commitOf, knownTree } from "../../workspace/git/refs.ts";
import { commitTree } from "../../workspace/keep/commits.ts";
import { createSnapshots } from "../../workspace/keep/snapshot.ts";
import { printErr, printResult, styleOf } from "../io.ts";
import { facts, hanging, paragraph, type Fact } from "../layout.ts";
import { type Command, usage } from "../command-line/options.ts";
import { MEASURED_ON, tablesOf, tellGate } from "../render/gate.ts";
import { measuredWithoutRun } from "../running/without-run.ts";
import { requireRepository } from "./diff.ts";

const EXIT_NOT_PROVEN = 3;

export const proveCommand: Command = async ([name = null], given, io) => {
  const { settings } = await loadConfig(io.cwd);
  if (settings.gates === "none" || settings.gates.length === 0)
    throw usage("the config names no gate", "`orch init` finds the commands that test a project");
  if (!existsSync(tmpdir()))
    throw usage(`TMPDIR is ${tmpdir()}, and not there`, "make that folder");
  const git = await requireRepository(io);
  const work = name === null ? await checkedOut(git) : await commitNamed(git, name);
  const base = await baseFor(git, work, given.base ?? null);
  if (base === work) throw usage("a commit is not proven against itself", "name another --base");
  const [before, taken] = [await takenAt(git, base), await takenAt(git, work)];
  const message = await gitText(git, ["show", "--no-patch", "--format=%B", work]);
  const task = await measuredWithoutRun({
    root: git.root,
    env: io.env,
    settings,
    base,
    work: { base: before, taken, message },
    fresh: false,
    deep: false,
    signal: io.readerGone,
    recorded: (event) => {
      if (event.type !== "measured" || event.of === "trial" || given.json === true) return;
      const on = MEASURED_ON[event.of];
      const { text, tone } = tellGate(event.result);
      const words = on === null ? text : `${on}: ${text}`;
      printErr(io, paragraph(styleOf(io, "stderr"), words, { tone, hanging: "  " }));
    },
  });
  const proven = { commit: work, base, ...resultOf(task) };
  printResult(io, given, proven, (style) =>
    [
      ...tablesOf(proven.proof, style),
      ...facts(style, [
        ["work", `${work.slice(0, 10)} ${excerpt(message.split("\n")[0] ?? "", 80)}`],
        ["base", base.slice(0, 10)],
        ...proven.changed.map((one): Fact => ["changed", changedWords(one)]),
        ...proven.why.map((words): Fact => ["why", words]),
      ]),
      hanging(style, proven.grade === null ? "not proven" : GRADES[proven.grade]),
    ].join("\n"),
  );
  return proven.grade === null ? EXIT_NOT_PROVEN : 0;
};

/** `grade` null: it would not be accepted. */
function resultOf({ steps, cursor }: TaskState) {
  const outcome = steps[0] === undefined ? null : (lastAttempt(steps[0])?.outcome ?? null);
  if (outcome === null) {
    const why = cursor.at === "ended" && cursor.end.kind !== "done" ? [cursor.end.reason] : [];
    return { grade: null, why, changed: [], proof: [] };
  }
  const { decision, evidence, explanation } = outcome;
  const proof = twoByTwo(evidence);
  if (decision.kind !== "continue" || decision.how.kind !== "advance")
    return { grade: null, why: explanation.evidence, changed: [], proof };
  const { grade, unproven, changed } = decision.how;
  return { grade, why: unproven === null ? [] : [unproven], changed, proof };
}

/** With what is not committed there, as a commit that no branch has. */
async function checkedOut(git: Git): Promise<string> {
  const head = await commitNamed(git, "HEAD");
  const folder = mkdtempSync(join(tmpdir(), "orch-prove-"));
  try {
    const { tree } = await createSnapshots(folder).take(git);
    if (tree === (await knownTree(git, head))) return head;
    return await commitTree(git, tree, [head], "what is checked out\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function takenAt(git: Git, commit: string): Promise<Taken> {
  return { commit, tree: (await knownTree(git, commit)) ?? commit };
}

async function commitNamed(git: Git, name: string): Promise<string> {
  const commit = await commitOf(git, name);
  if (commit !== null) return commit;
  throw usage(`${JSON.stringify(name)} is no commit here`, "`git log --oneline` lists them");
}

const DEFAULT_BRANCHES = ["refs/remotes/origin/HEAD", "refs/heads/main", "refs/heads/master"];

/** Where it left the default branch; of what that branch holds already, the commit before it. */
async function baseFor(git: Git, work: string, wanted: string | null): Promise<string> {
  if (wanted !== null) return commitNamed(git, wanted);
  for (const branch of DEFAULT_BRANCHES) {
    const end = await commitOf(git, branch);
    const base = end && (await gitAsk(git, ["merge-base", end, work]));
    if (base !== null && base !== work) return base;
  }
  const before = await commitOf(git, `${work}^`);
  if (before !== null) return before;
  throw usage(
    "there is no commit before it to compare with",
    "name one: orch prove --base <commit>",
  );
}
