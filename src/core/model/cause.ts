// Why did a task come to an end without being done, and what helps?

/** Every cause with the advice that follows from it, one line. */
export const CAUSES = {
  agent: "make the task smaller or clearer, or give it to another model, then run it again",
  contention:
    "make one task depend on the other (`dependsOn`), or give each its own `scope`, then run it again",
  environment: "fix what is named above on this machine, then run the task again",
  provider: "check the provider's account, sign-in and limits, then run it again",
  specification: "decide in the task's text what is named above, then run it again",
  "context-pollution": "split the task, so that each part fits one conversation, then run it again",
} as const satisfies Record<string, string>;

export type StallCause = keyof typeof CAUSES;
