// How does a document with problems end a command?

import { OrchError, type ErrorCode } from "../../errors.ts";
import type { Problem } from "../../schema/parsed.ts";

/** The first problem, and how many more there are; `fix` where the problem suggests nothing. */
export function problemError(
  code: ErrorCode,
  problems: readonly Problem[],
  fix: string,
  hint = "",
): OrchError {
  const [first, ...more] = problems;
  const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
  const message = `${first?.where ?? "it"}: ${first?.message ?? "is not understood"}${rest}`;
  return new OrchError(code, message, `${first?.suggestion ?? fix}${hint}`);
}

export const VALIDATE_HINT = "; `orch validate` lists everything";
