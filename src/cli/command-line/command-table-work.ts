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
    usage: "prove [commit]",
    summary: "how well a commit is proven, without a run",
    more: "Of a commit, or of all that is checked out: the gates run on it and on what it began with, with the checks of both. Exit code 3 if it is not proven.",
    options: [
      ["--base <commit>", "what it began with; else where it left the default branch"],
      AS_JSON,
    ],
    examples: ["orch prove", "orch prove HEAD~2", "orch prove feature --base origin/main --json"],
    run: async (...all) => (await import("../commands/prove.ts")).proveCommand(...all),
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
    more: "Unfinished tasks end as skipped; their work is kept: `orch rescue`.",
    options: [RELOAD, AS_JSON],
    examples: ["orch abandon", "orch abandon k3f9"],
    run: async (...all) => (await import("../commands/abandon.ts")).abandonCommand(...all),
  },
  {
    usage: "rescue [list] [run]",
    summary: "unfinished work that was kept, and how to get it back",
    more: "Of all runs, or of one. Each rescue is a commit under a ref: git shows it, and brings it back.",
    options: [AS_JSON],
    examples: ["orch rescue", "orch rescue k3f9 --json"],
    run: async (...all) => (await import("../commands/rescue.ts")).rescueCommand(...all),
  },
  {
    usage: "clean",
    summary: "remove what ended runs left behind",
    more: "Worktrees, merged branches, checkpoints; after 30 days also run folders and rescues. Lists them and, in a terminal, asks. It never removes what an unfinished run needs, or work that is neither merged nor rescued.",
    options: [["--yes", "without asking"], AS_JSON],
    examples: ["orch clean", "orch clean --json", "orch clean --yes"],
    run: async (...all) => (await import("../commands/clean.ts")).cleanCommand(...all),
  },
  {
    usage: "stats",
    summary: "what many runs came to, cost and asked",
    options: [
      ["--since <time>", "of runs that began since then, like 7d or 12h; all (default: 30d)"],
      [
        "--by <what>",
        "a line for each of these, too",
        { choices: ["model", "agent", "pipeline", "task"] },
      ],
      AS_JSON,
    ],
    examples: ["orch stats", "orch stats --since 7d --by agent", "orch stats --since all --json"],
    run: async (...all) => (await import("../commands/stats.ts")).statsCommand(...all),
  },
  {
    usage: "web",
    summary: "a page with all runs, live, where questions are answered",
    more: "Serves this machine alone, until Ctrl+C. The link that it prints holds a key: who has it may answer.",
    options: [
      ["--port <n>", "where it listens; 0: any free port (default: 4242)"],
      ["--open", "open it in the browser"],
    ],
    examples: ["orch web", "orch web --open", "orch web --port 0"],
    run: async (...all) => (await import("../commands/web.ts")).webCommand(...all),
  },
];
