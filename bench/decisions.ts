// How often are the decisions right on the project's own labelled cases, and how long do they take?

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { decide } from "../src/core/decide/decide.ts";
import { crashCause } from "../src/readers/endings/crash-cause.ts";
import { evaluate } from "./eval/evaluate.ts";
import { renderEval } from "./eval/render.ts";
import type { Score } from "./eval/score.ts";
import { EVAL_SETS } from "./eval/sets.ts";
import type { EvalSet } from "./eval/sets.ts";
import { evidence, FAILED } from "../test/support/builders.ts";
import { history, policy } from "../test/core/builders.ts";
import { atLeast, atMost, median } from "./figure.ts";
import type { Figure, Goal } from "./figure.ts";

/** The figures that count of each set, in percent. */
const GOALS: Readonly<Record<EvalSet, Readonly<Record<string, Goal>>>> = {
  blockers: {
    // Many records are of types that are no longer read from words: an agent declares them, or a program reports them.
    "class, uncontested": atLeast(80),
    decision: atLeast(85),
    "false pauses": atMost(2),
    "reset times exact": atLeast(95),
    "reset times invented": atMost(0),
  },
  histories: {
    // Cycles and repeated passages are labelled too; orch does not look for them.
    "stuck, F1, uncontested": atLeast(70),
    "moving runs called stuck": atMost(4),
  },
  error_pairs: {
    "same error, F1, uncontested": atLeast(93),
    "different errors merged": atMost(2),
  },
  closings: {
    // Blockers in prose are labelled too; orch expects agents to declare them.
    "a person is needed, F1": atLeast(55),
    "pauses on harmless doubt": atMost(0),
  },
};

const ENDING_CHARS = 64 * 1024;
const ROUNDS = 300;
const WARM_ROUNDS = 2_000;

export function benchDecisions(folder: string): readonly Figure[] {
  const readAtMs = Date.UTC(2026, 5, 10, 12);
  const scores = EVAL_SETS.map((set) => {
    const text = readFileSync(join(folder, `${set}.jsonl`), "utf8");
    return evaluate(set, text, readAtMs).evaluation;
  });
  for (const evaluation of scores)
    process.stdout.write(
      `${renderEval({ ...evaluation, all: true }, { columns: 100, color: false, wraps: true })}\n\n`,
    );
  return [...scores.flatMap(({ set, score }) => figuresOf(set, score)), ...speed()];
}

function figuresOf(set: EvalSet, score: Score | null): readonly Figure[] {
  return Object.entries(GOALS[set]).map(([name, goal]) => ({
    name: `${set}: ${name}`,
    measured: score?.figures.find((figure) => figure.name === name)?.percent ?? null,
    unit: "%",
    goal,
  }));
}

function speed(): readonly Figure[] {
  const line =
    "  at run (/srv/app/src/server.ts:41:7) retrying request after timeout of the test\n";
  const text = line.repeat(ENDING_CHARS / line.length);
  const crash = {
    text,
    record: null,
    exitCode: 1,
    signal: null,
    nowMs: Date.UTC(2026, 5, 10),
    zone: "UTC",
  };
  const seen = evidence({ gates: [FAILED] });
  const [past, under] = [history(), policy()];
  return [
    {
      name: "to classify an ending of 64 KiB",
      measured: timed(() => crashCause(crash)),
      unit: "ms",
      goal: atMost(1),
    },
    {
      name: "to decide",
      measured: timed(() => decide(seen, past, under)) * 1_000,
      unit: "µs",
      goal: atMost(50),
    },
  ];
}

/** The median of many runs in milliseconds, once the code is warm. */
function timed(work: () => unknown): number {
  for (let n = 0; n < WARM_ROUNDS; n++) work();
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return median(rounds);
}
