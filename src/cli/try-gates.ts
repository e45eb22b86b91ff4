// What do the commands that were found for a project say, run once where the person stands?

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { gateEnvironment } from "../adapters/environment.ts";
import { ensureOrchFolder, orchFolder } from "../adapters/log/run-files.ts";
import { UNCONFINED } from "../adapters/process/confine.ts";
import type { DetectedGate } from "../adapters/project/project-detect.ts";
import { createRedactor } from "../adapters/redact.ts";
import { assertNever } from "../core/model/assert.ts";
import type { GateResult, UnknownWhy } from "../core/model/verdict.ts";
import { createGates } from "../gates/gates.ts";
import { VERSION } from "../version.ts";
import type { CliIo } from "./io.ts";
import { dotted, type Tone } from "./layout.ts";
import { gateSays } from "./render/gate.ts";
import { duration } from "./render/text.ts";

/** What one run of a command showed. */
export interface Tried {
  readonly words: string;
  /** What stands beside it in the config where it is left out. */
  readonly short: string;
  readonly tone: Tone;
  /** It passed, or takes longer than anybody wants to wait here. */
  readonly isUsable: boolean;
}

const EACH_MS = 60_000;
const ALL_MS = 300_000;

/** How long a command is waited for, of which `spentMs` went before it; null: no longer at all. */
function patience(spentMs: number): number | null {
  return spentMs >= ALL_MS ? null : Math.min(EACH_MS, ALL_MS - spentMs);
}

/** As a gate runs in a run of orch, without agents' keys, and so that nothing outlives it. */
export function gateTrial(root: string, io: CliIo) {
  ensureOrchFolder(root);
  const logs = join(orchFolder(root), "init");
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  const gates = createGates({
    root,
    environment: gateEnvironment(io.env),
    confine: UNCONFINED,
    redact: createRedactor(io.env),
    cache: { folder: logs, version: VERSION },
  });
  let spentMs = 0;
  return async ({ name, run }: DetectedGate): Promise<Tried> => {
    const timeoutMs = patience(spentMs);
    if (timeoutMs === null) return NOT_REACHED;
    const once = {
      expect: "pass",
      required: true,
      timeoutMs,
      retries: 0,
      failedRetries: 0,
    } as const;
    const read = { parse: "auto", report: null, proves: "auto" } as const;
    const request = { cwd: root, logPath: join(logs, `${name}.log`), variables: {} };
    const gate = { kind: "command", name, run, ...once, ...read } as const;
    const result = await gates.check(gate, request, new AbortController().signal);
    spentMs += result.elapsedMs;
    return triedOf(result);
  };
}

const NOT_REACHED: Tried = {
  words: `not run: the others took ${duration(ALL_MS)} already`,
  short: "not run",
  tone: "attention",
  isUsable: false,
};

const SHORT: Record<UnknownWhy, string> = {
  "timed-out": "still running",
  "tool-missing": "its program is missing",
  "nothing-checked": "checks nothing",
  "output-unreadable": "says nothing",
  "not-run": "does not start",
  killed: "was killed",
};

function triedOf(result: GateResult): Tried {
  const { verdict } = result;
  const time = duration(result.elapsedMs);
  const words = dotted([gateSays(result), time]);
  switch (verdict.kind) {
    case "passed":
      return { words, short: "passes", tone: "good", isUsable: true };
    case "failed":
      return { words, short: "fails today", tone: "bad", isUsable: false };
    case "unknown": {
      const short = SHORT[verdict.why];
      if (verdict.why !== "timed-out") return { words, short, tone: "attention", isUsable: false };
      const slow = `${short} after ${time}; in a run it may take 15m`;
      return { words: slow, short, tone: "attention", isUsable: true };
    }
    default:
      return assertNever(verdict, "verdict");
  }
}
