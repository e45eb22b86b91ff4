// What does durability cost, compared with bare writes and JSON.parse?

import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readLog, requireLog } from "../src/adapters/log/event-log.ts";
import { createRun } from "../src/adapters/log/event-store.ts";
import { sealed } from "../src/adapters/log/run-view-file.ts";
import { createRedactor } from "../src/adapters/redact.ts";
import type { RunEvent } from "../src/core/model/event.ts";
import { idOf, type RunId, type StepId, type TaskId } from "../src/core/model/ids.ts";
import { DEFAULT_RUN_LIMITS } from "../src/core/model/policy.ts";
import { NO_OVERRIDES } from "../src/core/model/settings.ts";
import { eventLine } from "../src/schema/event-line.ts";
import { flipBits } from "../test/support/bit-flips.ts";
import { recorded, RUN as STORY } from "../test/support/builders.ts";
import { finished } from "../test/support/stories.ts";
import { atLeast, atMost, median, type Figure } from "./figure.ts";
import { NO_WORDS } from "../src/core/model/measurement.ts";

/** A durable event through the store, against one bare write and fdatasync of the same bytes. */
export async function benchAppend(rounds = 15, perRound = 40): Promise<readonly Figure[]> {
  return inFolder(async (root) => {
    const redact = createRedactor(process.env);
    const store = createRun(root, RUN, { redact });
    await store.append([STARTED]);
    const event = gateEnded(1);
    const bytes = Buffer.from(
      `${sealed(eventLine(RUN, { seq: 1, epoch: 1, at: new Date().toISOString(), event }))}\n`,
    );
    const fd = openSync(join(root, "bare.jsonl"), "ax");
    const bare: number[] = [];
    const durable: number[] = [];
    // In turns, so that another process's load falls on both alike.
    for (let round = 0; round < rounds; round += 1) {
      for (let n = 0; n < perRound; n += 1) {
        bare.push(
          elapsed(() => {
            writeSync(fd, bytes);
            fdatasyncSync(fd);
          }),
        );
        const start = performance.now();
        await store.append([event]);
        durable.push(performance.now() - start);
      }
    }
    closeSync(fd);
    store.release();
    const ratio = median(durable) / median(bare);
    const name = "a durable event, against bare write and fdatasync";
    return [{ name, measured: ratio, unit: "×", goal: atMost(2) }];
  });
}

/** Replay with validation, and JSON.parse alone of the same lines. */
export async function benchReplay(megabytes = 48, rounds = 5): Promise<readonly Figure[]> {
  return inFolder(async (root) => {
    const path = join(root, "events.jsonl");
    const bytes = writeLog(path, megabytes * 1e6);
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    // In turns, so that another process's load falls on all alike.
    const turns = Array.from({ length: rounds }, () => ({
      replay: elapsed(() => requireLog(path, readLog(path))),
      parse: elapsed(() => {
        for (const line of lines) JSON.parse(line);
      }),
    }));
    const medianOf = (what: "replay" | "parse") => median(turns.map((turn) => turn[what]));
    const speedOf = (name: string, what: "replay" | "parse"): Figure => {
      return { name, measured: bytes / 1e3 / medianOf(what), unit: "MB/s", goal: null };
    };
    return [
      {
        name: "replay with validation, against JSON.parse alone",
        measured: median(turns.map(({ parse, replay }) => parse / replay)),
        unit: "×",
        goal: atLeast(PARSE_SHARE_MIN),
      },
      speedOf("the same, in itself", "replay"),
      speedOf("JSON.parse of the same lines", "parse"),
    ];
  });
}

/**
 * Of each line the checksum is computed, and every field looked at. It is more than the 200 MB/s that were
 * the first goal, on a machine that parses some 550: how fast JSON is parsed differs threefold between
 * machines.
 */
const PARSE_SHARE_MIN = 0.5;

/** The bits of a run's log, flipped one after the other: which share does its reader tell as damage? */
export function benchDamage(): readonly Figure[] {
  const lines = recorded(finished).map((one) => `${sealed(eventLine(STORY, one))}\n`);
  const { tried, noticed } = flipBits(Buffer.from(lines.join("")), 1);
  return [
    {
      name: `flipped bits of a log that are noticed, of ${tried}`,
      measured: (100 * noticed) / tried,
      unit: "%",
      goal: atLeast(99.9),
    },
  ];
}

const RUN = idOf<RunId>("20261120-121436-bench-0000");

const STARTED: RunEvent = {
  type: "run-started",
  run: RUN,
  source: { kind: "words", text: "bench" },
  isolation: "none",
  autoCommit: false,
  limits: DEFAULT_RUN_LIMITS,
  parallel: 1,
  base: null,
  landing: "leave",
  flags: NO_OVERRIDES,
  pinned: { sha256: "", paths: [] },
  orch: "0.1.0",
  node: process.version,
};

/** As long as the events of real runs are in the middle. */
function gateEnded(attempt: number): RunEvent {
  return {
    type: "measured",
    of: "work",
    spec: "0123456789abcdef",
    taken: null,
    checks: { kind: "none", by: "" },
    ...NO_WORDS,
    from: null,
    task: idOf<TaskId>("add-login"),
    step: idOf<StepId>("implement"),
    attempt,
    result: {
      name: "test",
      required: true,
      verdict: {
        kind: "failed",
        findings: Array.from({ length: 6 }, (_, n) => ({
          check: `test/login.test.ts > login > refuses wrong passwords, case ${n}`,
          message: `expected 401 to be 403 // Object.is equality, in test/login.test.ts:${n + 40}:12`,
        })),
      },
      counts: { runner: "vitest", passed: 120, failed: 6, skipped: 0 },
      elapsedMs: 8_123,
      tookMs: 8_123,
      excerpt: "AssertionError: expected 401 to be 403\n".repeat(10),
      flaky: false,
      flakyFindings: [],
      faults: null,
    },
  };
}

function writeLog(path: string, bytesMin: number): number {
  const lines: string[] = [];
  let bytes = 0;
  for (let seq = 1; bytes < bytesMin; seq += 1) {
    const event = seq === 1 ? STARTED : gateEnded(seq);
    const line = `${sealed(eventLine(RUN, { seq, epoch: 1, at: new Date(seq).toISOString(), event }))}\n`;
    lines.push(line);
    bytes += line.length;
  }
  writeFileSync(path, lines.join(""));
  return bytes;
}

function elapsed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "orch-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
