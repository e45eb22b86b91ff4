// Which work was set aside, what is in it, and how does a person get it back?

import { createRedactor } from "../../adapters/redact.ts";
import { findRuns, matchRun } from "../../adapters/log/run-reader.ts";
import type { Git } from "../../workspace/git.ts";
import { changedFiles, diffText } from "../../workspace/show-diff.ts";
import {
  listRescues,
  pickRescue,
  rescuedFiles,
  restoreAsBranch,
  restoreIntoCheckout,
} from "../../workspace/rescues.ts";
import { type CliIo, printResult, styleOf } from "../io.ts";
import { type Command, usage } from "../options.ts";
import { printPaged } from "../pager.ts";
import { requireRepository } from "../repository.ts";
import { renderRescue, renderRescues, type RescueRow } from "../render/rescue.ts";
import { plural } from "../render/text.ts";
import { refuseInsideSession } from "./inside-session.ts";

export const rescueCommand: Command = async (args, given, io) => {
  const [what = "list", wanted = null] = args;
  const act = ACTS[what];
  if (act === undefined)
    throw usage(
      `there is no \`orch rescue ${what}\``,
      "use list, show or restore, for example `orch rescue show 1`",
    );
  if (given.branch !== undefined && what !== "restore")
    throw usage("--branch belongs to `orch rescue restore`", "`orch rescue --help`");
  return act(wanted, given, io, await requireRepository(io));
};

type Act = (
  wanted: string | null,
  given: Parameters<Command>[1],
  io: CliIo,
  git: Git,
) => Promise<number>;

const ACTS: Readonly<Record<string, Act>> = {
  list: async (wanted, given, io, git) => {
    const run = wanted === null ? null : (matchRun(findRuns(io.cwd), wanted) ?? wanted);
    const all = await rowsOf(git);
    const rescues = all.filter((row) => run === null || row.run === run);
    printResult(io, given, { rescues }, (style) => renderRescues(rescues, style));
    return 0;
  },
  show: async (wanted, given, io, git) => {
    const row = pickRescue(await rowsOf(git), wanted);
    const commits = [`${row.commit}^1`, row.commit] as const;
    const redact = createRedactor(io.env);
    if (given.json === true) {
      const changed = await changedFiles(git, commits, redact);
      printResult(io, given, { ...row, changed }, () => "");
      return 0;
    }
    const style = styleOf(io, "stdout");
    const { color, columns } = style;
    const diff = await diffText(git, commits, {
      redact,
      stat: given.stat === true,
      color,
      columns,
    });
    await printPaged(io, `${renderRescue(row, style)}\n\n${diff}`);
    return 0;
  },
  restore: async (wanted, given, io, git) => {
    refuseInsideSession(io.env, "orch rescue restore", git.root);
    const row = pickRescue(await rowsOf(git), wanted);
    const { ref } = row;
    if (given.branch !== undefined) {
      const commit = await restoreAsBranch(git, row, given.branch);
      const made = { ref, branch: given.branch, commit };
      printResult(
        io,
        given,
        made,
        () => `branch ${made.branch} holds it; look: git log -p -1 ${made.branch}`,
      );
      return 0;
    }
    const paths = await restoreIntoCheckout(git, row);
    printResult(io, given, { ref, paths }, () =>
      paths.length === 0
        ? "the checkout holds all of it already"
        : `${plural(paths.length, "file")} restored as uncommitted changes; look: git status`,
    );
    return 0;
  },
};

/** Numbered from the oldest, so that a new one changes no number. */
async function rowsOf(git: Git): Promise<readonly RescueRow[]> {
  const rescues = await listRescues(git);
  const files = await rescuedFiles(git, rescues);
  return rescues.map(({ madeAtS, ...one }, index) => ({
    number: index + 1,
    ...one,
    madeAt: new Date(madeAtS * 1_000).toISOString(),
    files: files.get(one.commit) ?? 0,
  }));
}
