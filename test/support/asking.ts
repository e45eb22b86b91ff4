// How does a session of a test say what its agent may ask?

import type { Asking } from "../../src/core/model/question.ts";
import { writeAsking } from "../../src/mcp/ask-files.ts";

/** Level 3, calls held for a minute, three questions left. */
export function asking(folder: string, change: Partial<Asking> = {}): void {
  writeAsking(folder, {
    level: 3,
    holdMs: 60_000,
    questionsLeft: 3,
    answered: [],
    leftAlone: [],
    ...change,
  });
}
