// How does a command of the config, or of a package manager, make a tree or a place ready?

import { randomUUID } from "node:crypto";

import { quietEnvironment } from "../../adapters/environment.ts";
import { BoundedLog } from "../../adapters/files/bounded-log.ts";
import type { Confine } from "../../adapters/process/confine.ts";
import { runProcess } from "../../adapters/process/process.ts";
import type { Redact } from "../../adapters/redact.ts";
import type { SetupCommand } from "../../core/model/settings.ts";
import { errorLine, tailOf } from "../../readers/failure/read-output.ts";

export interface CommandRequest {
  readonly cwd: string;
  /** The checkout: the command finds its path in `ORCH_CHECKOUT`. */
  readonly from: string;
  /** What it may read in a sandbox, besides what a gate may. */
  readonly read?: readonly string[];
  readonly command: SetupCommand;
  readonly logPath: string;
  /** As gates have it: without what agents sign in with. */
  readonly env: Readonly<Record<string, string>>;
  /** What it may write besides `cwd`. */
  readonly write?: readonly string[];
  readonly confine: Confine;
  /** Takes secrets out of text that is written or shown. */
  readonly redact: Redact;
}

const STOP_GRACE_MS = 5_000;

/** Resolves to null when it has passed or was aborted, else to "(npm ci) failed, exit code 1: …". */
export async function runCommand(
  request: CommandRequest,
  signal: AbortSignal,
): Promise<string | null> {
  const { cwd, from, command, logPath, env, read = [], write = [] } = request;
  const log = new BoundedLog(logPath, request.redact);
  const end = await runProcess(
    {
      program: { kind: "shell", line: command.run },
      confinement: request.confine({ who: "check", cwd, env, read, write }),
      cwd,
      env: { ...quietEnvironment(env), ORCH_CHECKOUT: from },
      marker: `setup-${randomUUID()}`,
      timeoutMs: command.timeoutMs,
      stop: [{ signal: "SIGTERM", graceMs: STOP_GRACE_MS }],
      onStdout: (chunk) => log.write("stdout", chunk),
      onStderr: (chunk) => log.write("stderr", chunk),
    },
    signal,
  );
  const lastLines = tailOf(log.close());
  const failed = (how: string, why: string): string => `(${command.run}) failed, ${how}: ${why}`;
  if (end.kind === "not-started") return failed("it could not be started", end.detail);
  if (end.cause === "aborted" || (end.cause === "self" && end.exitCode === 0)) return null;
  const isLate = end.cause !== "self";
  const how = isLate ? "it took too long" : `exit code ${end.exitCode ?? "none"}`;
  return failed(how, errorLine(lastLines) || "it said nothing");
}
