// What of runs that are over can go, and does the person want it gone?

import { mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { listRuns, orchFolder, runFiles } from "../../adapters/log/run-files.ts";
import { findRuns, standingOf } from "../../adapters/log/run-reader.ts";
import { loadConfig } from "../../adapters/project/config-loader.ts";
import type { RunId } from "../../core/model/ids.ts";
import { OrchError } from "../../errors.ts";
import { branchRef } from "../../workspace/git/branch.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import { gitList, type Git } from "../../workspace/git/git.ts";
import {
  mergedBranches,
  oldRefs,
  removeRefs,
  type OldRef,
  type Standing,
  clearPlace,
  clearSlot,
  slotsIn,
  unusedPlaces,
} from "../../workspace/worktrees/leftovers.ts";
import { worktreesFolder } from "../../workspace/worktrees/places.ts";
import { askLine } from "../running/at-terminal.ts";
import { canPrompt, printErr, printOut, printResult, styleOf } from "../io.ts";
import type { CliIo, Style } from "../io.ts";
import { paragraph, table } from "../layout.ts";
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
    worktreesFolder: worktreesFolder(worktree, io.env, git?.root ?? null),
    branchPrefix,
    nowMs: Date.now(),
  });
  if (given.yes !== true || removable.length === 0)
    printResult(io, given, shownAsJson(removable, []), (style) =>
      renderLeftovers(removable, style),
    );
  if (removable.length === 0) return 0;
  const canAsk = canPrompt(io) && given.json !== true && given.yes !== true;
  const typed = canAsk ? await askLine(io, "remove all of this? [y/N]") : null;
  if (given.yes !== true && !["y", "yes"].includes(typed?.toLowerCase() ?? "")) {
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

function renderLeftovers(removable: readonly Leftover[], style: Style): string {
  if (removable.length === 0) return "nothing is left over";
  const rows = removable.map(({ kind, name, why }) => [name, kind, why]);
  return table(style, rows).join("\n");
}

function renderCleaned(gone: readonly Leftover[], kept: readonly Kept[], style: Style): string {
  return [
    paragraph(style, `removed: ${plural(gone.length, "leftover")}`, { hanging: "  " }),
    ...kept.map(({ name, why }) =>
      paragraph(style, `kept: ${name}: ${why}`, { tone: "attention", hanging: "  " }),
    ),
  ].join("\n");
}

interface Leftover {
  readonly kind: "tree" | "place" | "branch" | "run" | "rescue" | "checkpoint";
  readonly name: string;
  readonly why: string;
  /** Resolves to why it stays, or rejects; null: it is gone. */
  readonly remove: () => Promise<string | null>;
}

/** What could not go. */
type Kept = Omit<Leftover, "remove">;

interface CleanPlace {
  /** Where `.orch` lies. */
  readonly root: string;
  readonly git: Git | null;
  readonly worktreesFolder: string;
  readonly branchPrefix: string;
  readonly nowMs: number;
}

const KEPT_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;

/** In the order in which they go: what is in a tree is kept before its run is forgotten. */
async function leftovers(place: CleanPlace): Promise<readonly Leftover[]> {
  const { git } = place;
  const runs = await runsOf(place);
  const ofGit =
    git === null
      ? []
      : [
          ...(await oldTrees(place, git, runs)),
          ...(await oldPlaces(place, git)),
          ...(await oldBranches(place, git, runs)),
          ...(await refsOf(place, git, runs)),
        ];
  return [...ofGit, ...oldRuns(place, runs)];
}

type KnownRuns = Awaited<ReturnType<typeof runsOf>>;

/** Of every checkout of the repository: they share branches, refs and the place of the trees. */
async function runsOf({ root, git }: CleanPlace) {
  const listed = git === null ? [] : await gitList(git, ["worktree", "list", "--porcelain", "-z"]);
  const linked = listed.flatMap((row) => (row.startsWith(AT) ? [row.slice(AT.length)] : []));
  const roots = new Set([root, ...(git === null ? [] : [git.root]), ...linked]);
  const slots = [...roots].flatMap((at) =>
    listRuns(at).map((run) => [run, { run, root: at, standing: standingOf(at, run) }] as const),
  );
  return new Map<string, (typeof slots)[number][1]>(slots);
}

const AT = "worktree ";

async function oldTrees(
  { worktreesFolder }: CleanPlace,
  git: Git,
  runs: KnownRuns,
): Promise<readonly Leftover[]> {
  const slots = await slotsIn(worktreesFolder, git.commonDir);
  const over = slots.filter(({ run }) => runs.get(run)?.standing !== "needed");
  return over.map((slot) => {
    const owner = runs.get(slot.run);
    const runDir = owner === undefined ? null : runFiles(owner.root, slot.run).folder;
    const why = owner === undefined ? "its run is gone" : "its run has ended";
    return { kind: "tree", name: slot.folder, why, remove: () => clearSlot(git, slot, runDir) };
  });
}

async function oldPlaces(
  { worktreesFolder }: CleanPlace,
  { commonDir }: Git,
): Promise<readonly Leftover[]> {
  const slots = await unusedPlaces(worktreesFolder, commonDir);
  const why = "no run uses it; the next one makes it again";
  return slots.map((slot) => ({ kind: "place", name: slot, why, remove: () => clearPlace(slot) }));
}

async function oldBranches(
  { branchPrefix }: CleanPlace,
  git: Git,
  runs: KnownRuns,
): Promise<readonly Leftover[]> {
  const merged = await mergedBranches(git, branchPrefix, standingIn(runs));
  return merged.map(({ branch, commit }) => ({
    kind: "branch",
    name: branch,
    why: "all of it is in what is checked out",
    remove: () => removeRefs(git, [{ ref: branchRef(branch), commit }]),
  }));
}

function standingIn(runs: KnownRuns) {
  return (run: string): Standing => runs.get(run)?.standing ?? "gone";
}

/** Each rescue for itself, and the checkpoints of each run together. */
async function refsOf(
  { nowMs }: CleanPlace,
  git: Git,
  runs: KnownRuns,
): Promise<readonly Leftover[]> {
  const olderThanS = (nowMs - KEPT_DAYS * DAY_MS) / 1_000;
  const together = new Map<string, OldRef[]>();
  for (const one of await oldRefs(git, { standing: standingIn(runs), olderThanS })) {
    const name = one.kind === "rescue" ? one.ref : one.run;
    together.set(name, [...(together.get(name) ?? []), one]);
  }
  return Array.from(together, ([name, refs]): Leftover => {
    const isRescue = refs[0]?.kind === "rescue";
    const checkpoints = `${refs.length} of an ended run`;
    const why = isRescue ? `older than ${KEPT_DAYS} days` : checkpoints;
    const kind = isRescue ? "rescue" : "checkpoint";
    return { kind, name, why, remove: () => removeRefs(git, refs) };
  });
}

/** Folders of finished runs that are old, of runs that never began, and what an earlier clean left. */
function oldRuns({ root, nowMs }: CleanPlace, runs: KnownRuns): readonly Leftover[] {
  return [...runs.values()].flatMap(({ run, root: at, standing }): readonly Leftover[] => {
    if (at !== root || standing === "needed") return [];
    const isBegun = standing !== "never-began";
    const ended = statSync(runFiles(root, run).result, { throwIfNoEntry: false })?.mtimeMs;
    if (isBegun && nowMs - (ended ?? Date.now()) <= KEPT_DAYS * DAY_MS) return [];
    const old = `it ended more than ${KEPT_DAYS} days ago`;
    const why = isBegun ? old : "it died before its first event";
    return [{ kind: "run", name: run, why, remove: async () => forget(root, run) }];
  });
}

/** In one step: half a folder could be taken for a run that is to go on. */
function forget(root: string, run: RunId): null {
  const trash = join(orchFolder(root), "trash");
  mkdirSync(trash, { recursive: true, mode: 0o700 });
  renameSync(runFiles(root, run).folder, join(trash, run));
  rmSync(trash, { recursive: true, force: true });
  return null;
}
