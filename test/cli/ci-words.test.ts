import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";

import { createFolds, annotations } from "../../src/cli/render/github.ts";
import { jobSummary } from "../../src/cli/render/job-summary.ts";
import { withoutCommands } from "../../src/core/model/excerpt.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import type { Finding } from "../../src/core/model/verdict.ts";
import { junitOf } from "../../src/core/views/junit.ts";
import { projectRun } from "../../src/core/views/projection.ts";
import { type RunView, stoppedView } from "../../src/core/views/run-view.ts";
import { placeOf } from "../../src/readers/failure/finding-place.ts";
import {
  attempt,
  FAILED,
  FEEDBACK,
  report,
  runStarted,
  stateOf,
  task,
  taskStarted,
} from "../support/builders.ts";
import { blocked, finished, killed, paused, stalled } from "../support/stories.ts";

function viewOf(events: readonly RunEvent[]): RunView {
  const view = projectRun(stateOf(events));
  if (view === null) throw new Error("the run has begun");
  return stoppedView(view);
}

/** Its first attempt fails with these findings, and the process dies. */
function failing(findings: readonly Finding[], over = {}): readonly RunEvent[] {
  const gates = [{ ...FAILED, verdict: { kind: "failed", findings } as const }];
  return [...runStarted(), taskStarted(), ...attempt({ gates, decision: FEEDBACK, ...over })];
}

const outdone: readonly RunEvent[] = [
  ...failing([{ check: "c", message: "red" }]),
  { type: "task-ended", task: task().id, end: { kind: "outdone", reason: "", gatesFailing: true } },
];

const HOSTILE = { check: "a]]> <b>&\"'\u0000\u001b[31m", message: "50%, \ud800\r\n::error::x" };

test.each<[string, readonly RunEvent[], number, readonly string[]]>([
  ["a run that is done is green", finished, 0, ['errors="0"', 'failures="0"']],
  ["a red gate is a failure", stalled, 1, ['failures="1" errors="0"', "rejects a wrong password"]],
  ["what asks a person is an error", blocked, 4, ['errors="1"', "waiting for an answer: The test"]],
  ["what was not begun is skipped", paused, 4, ['<skipped message="not begun"']],
  ["a red gate of a candidate that lost is no failure", outdone, 0, ['failures="0" errors="0"']],
  ["a run that died is an error", killed, 130, ['<error message="interrupted"']],
  ["a run whose tasks are done, and that went wrong, is an error", finished, 3, ['message="why"']],
  ["of hostile words nothing is markup", failing([HOSTILE]), 130, ["&#60;b&#62;&#38;&#34;'"]],
])("as JUnit, %s", async (_name, events, exitCode, parts) => {
  const xml = junitOf(viewOf(events), exitCode, "why");
  for (const part of parts) expect(xml).toContain(part);
  const schema = readFileSync(join(import.meta.dirname, "../fixtures/ci/junit.xsd"), "utf8");
  const { valid, errors } = await validateXML({ xml, schema });
  expect([valid, errors]).toEqual([true, []]);
});

test.each<[Finding, ReturnType<typeof placeOf>]>([
  [
    { check: "types", message: "src/a.ts(3,5): error TS1" },
    { file: "src/a.ts", line: "3" },
  ],
  [
    { check: "lint", message: "./a.py:7:1: F401 unused" },
    { file: "a.py", line: "7" },
  ],
  [
    { check: "mvn", message: "src/Cart.java:[4,2] error" },
    { file: "src/Cart.java", line: "4" },
  ],
  [
    { check: "adds", message: "panicked at src/lib.rs:16:9" },
    { file: "src/lib.rs", line: "16" },
  ],
  [
    { check: "t/a.py::test_x", message: "assert 1 == 2" },
    { file: "t/a.py", line: null },
  ],
  [
    { check: "test/a.test.js › adds", message: "no" },
    { file: "test/a.test.js", line: null },
  ],
  [{ check: "db", message: "no answer from db.example.com:5432" }, null],
  [{ check: "x", message: "/usr/lib/a.js:3:1: error" }, null],
])("the place in %j is %j", (finding, place) => {
  expect(placeOf(finding)).toEqual(place);
});

test("a finding is noted at its file and line, with everything escaped that could end it", () => {
  const findings = [
    { check: "src/a,b.ts > adds", message: "src/a,b.ts:3:1: 50% of\n::error::x" },
    ...Array.from({ length: 12 }, (_, at) => ({ check: `c${at}`, message: "" })),
  ];
  const [first, ...others] = annotations(viewOf(failing(findings)));
  expect(first).toMatch(/^::error file=src\/a%2Cb\.ts,line=3,title=add-login%3A test::src\/a,b/);
  expect(first).toMatch(/: 50%25 of(?:%0A| )::error::x$/);
  expect(others.length).toBeLessThan(10);
});

test("a task that waits for a person is a warning, one that is done nothing", () => {
  expect(annotations(viewOf(blocked))).toEqual([
    "::warning title=add-login waits for a person::The test database refuses the password.",
  ]);
  expect(annotations(viewOf(finished))).toEqual([]);
});

test("the summary of a job has a table, what was decided and how to go on, and no markup of agents", () => {
  const evil = "a | b <img src=x> @all `c`\n## d";
  const assumptions = [{ decision: evil, reason: null }];
  const view = viewOf(failing([], { report: report({ assumptions }) }));
  const text = jobSummary(
    { view, exitCode: 130, id: "k3f9", nowMs: 0 },
    "code 130, stopped",
    2_000,
  );
  expect(text).toMatch(/^\| add-login \| ‖ interrupted \| 1 \| \$0\.42 \|$/m);
  expect(text).toContain("- **assumed**: a \\| b \\<img src=x\\> @\u200dall \\`c\\` \\#\\# d\n");
  expect(text).toMatch(/^- \*\*implement\/1\*\*: .* → the agent gets the findings/m);
  expect(text).toMatch(/^- \*\*next\*\*: orch resume k3f9$/m);
});

test("a summary keeps within its bound, and says how to go on in any case", () => {
  const tasks = Array.from({ length: 400 }, (_, at) => task(`task-${at}`));
  const ended = { view: viewOf(runStarted(tasks)), exitCode: 130, id: "k3f9", nowMs: 0 };
  const text = jobSummary(ended, "", 4_000);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(4_000);
  expect(text).toMatch(/the rest is left out: orch show[\s\S]*orch resume k3f9/);
});

test("tasks in turn are folded each for itself, and side by side all together", () => {
  const printed: string[] = [];
  const state = stateOf(runStarted());
  const side = state.run === null ? state : { ...state, run: { ...state.run, parallel: 2 } };
  for (const one of [state, side]) {
    const folds = createFolds((line) => printed.push(line));
    for (const id of ["", "a", "a", "b"]) folds.before(id, one);
    folds.stop();
    folds.stop();
  }
  const [a, b, end] = ["::group::a", "::group::b", "::endgroup::"];
  expect(printed).toEqual([a, end, b, end, "::group::log of the run", end]);
});

test("nothing that is shown is a command to the runner", () => {
  expect(withoutCommands("a ::b::\n  ::error::x\n##[add-mask]y")).toBe(
    "a ::b::\n  : :error::x\n## [add-mask]y",
  );
});
