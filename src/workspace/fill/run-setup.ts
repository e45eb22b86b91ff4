// How is the command run that makes a fresh tree ready?

import { randomUUID } from "node:crypto";

import { quietEnvironment } from "../../adapters/environment.ts";
import { BoundedLog } from "../../adapters/files/bounded-log.ts";
import type { Confine } from "../../adapters/process/confine.ts";
import { runProcess, type ProcessEnd } from "../../adapters/process/process.ts";
import type { Redact } from "../../adapters/redact.ts";
import type { SetupCommand } from "../../core/model/settings.ts";
import { tailOf } from "../../readers/failure/findings.ts";

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

export type SetupEnd =
  | { readonly kind: "passed" }
  /** `exitCode` null: a signal ended it, or it could not be started. */
  | { readonly kind: "failed"; readonly exitCode: number | null; readonly lastLines: string }
  | { readonly kind: "timed-out"; readonly lastLines: string }
  | { readonly kind: "aborted" };

const STOP_GRACE_MS = 5_000;

/** What it leaves in the tree is the caller's to look at. */
export async function runSetup(request: SetupRequest): Promise<SetupEnd> {
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
  return endOf(end, tailOf(log.close()));
}

function endOf(end: ProcessEnd, lastLines: string): SetupEnd {
  if (end.kind === "not-started") return { kind: "failed", exitCode: null, lastLines: end.detail };
  if (end.cause === "aborted") return { kind: "aborted" };
  if (end.cause !== "self") return { kind: "timed-out", lastLines };
  if (end.exitCode === 0) return { kind: "passed" };
  return { kind: "failed", exitCode: end.exitCode, lastLines };
}
