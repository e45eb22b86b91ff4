// Which work was rescued, what is in it, and how does a person get it back?

import { findRuns, matchRun } from "../../adapters/log/run-reader.ts";
import { createRedactor } from "../../adapters/redact.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import type { Git } from "../../workspace/git/git.ts";
import {
  listRescues,
  pickRescue,
  restoreIntoCheckout,
  type RescueEntry,
} from "../../workspace/keep/rescue.ts";
import { changedFiles } from "../../workspace/git/diff.ts";
import { type CliIo, printResult, styleOf, type Style } from "../io.ts";
import { facts, paint, paragraph, shorten, table } from "../layout.ts";
import { type Command, usage } from "../command-line/options.ts";
import { plural, dayAndTime } from "../render/text.ts";
import { printDiff, requireRepository } from "./diff.ts";
import { refuseInsideSession } from "./inside-session.ts";

export const rescueCommand: Command = async (args, given, io) => {
  const [what = "list", wanted = null] = args;
  const act = ACTS[what];
  if (act === undefined)
    throw usage(
      `there is no \`orch rescue ${what}\``,
      "use list, show or restore, for example `orch rescue show 1`",
    );
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
    if (given.json === true) {
      const changed = await changedFiles(git, commits, createRedactor(io.env));
      printResult(io, given, { ...row, changed }, () => "");
      return 0;
    }
    const heading = `${renderRescue(row, styleOf(io, "stdout"))}\n\n`;
    await printDiff(git, commits, io, { ...given, heading });
    return 0;
  },
  restore: async (wanted, given, io, git) => {
    refuseInsideSession(io.env, "orch rescue restore", git.root);
    const row = pickRescue(await rowsOf(git), wanted);
    const { ref } = row;
    const paths = await restoreIntoCheckout(git, row);
    const files = plural(paths.length, "file");
    printResult(
      io,
      given,
      { ref, paths },
      () => `${files} restored as uncommitted changes; look: git status`,
    );
    return 0;
  },
};

/** Numbered from the oldest, so that a new one changes no number. */
async function rowsOf(git: Git): Promise<readonly RescueRow[]> {
  const rescues = await listRescues(git);
  return rescues.map(({ madeAtS, ...one }, index) => ({
    number: index + 1,
    ...one,
    madeAt: new Date(madeAtS * 1_000).toISOString(),
  }));
}

interface RescueRow extends Omit<RescueEntry, "madeAtS"> {
  readonly number: number;
  readonly madeAt: string;
}

const TASK_COLUMNS_MAX = 24;
const WHY_CHARS_MAX = 200;

/** Oldest first: the newest stands next to the prompt. */
function renderRescues(rows: readonly RescueRow[], style: Style): string {
  if (rows.length === 0) return "there is no rescued work";
  const lines = rows.map(({ number, madeAt, task, run, why }) => [
    String(number),
    dayAndTime(madeAt),
    shorten(task, TASK_COLUMNS_MAX),
    run.slice(run.lastIndexOf("-") + 1),
    excerpt(why, WHY_CHARS_MAX),
  ]);
  const names = ["#", "when", "task", "run", "why"];
  return [
    ...table(style, lines, { names }),
    "",
    paint(style, "quiet", "look: orch rescue show <#>"),
    paint(style, "quiet", "back: orch rescue restore <#>"),
  ].join("\n");
}

function renderRescue({ number, ref, madeAt, why }: RescueRow, style: Style): string {
  return [
    paragraph(style, `rescue ${number}`, { tone: "strong" }),
    ...facts(style, [
      ["when", dayAndTime(madeAt)],
      ["why", excerpt(why, WHY_CHARS_MAX)],
      ["ref", ref],
      ["back", `orch rescue restore ${number}`],
    ]),
  ].join("\n");
}
