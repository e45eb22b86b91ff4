// What is said of a setup command that failed?

import { OrchError, THEN_RESUME } from "../../errors.ts";
import { errorLine } from "../../readers/failure/findings.ts";
import type { SetupEnd } from "./run-setup.ts";

type Failed = Extract<SetupEnd, { kind: "failed" | "timed-out" }>;

/** The run can be resumed, for what is away now may be back in an hour. */
export function setupFailed(command: string, end: Failed, logPath: string): OrchError {
  const how = end.kind === "failed" ? `exit code ${end.exitCode ?? "none"}` : "it took too long";
  return new OrchError(
    "setup-failed",
    `worktree.setup (${command}) failed, ${how}: ${errorLine(end.lastLines) || "it said nothing"}`,
    `see ${logPath}; fix the command or the project, ${THEN_RESUME}`,
  );
}
