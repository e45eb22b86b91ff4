// Which commands look after the work of runs: what it is, where it goes, and what is left of it?

import { AS_JSON, RELOAD, type CommandSpec } from "./command-spec.ts";

export const WORK_COMMANDS: readonly CommandSpec[] = [
  {
    usage: "diff [run] [task]",
    summary: "what a run, or one of its tasks, changed",
    more: "Of a run: its finished work. Of a task: its work up to the last checkpoint.",
    options: [["--stat", "only file names and line counts"], AS_JSON],
    examples: ["orch diff", "orch diff add-login --stat", "orch diff k3f9 --json"],
    run: async (...all) => (await import("../commands/diff.ts")).diffCommand(...all),
  },
  {
    usage: "merge [run] [task]",
    summary: "merge the work into the branch the run started from",
    more: "All finished work of the run, or one of its tasks. If your branch has moved on, the gates first run on both together. If anything is in the way, nothing is touched (exit code 3).",
    options: [RELOAD, AS_JSON],
    examples: ["orch merge", "orch merge k3f9 add-login"],
    run: async (...all) => (await import("../commands/merge.ts")).mergeCommand(...all),
  },
  {
    usage: "stop [run]",
    summary: "stop a run; it can be resumed later",
    more: "Waits until the run has stopped.",
    options: [AS_JSON],
    examples: ["orch stop", "orch stop k3f9"],
    run: async (...all) => (await import("../commands/abandon.ts")).stopCommand(...all),
  },
  {
    usage: "abandon [run]",
    summary: "end a stopped run for good",
    more: "Unfinished tasks end as skipped; their work is kept: `orch rescue list`.",
    options: [RELOAD, AS_JSON],
    examples: ["orch abandon", "orch abandon k3f9"],
    run: async (...all) => (await import("../commands/abandon.ts")).abandonCommand(...all),
  },
  {
    usage: "rescue [what] [which]",
    summary: "unfinished work that was kept: list, show, restore",
    more: "list: of all runs, or of one. show, restore: one by its number or ref; without it the newest. Restoring makes uncommitted changes in the checkout, if nothing is in the way; the rescue itself is kept.",
    options: [["--stat", "show: only file names and line counts"], AS_JSON],
    examples: ["orch rescue list", "orch rescue show 3", "orch rescue restore 3"],
    run: async (...all) => (await import("../commands/rescue.ts")).rescueCommand(...all),
  },
  {
    usage: "clean",
    summary: "remove what ended runs left behind",
    more: "Worktrees, merged branches, checkpoints; after 30 days also run folders and rescues. Lists them and asks. It never removes what an unfinished run needs, or work that is neither merged nor rescued.",
    options: [
      ["--yes", "without asking"],
      ["--dry-run", "only list it", { excludes: ["yes"] }],
      AS_JSON,
    ],
    examples: ["orch clean", "orch clean --dry-run", "orch clean --yes --json"],
    run: async (...all) => (await import("../commands/clean.ts")).cleanCommand(...all),
  },
];
