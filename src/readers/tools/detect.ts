// Whose output is this, and what does it say?

import type { ResultParser } from "../../core/model/task.ts";
import { parseJest } from "./jest.ts";
import { parseNodeTest } from "./node-test.ts";
import { parsePytest } from "./pytest.ts";
import type { ParseRun, RunOutput } from "./run-output.ts";
import { parseTap } from "./tap.ts";
import { parseVitest } from "./vitest.ts";

/**
 * What the runner said; null: nothing was to be read, or the output is not that of the runner. Where
 * several runners speak, one ran the other or came after it: the last to sum up is the one to hear.
 */
export function readRun(parser: ResultParser, lines: readonly string[]): RunOutput | null {
  if (parser === "none") return null;
  if (parser !== "auto") return PARSERS[parser](lines);
  const read = Object.values(PARSERS).flatMap((parse) => parse(lines) ?? []);
  return read.reduce<RunOutput | null>(
    (best, run) => (best === null || run.endLine > best.endLine ? run : best),
    null,
  );
}

/** Earlier ones win a tie: Node's runner can write TAP and says more in it than TAP does. */
const PARSERS: Readonly<Record<Exclude<ResultParser, "auto" | "none">, ParseRun>> = {
  vitest: parseVitest,
  jest: parseJest,
  pytest: parsePytest,
  "node-test": parseNodeTest,
  tap: parseTap,
};
