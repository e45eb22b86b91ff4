// Commands and flags that orch once had, and what to use instead.

const REMOVED: Readonly<Record<string, string>> = {
  "--yes": "leave it out: only `orch clean` asks",
  "--all-repositories":
    "trees of a repository that is gone are folders in worktree.root: remove them by hand",
  "--dry-run": "`orch run --plan` shows what would run",
  eval: "labelled records are measured in orch's own repository: npm run bench -- eval <set> <file>",
  "--explain-level":
    "`orch policy [task]` shows the level and who sets it; docs/questions.md, what each asks",
  "--policy": "name single values with --set key=value",
  "--since": "`orch list --all` shows all runs with their times, and `--json` is for filters",
};

/** What to use instead of a command, or of a flag ("--since"); null: there never was one of this name. */
export function removedWord(word: string): string | null {
  return Object.hasOwn(REMOVED, word) ? (REMOVED[word] ?? null) : null;
}
