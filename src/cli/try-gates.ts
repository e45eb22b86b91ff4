// What do the commands that were found for a project say, run once where the person stands?

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { gateEnvironment } from "../adapters/environment.ts";
import { ensureOrchFolder, orchFolder } from "../adapters/log/run-files.ts";
import { UNCONFINED } from "../adapters/process/confine.ts";
import type { DetectedGate } from "../adapters/project/project-detect.ts";
import { createRedactor } from "../adapters/redact.ts";
import { assertNever } from "../core/model/assert.ts";
import { excerpt } from "../core/model/excerpt.ts";
import type { GateResult, UnknownWhy } from "../core/model/verdict.ts";
import { createGates } from "../gates/gates.ts";
import { VERSION } from "../version.ts";
import { findRepository } from "../workspace/find-repository.ts";
import { gitText } from "../workspace/git.ts";
import type { CliIo } from "./io.ts";
import { dotted, type Tone } from "./layout.ts";
import { gateSays } from "./render/gate.ts";
import { duration } from "./render/text.ts";

/** What one run of a command showed. */
export interface Tried {
  readonly run: string;
  readonly words: string;
  /** What stands beside it in the config where it is left out. */
  readonly short: string;
  readonly tone: Tone;
  /** It passed, or takes longer than anybody wants to wait here. */
  readonly isUsable: boolean;
  /** Its tests ran, and some of them fail: as a gate it proves more than none. */
  readonly isRed: boolean;
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
  const one = async (name: string, run: string): Promise<Tried & { isMissing: boolean }> => {
    const timeoutMs = patience(spentMs);
    if (timeoutMs === null) return { ...NOT_REACHED, run, isMissing: false };
    const once = {
      expect: "pass",
      required: true,
      timeoutMs,
      retries: 0,
      failedRetries: 0,
    } as const;
    const read = { parse: "auto", report: null, proves: "auto" } as const;
    const request = { cwd: root, logPath: join(logs, `${name}.log`), variables: {}, isBase: true };
    const gate = { kind: "command", name, run, ...once, ...read } as const;
    const was = await changesIn(root, io.env);
    const result = await gates.check(gate, request, new AbortController().signal);
    spentMs += result.elapsedMs;
    const { verdict } = result;
    const isMissing = verdict.kind === "unknown" && verdict.why === "tool-missing";
    const changed = [...(await changesIn(root, io.env))].filter((line) => !was.has(line));
    return {
      ...triedOf(result),
      ...(changed.length > 0 ? changing(result, changed) : {}),
      run,
      isMissing,
    };
  };
  /** The first whose program is there, else the first. */
  return async ({ name, run, others }: DetectedGate): Promise<Tried> => {
    const first = await one(name, run);
    for (const other of first.isMissing ? others : []) {
      const tried = await one(name, other);
      if (!tried.isMissing) return tried;
    }
    return first;
  };
}

/** What differs from the commit, a line for each tracked file; nothing where there is no repository. */
async function changesIn(root: string, env: CliIo["env"]): Promise<ReadonlySet<string>> {
  const git = await findRepository(root, env).catch(() => null);
  if (git === null) return new Set();
  const told = await gitText(git, ["diff", "--numstat", "-z", "--no-renames", "HEAD"]).catch(
    () => "",
  );
  return new Set(told.split("\0").filter((line) => line !== ""));
}

/** A gate runs after the work and must leave it as it is. */
function changing(result: GateResult, changed: readonly string[]) {
  const [first = ""] = changed.map((line) => line.split("\t").slice(2).join("\t"));
  const more = changed.length === 1 ? "" : ` and ${changed.length - 1} more`;
  const words = `it changed ${excerpt(first, 80)}${more} of this checkout`;
  return {
    words: dotted([gateSays(result), words]),
    short: "changes files",
    tone: "bad",
    isUsable: false,
    isRed: false,
  } as const;
}

type Outcome = Omit<Tried, "run">;

const NOT_REACHED: Outcome = {
  words: `not run: the others took ${duration(ALL_MS)} already`,
  short: "not run",
  tone: "attention",
  isUsable: false,
  isRed: false,
};

const SHORT: Record<UnknownWhy, string> = {
  "timed-out": "still running",
  "tool-missing": "its program is missing",
  "nothing-checked": "checks nothing",
  "output-unreadable": "says nothing",
  "not-run": "does not start",
  killed: "was killed",
};

function triedOf(result: GateResult): Outcome {
  const { verdict, counts } = result;
  const isRed = verdict.kind === "failed" && (counts?.passed ?? 0) > 0;
  const time = duration(result.elapsedMs);
  const words = dotted([gateSays(result), time]);
  switch (verdict.kind) {
    case "passed":
      return { words, short: "passes", tone: "good", isUsable: true, isRed };
    case "failed":
      return { words, short: "fails today", tone: "bad", isUsable: false, isRed };
    case "unknown": {
      const short = SHORT[verdict.why];
      if (verdict.why !== "timed-out")
        return { words, short, tone: "attention", isUsable: false, isRed };
      const slow = `${short} after ${time}; in a run it may take 15m`;
      return { words: slow, short, tone: "attention", isUsable: true, isRed };
    }
    default:
      return assertNever(verdict, "verdict");
  }
}
