// What was set aside, and how does it come back without touching anything else?

import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { OrchError } from "../errors.ts";
import { entriesBetween } from "./entries.ts";
import { entryAt } from "./entry-at.ts";
import { gitAnswer, gitText, type Git } from "./git.ts";
import { refRows } from "./refs.ts";

export interface RescueEntry {
  readonly ref: string;
  readonly commit: string;
  readonly run: string;
  readonly task: string;
  /** Epoch seconds. */
  readonly madeAtS: number;
  readonly why: string;
}

/** All rescues of every run, oldest first. */
export async function listRescues(git: Git): Promise<readonly RescueEntry[]> {
  const fields = ["refname", "objectname", "creatordate:unix", "contents:subject"];
  const oldestFirst = ["--sort=refname", "--sort=creatordate", "refs/orch/*/*/rescue-*"];
  const rows = await refRows(git, fields, oldestFirst);
  return rows.map(([ref = "", commit = "", made = "", subject = ""]) => {
    const [, , run = "", task = ""] = ref.split("/");
    const why = subject.replace(/^orch: /, "");
    return { ref, commit, run, task, madeAtS: Number(made), why };
  });
}

/**
 * Applies what the rescue changed to the files of the checkout, as uncommitted changes: index, branch
 * and stash stay as they are. Where it does not fit, or a file that it changes is not as it is committed,
 * nothing is touched. Resolves to the paths that changed.
 */
export async function restoreIntoCheckout(
  git: Git,
  { commit }: Pick<RescueEntry, "commit">,
): Promise<readonly string[]> {
  const entries = await entriesBetween(git, [`${commit}^1`, commit]);
  const paths = entries.map(({ path }) => path);
  // git looks for this only when it has begun to write.
  const blocked = paths.flatMap(foldersOf).find((one) => isInTheWay(git, one));
  if (blocked !== undefined) throw doesNotFit(`${blocked} is no folder`);
  const patch = join(tmpdir(), `orch-restore-${randomUUID()}.patch`);
  const how = ["-r", "-p", "--binary", "--full-index", "--no-renames", "--no-color"];
  const plainly = ["--no-ext-diff", "--no-textconv", `--output=${patch}`];
  const asIs = ["-c", "apply.whitespace=nowarn", "-c", "apply.ignoreWhitespace=no"];
  try {
    await gitText(git, ["diff-tree", ...how, ...plainly, `${commit}^1`, commit]);
    for (const step of [["--check", "--index"], []]) {
      const { exitCode, stderr } = await gitAnswer(
        git,
        [...asIs, "apply", ...step, patch],
        [0, 1, 128],
      );
      if (exitCode !== 0) throw doesNotFit(stderr);
    }
  } finally {
    rmSync(patch, { force: true });
  }
  return paths;
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_part, at) => parts.slice(0, at + 1).join("/"));
}

/** A link is no folder. */
function isInTheWay(git: Git, folder: string): boolean {
  return entryAt(join(git.root, folder))?.isDirectory() === false;
}

function doesNotFit(why: string): OrchError {
  const lines = why
    .trim()
    .replaceAll(/^error: /gm, "")
    .split("\n");
  return new OrchError(
    "files-in-the-way",
    `the rescued work does not fit the files that are there: ${lines.slice(0, LINES_MAX).join("; ")}`,
    "nothing was touched; commit or stash those files, or make a branch of it with `--branch <name>`",
  );
}

const LINES_MAX = 5;

/** Makes a branch of the rescue itself; nothing is checked out. */
export async function restoreAsBranch(
  git: Git,
  { commit }: Pick<RescueEntry, "commit">,
  name: string,
): Promise<void> {
  const make = ["branch", "--no-track", "--", name, commit];
  const { exitCode, stderr } = await gitAnswer(git, make, [0, 128]);
  if (exitCode !== 0)
    throw new OrchError(
      "branch-in-use",
      `git makes no branch of the rescue: ${stderr.trim().replace(/^fatal: /, "")}`,
      "choose another name, for example `--branch rescued`; no branch is ever reset",
    );
}

/** The one that is meant by its number, counted from the oldest, or by its ref; null: the newest. */
export function pickRescue<T extends Pick<RescueEntry, "ref">>(
  rescues: readonly T[],
  wanted: string | null,
): T {
  const rescue =
    wanted === null
      ? rescues.at(-1)
      : /^\d{1,6}$/.test(wanted)
        ? rescues[Number(wanted) - 1]
        : rescues.find(({ ref }) => ref === wanted || ref === `refs/orch/${wanted}`);
  if (rescue !== undefined) return rescue;
  if (rescues.length > 0)
    throw new OrchError(
      "rescue-unknown",
      `there is no rescue ${wanted}`,
      "`orch rescue list` shows them",
    );
  throw new OrchError(
    "rescue-unknown",
    "no work was set aside in this repository",
    "it is set aside before a tree with unfinished work goes",
  );
}
