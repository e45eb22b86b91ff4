// Which tests passed and failed under Python's unittest?

import type { Check } from "../../core/model/checks.ts";
import { check, countsOfTotal, namedReading } from "./inventory.ts";
import { until } from "./tool.ts";
import type { Failure, Summary, Tool } from "./tool.ts";

export const unittest: Tool = {
  name: "unittest",
  recognises: ["FAIL: ", "ERROR: ", "Ran "],
  parse: (lines) => {
    const summaries = lines.flatMap((line, at) => {
      const ran = /^Ran (\d{1,9}) tests? in \d/.exec(line)?.[1];
      return ran === undefined ? [] : (readSummary(Number(ran), lines, at) ?? []);
    });
    return namedReading("unittest", summaries, failuresIn(lines), checksIn(lines));
  },
};

const BLOCK_LINES_MAX = 2_000;
const VERDICT = /^(?:OK|FAILED|NO TESTS RAN)(?: \((.{1,200})\))?$/;

/** Below `Ran 3 tests in 0.001s` stands `FAILED (failures=2, errors=1, skipped=1)`. */
function readSummary(ran: number, lines: readonly string[], at: number): Summary | null {
  const below = [at + 1, at + 2].find((next) => VERDICT.test(lines[next] ?? ""));
  if (below === undefined) return null;
  const counts = { failed: 0, skipped: 0 };
  for (const part of (VERDICT.exec(lines[below] ?? "")?.[1] ?? "").split(", ")) {
    const [word = "", count = ""] = part.split("=");
    if (["failures", "errors", "unexpected successes"].includes(word))
      counts.failed += Number(count) || 0;
    if (["skipped", "expected failures"].includes(word)) counts.skipped += Number(count) || 0;
  }
  return { ...countsOfTotal(ran, counts.failed, counts.skipped), line: below };
}

const TEST = /^(\S+ \(\S+\))(.*)$/;

/** What fails in a part of a test (`(i=2)` behind its name) is a failure of the test. */
function failuresIn(lines: readonly string[]): readonly Failure[] {
  return lines.flatMap((line, at) => {
    const said = /^(?:FAIL|ERROR): (.+)$/.exec(line)?.[1];
    const [, name, part = ""] = TEST.exec(said ?? "") ?? [];
    // A test's own words may stand between its name and the line below.
    const from = [at + 1, at + 2].find((next) => /^-{20,}$/.test(lines[next] ?? ""));
    if (name === undefined || from === undefined) return [];
    const block = until(lines, from + 1, (next) => /^[=-]{20,}$/.test(next), BLOCK_LINES_MAX);
    const last = block.findLast((next) => /^[A-Za-z_][\w.]*(?:: |$)/.test(next)) ?? "";
    const message = `${part.trim()} ${last}`.trim();
    const unloaded = /_FailedTest\b|^setUp(?:Class|Module) /.test(name);
    return [{ check: check(name, "failed").name, message, words: [message], unloaded }];
  });
}

const STATES: readonly (readonly [said: RegExp, state: Check["state"]])[] = [
  [/^ok$/, "passed"],
  [/^(?:FAIL|ERROR|unexpected success)$/, "failed"],
  [/^(?:skipped\b|expected failure$)/, "skipped"],
];

/** `test_x (mod.Class.test_x) ... ok`; where it has words of its own they stand below its name. */
function checksIn(lines: readonly string[]): readonly Check[] {
  const checks: Check[] = [];
  let open: string | null = null;
  for (const line of lines) {
    if (/^={20,}$/.test(line)) break;
    const named = TEST.exec(line.trimStart())?.[1];
    open = named ?? open;
    if (open === null) continue;
    const at = line.lastIndexOf(" ... ");
    const said = at === -1 ? line : line.slice(at + 5);
    const state = STATES.find(([pattern]) => pattern.test(said))?.[1];
    if (state === undefined) continue;
    checks.push(check(open, state));
    open = null;
  }
  return checks;
}
