// What is said of a setup command that failed, and how often has it failed in this way?

import { appendFile, readFile, rm } from "node:fs/promises";

import { OrchError, THEN_RESUME } from "../../errors.ts";
import { fingerprint } from "../../readers/failure/identity.ts";
import type { SetupEnd } from "./run-setup.ts";

type Failed = Extract<SetupEnd, { kind: "failed" | "timed-out" }>;

/** Kept beside its log: each failure ends the process, and the next one is to know of it. */
const historyOf = (logPath: string): string => `${logPath}.failures`;

/** To be told; the run can be resumed, for what is away now may be back in an hour. */
export async function setupFailed(
  command: string,
  end: Failed,
  logPath: string,
): Promise<OrchError> {
  const how = end.kind === "failed" ? `exit code ${end.exitCode ?? "none"}` : "it took too long";
  const { fp, line } = fingerprint(end.lastLines);
  const times = await timesInARow(`${how} ${fp}`, historyOf(logPath));
  const often = times > 1 ? ` in the same way ${times} times in a row` : "";
  const said = line === "" ? "it said nothing" : line;
  return new OrchError(
    "setup-failed",
    `worktree.setup (${command}) failed${often}, ${how}: ${said}`,
    `see ${logPath}; fix the command or the project, ${THEN_RESUME}`,
  );
}

export function setupPassed(logPath: string): Promise<void> {
  return rm(historyOf(logPath), { force: true });
}

/** Where it cannot be kept it is the first time. */
async function timesInARow(failure: string, path: string): Promise<number> {
  const before = await readFile(path, "utf8").catch(() => "");
  await appendFile(path, `${failure}\n`, { mode: 0o600 }).catch(() => {});
  const all = [...before.split("\n").slice(0, -1), failure];
  return all.length - 1 - all.findLastIndex((one) => one !== failure);
}
