// How is the command run that makes a fresh tree ready?

import { randomUUID } from "node:crypto";

import { quietEnvironment } from "../../adapters/environment.ts";
import { BoundedLog } from "../../adapters/files/bounded-log.ts";
import type { Confine } from "../../adapters/process/confine.ts";
import { runProcess } from "../../adapters/process/process.ts";
import type { Redact } from "../../adapters/redact.ts";
import type { SetupCommand } from "../../core/model/settings.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";
import { errorLine, tailOf } from "../../readers/failure/findings.ts";

export interface SetupRequest {
  /** The tree. */
  readonly root: string;
  /** The checkout: the command finds its path in `ORCH_CHECKOUT`. */
  readonly from: string;
  readonly command: SetupCommand;
  readonly logPath: string;
  /** As gates have it: without what agents sign in with. */
  readonly env: Readonly<Record<string, string>>;
  readonly confine: Confine;
  /** Takes secrets out of text that is written or shown. */
  readonly redact: Redact;
  readonly signal: AbortSignal;
}

const STOP_GRACE_MS = 5_000;

/**
 * Resolves when it has passed or was aborted; throws OrchError "setup-failed". The run can be resumed, for
 * what is away now may be back in an hour.
 */
export async function runSetup(request: SetupRequest): Promise<void> {
  const { root, from, command, logPath, env, signal } = request;
  const log = new BoundedLog(logPath, request.redact);
  const end = await runProcess(
    {
      program: { kind: "shell", line: command.run },
      confinement: request.confine({ who: "check", cwd: root, env, read: [from] }),
      cwd: root,
      env: { ...quietEnvironment(env), ORCH_CHECKOUT: from },
      input: null,
      marker: `setup-${randomUUID()}`,
      timeoutMs: command.timeoutMs,
      idleMs: null,
      stop: [{ signal: "SIGTERM", graceMs: STOP_GRACE_MS }],
      onStdout: (chunk) => log.write("stdout", chunk),
      onStderr: (chunk) => log.write("stderr", chunk),
      onSpawn: () => Promise.resolve(),
    },
    signal,
  );
  const lastLines = tailOf(log.close());
  const failed = (how: string, why: string): OrchError =>
    new OrchError(
      "setup-failed",
      `worktree.setup (${command.run}) failed, ${how}: ${why}`,
      `see ${logPath}; fix the command or the project, ${THEN_RESUME}`,
    );
  if (end.kind === "not-started") throw failed("it could not be started", end.detail);
  if (end.cause === "aborted" || (end.cause === "self" && end.exitCode === 0)) return;
  const isLate = end.cause !== "self";
  const how = isLate ? "it took too long" : `exit code ${end.exitCode ?? "none"}`;
  throw failed(how, errorLine(lastLines) || "it said nothing");
}
