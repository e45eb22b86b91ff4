// What does a test need to run one session of a driver and look at what is left of it?

import { randomUUID } from "node:crypto";
import { mkdtempSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import { NO_FENCE } from "../../src/core/model/fence.ts";
import { idOf, type SessionToken } from "../../src/core/model/ids.ts";
import type { SessionEvent, Usage } from "../../src/core/model/session.ts";
import type { SessionRequest } from "../../src/engine/ports.ts";
import type { DriverDeps } from "../../src/drivers/session-run.ts";
import { marked, until } from "./processes.ts";

export interface Session {
  readonly request: SessionRequest;
  readonly events: SessionEvent[];
  /** What it told of its use while it ran. */
  readonly used: Usage[];
  /** Everything the agent said so far. */
  readonly agentText: () => string;
  /** Resolves when the agent has said it. */
  readonly hears: (text: string) => Promise<void>;
  readonly log: (
    name: "session.jsonl" | "output.log" | "reasoning.log" | "activity.jsonl",
  ) => string;
  /** Pids of living processes that carry the session's marker. */
  readonly living: () => readonly number[];
}

/** A request in fresh folders whose names break every careless shell command, with calm defaults. */
export function session(overrides: Partial<SessionRequest> = {}): Session {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'it\'s $HOME "q" ')));
  const folders = { cwd: join(root, "tree"), attemptDir: join(root, "attempt") };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  const token = idOf<SessionToken>(randomUUID());
  const [events, used]: [SessionEvent[], Usage[]] = [[], []];
  const request: SessionRequest = {
    ...REQUEST,
    ...folders,
    token,
    reportPath: join(folders.cwd, "report.json"),
    onSpawn: () => Promise.resolve(),
    onEvent: (event) => void events.push(event),
    onUsage: (usage) => void used.push(usage),
    ...overrides,
  };
  const agentText = (): string =>
    events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("\n");
  return {
    request,
    events,
    used,
    agentText,
    hears: (text) => until(() => agentText().includes(text)),
    log: (name) => readFileSync(join(request.attemptDir, name), "utf8"),
    living: () => marked(request.token),
  };
}

/** Drivers under test are in more of a hurry than people are. */
export const hastyDeps: DriverDeps = {
  env: () => ({ PATH: process.env["PATH"] ?? "", HOME: tmpdir() }),
  confine: UNCONFINED,
  prices: {},
  redact: (text) => text.replaceAll("sk-very-secret", "[redacted]"),
  stop: [
    { signal: "SIGINT", graceMs: 300 },
    { signal: "SIGTERM", graceMs: 300 },
  ],
};

export const never: AbortSignal = new AbortController().signal;

/** Calm defaults of a session. */
export const REQUEST: Omit<
  SessionRequest,
  "token" | "cwd" | "attemptDir" | "reportPath" | "onSpawn" | "onEvent" | "onUsage"
> = {
  variables: {},
  start: { kind: "fresh" },
  prompt: "make it so",
  model: null,
  limits: { turns: 100, idleMs: 60_000, sessionMs: 60_000 },
  costLeftUsd: null,
  level: 3,
  holdMs: 0,
  onAsked: async () => null,
  followWords: () => undefined,
  history: [],
  questionsLeft: 3,
  allowedActions: [],
  fence: NO_FENCE,
  totalsBefore: null,
  names: { run: "run-1", task: "add-slug", step: "implement", attempt: "1" },
};
