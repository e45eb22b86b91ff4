// What does it cost to read what others wrote?

import { irreversibleIn } from "../src/readers/acts/rules.ts";
import { readOutput } from "../src/readers/failure/read-output.ts";
import { readEvidence } from "../src/readers/read-evidence.ts";
import { evidence, FAILED } from "../test/support/builders.ts";
import { atMost, type Figure } from "./figure.ts";

const ROUNDS = 9;
const OUTPUT_BYTES = 1_000_000;
const SCRIPT_CHARS = 400_000;

/** Failures of Vitest, each with a stack below and chatter between. */
function vitest(n: number): string {
  return [
    ` FAIL  test/cart-${n}.test.ts > cart > adds item ${n}`,
    `AssertionError: expected ${n} to be ${n + 1} // Object.is equality`,
    ` ❯ test/cart-${n}.test.ts:${n}:12`,
    `2026-11-20T12:14:36.000Z [worker ${n}] request took 12.5 ms, "quoted" and (not) at all`,
    "",
  ].join("\n");
}

function jest(n: number): string {
  return [
    `  ● cart › adds item ${n}`,
    "",
    "    expect(received).toBe(expected)",
    "",
    `    Expected: ${n}`,
    `    Received: ${n + 1}`,
    "",
    `      at Object.<anonymous> (test/cart-${n}.test.ts:${n}:12)`,
    "",
  ].join("\n");
}

function megabyte(one: (n: number) => string, end: string): string {
  const lines: string[] = [];
  for (let n = 0, size = 0; size < OUTPUT_BYTES; n += 1)
    size += lines[lines.push(one(n)) - 1]?.length ?? 0;
  return `${lines.join("\n")}\n${end}\n`;
}

const WHERE = { root: "/srv/app", cwd: "/srv/app", home: "/home/me" };

const HOSTILE: readonly (readonly [string, string])[] = [
  ["nested substitutions", "$("],
  ["nested quotes", '"$(echo "'],
  ["many commands", "a;"],
];

export function benchReading(): readonly Figure[] {
  // Nobody sums up, so that every reader has its say.
  const text = megabyte(vitest, " Tests  4 failed | 8 passed (12)");
  const summedUp = megabyte(jest, "Test Suites: 1 failed, 1 total\nTests:       9 failed, 9 total");
  const died = evidence({
    ending: { kind: "crashed", exitCode: 1, signal: null, detail: text },
    report: { kind: "missing" },
    gates: [FAILED],
    trace: { toolCalls: null, closing: text, hook: null },
  });
  return [
    {
      name: "a gate's output of 1 MB",
      measured: millis(() => void readOutput(text, "auto")),
      unit: "ms",
      goal: atMost(50),
    },
    {
      name: "the same of Jest, summed up",
      measured: millis(() => void readOutput(summedUp, "auto")),
      unit: "ms",
      goal: atMost(50),
    },
    {
      name: "an attempt whose program died with 1 MB of words",
      measured: millis(() => void readEvidence(died)),
      unit: "ms",
      goal: atMost(50),
    },
    ...HOSTILE.map(([name, part]): Figure => {
      const script = part.repeat(Math.ceil(SCRIPT_CHARS / part.length));
      const measured = millis(() => irreversibleIn(script, WHERE));
      return { name: `a shell line of 400 kB: ${name}`, measured, unit: "ms", goal: atMost(100) };
    }),
  ];
}

function millis(work: () => void): number {
  work();
  const times = Array.from({ length: ROUNDS }, () => {
    // Processor time: reading waits for nothing, and a busy machine shall not blur it.
    const began = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  });
  // Not a ratio: other programs on the machine can only add to it.
  return Math.min(...times);
}
