// With which codes does orch end, and what do they say?

/** The public contract, in the order in which several codes are told apart: the first wins. */
export const EXIT_CODES = [
  { code: 70, name: "bug", meaning: "a bug in orch" },
  { code: 130, name: "interrupted", meaning: "interrupted at the keyboard; state kept" },
  { code: 143, name: "interrupted", meaning: "stopped by you, or by a signal; state kept" },
  { code: 2, name: "not-started", meaning: "could not start" },
  { code: 1, name: "failed", meaning: "failed: gates failing at the end" },
  { code: 3, name: "blocked", meaning: "a task was blocked or skipped" },
  { code: 4, name: "waiting", meaning: "waiting for an answer" },
  { code: 5, name: "stalled", meaning: "stalled: going on would be waste" },
  { code: 6, name: "over-budget", meaning: "over budget" },
  { code: 75, name: "deferred", meaning: "deferred: resume it later" },
  { code: 0, name: "done", meaning: "every task done" },
] as const;

export type ExitCode = (typeof EXIT_CODES)[number]["code"];

/** What the code says, for summaries; codes that are not orch's own are named by number. */
export function exitMeaning(code: number): string {
  return EXIT_CODES.find((row) => row.code === code)?.meaning ?? `exit code ${code}`;
}

export function exitName(code: number): string {
  return EXIT_CODES.find((row) => row.code === code)?.name ?? "unknown";
}
