// What of runs that are over can go, and does the person want it gone?

import { findRuns } from "../../adapters/log/run-reader.ts";
import { loadConfig } from "../../adapters/project/config-loader.ts";
import { OrchError } from "../../errors.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import { treesFolder } from "../../workspace/worktrees/places.ts";
import { askLine } from "../running/at-terminal.ts";
import { canPrompt, printErr, printOut, printResult, styleOf } from "../io.ts";
import type { CliIo, Style } from "../io.ts";
import { paragraph, table } from "../layout.ts";
import { leftovers, type Kept, type Leftover } from "../leftovers.ts";
import type { Command } from "../command-line/options.ts";
import { plural } from "../render/text.ts";
import { refuseInsideSession } from "./inside-session.ts";

export const cleanCommand: Command = async (_args, given, io) => {
  const { root } = findRuns(io.cwd);
  refuseInsideSession(io.env, "orch clean", root);
  const { worktree, branchPrefix } = await settingsAt(io);
  const git = await findRepository(io.cwd, io.env);
  const removable = await leftovers({
    root,
    git,
    treesFolder: treesFolder(worktree, io.env, git?.root ?? null),
    branchPrefix,
    nowMs: Date.now(),
  });
  if (given.yes !== true || removable.length === 0)
    printResult(io, given, shownAsJson(removable, []), (style) =>
      renderLeftovers(removable, style),
    );
  if (removable.length === 0) return 0;
  const canAsk = canPrompt(io) && given.json !== true;
  if (given.yes !== true && !(canAsk && (await isWanted(io)))) {
    printErr(io, "nothing was removed; `orch clean --yes` removes it without asking");
    return 0;
  }
  const kept: Kept[] = [];
  for (const one of removable) {
    const why = await one
      .remove()
      .catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    if (why !== null) kept.push({ kind: one.kind, name: one.name, why });
  }
  const gone = removable.filter(
    ({ name, kind }) => !kept.some((k) => k.name === name && k.kind === kind),
  );
  if (given.json === true) printResult(io, given, shownAsJson(gone, kept), () => "");
  else printOut(io, renderCleaned(gone, kept, styleOf(io, "stdout")));
  return 0;
};

function shownAsJson(removable: readonly Leftover[], kept: readonly Kept[]) {
  return { leftovers: removable.map(({ remove: _remove, ...one }) => one), kept };
}

/** A clean needs no config: without one the trees lie where they do by default. */
async function settingsAt({
  cwd,
}: CliIo): Promise<{ worktree: string | null; branchPrefix: string }> {
  try {
    const { settings } = await loadConfig(cwd);
    return { worktree: settings.worktree.root, branchPrefix: settings.git.branchPrefix };
  } catch (error) {
    if (!(error instanceof OrchError) || error.code !== "config-missing") throw error;
    return { worktree: null, branchPrefix: "orch/" };
  }
}

async function isWanted(io: CliIo): Promise<boolean> {
  return /^(?:y|yes)$/i.test((await askLine(io, "remove all of this? [y/N]")) ?? "");
}

const LISTED_MAX = 50;

function renderLeftovers(removable: readonly Leftover[], style: Style): string {
  if (removable.length === 0) return "nothing is left over";
  const rows = removable.slice(0, LISTED_MAX).map(({ kind, name, why }) => [name, kind, why]);
  const more = removable.length - LISTED_MAX;
  return [...table(style, rows), ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
}

function renderCleaned(gone: readonly Leftover[], kept: readonly Kept[], style: Style): string {
  return [
    paragraph(style, `removed: ${plural(gone.length, "leftover")}`, { hanging: "  " }),
    ...kept.map(({ name, why }) =>
      paragraph(style, `kept: ${name}: ${why}`, { tone: "attention", hanging: "  " }),
    ),
  ].join("\n");
}
