import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import type { ProcessEnd } from "../../src/adapters/process/process.ts";
import type { CommandGate, ResultParser } from "../../src/core/model/task.ts";
import { judge } from "../../src/gates/judge.ts";
import { command } from "./command.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/gates/${name}.txt`, import.meta.url), "utf8");

const gate = (more: Partial<CommandGate> = {}): CommandGate => command("npm test", more);
const ended = (more: Partial<Extract<ProcessEnd, { kind: "ended" }>>): ProcessEnd => ({
  kind: "ended",
  cause: "self",
  exitCode: null,
  signal: null,
  ...more,
});
const exited = (exitCode: number): ProcessEnd => ended({ exitCode });

/** "passed", "failed" or the reason for which nothing is known. */
function verdictOf(spec: CommandGate, end: ProcessEnd, output: string): string {
  const { verdict } = judge(spec, end, output);
  return verdict.kind === "unknown" ? verdict.why : verdict.kind;
}

describe("how the command ended comes first", () => {
  test.each([
    ["exit 0 passes", exited(0), "", "passed"],
    ["any other exit fails", exited(3), "", "failed"],
    ["a timeout is unknown", ended({ cause: "timed-out", signal: "SIGTERM" }), "", "timed-out"],
    ["being stopped with orch is unknown", ended({ cause: "aborted", exitCode: 1 }), "", "killed"],
    ["a kill from outside is unknown", ended({ signal: "SIGKILL" }), "", "killed"],
    ["a kill inside the shell is unknown", exited(137), "", "killed"],
    ["a fault of the program fails", ended({ signal: "SIGSEGV" }), "", "failed"],
    [
      "a shell that is not there is a missing tool",
      { kind: "not-started", why: "program-missing", detail: "x" },
      "",
      "tool-missing",
    ],
    [
      "a refusal to start is no run",
      { kind: "not-started", why: "refused", detail: "x" },
      "",
      "not-run",
    ],
    [
      "failures read before a timeout do not count",
      ended({ cause: "timed-out" }),
      fixture("vitest-mixed"),
      "timed-out",
    ],
  ] as const)("%s", (_what, end, output, verdict) => {
    expect(verdictOf(gate(), end, output)).toBe(verdict);
  });
});

describe("a tool that is missing is no failure of the work", () => {
  test.each([
    [
      "a package of the runner",
      "Error: Cannot find module '@rollup/rollup-linux-x64-gnu'",
      "unknown",
    ],
    ["a file of the project", "Error: Cannot find module './setup.js'", "failed"],
    ["a file of the project by its path", "Error: Cannot find module 'src/setup.js'", "failed"],
  ])("where a runner died before its first check for want of %s", (_what, output, kind) => {
    const beside = { runner: "vitest", report: null, missing: null };
    expect(judge(gate(), exited(1), output, beside).verdict.kind).toBe(kind);
  });

  test.each([
    ["a program unknown to the shell", 127, "sh: 1: vitest: not found"],
    ["a program unknown to bash", 127, "bash: line 1: vitest: command not found"],
    ["a script that is not there", 127, "sh: ./check.sh: No such file or directory"],
    ["npm without a script of that name", 1, 'npm error Missing script: "tset"'],
    ["make without a target of that name", 2, "make: *** No rule to make target 'tset'.  Stop."],
    ["yarn without the program", 1, 'error Command "vitest" not found.'],
    [
      "npx without the package",
      1,
      'npm error npx canceled due to missing packages and no YES option: ["vitest@4.1.12"]',
    ],
    [
      "make without the program",
      2,
      "make: vitest: No such file or directory\nmake: *** [Makefile:2: test] Error 127",
    ],
  ])("%s", (_what, code, output) => {
    expect(verdictOf(gate(), exited(code), output)).toBe("tool-missing");
    expect(verdictOf(gate({ expect: "fail" }), exited(code), output)).toBe("tool-missing");
  });

  test.each([
    ["npm without the script", 1, 'npm error Missing script: "test"\nnpm error'],
    ["yarn without the script", 1, 'error Command "test" not found.'],
    ["make without the target", 2, "make: *** No rule to make target 'test'.  Stop."],
    ["a script of the shell that is not there", 2, "sh: 0: cannot open test.sh: No such file"],
    ["what npm init writes", 1, "> test\n> echo x\n\nError: no test specified"],
    [
      "a runner of tests without a file",
      1,
      "No test files found, exiting with code 1\n\ninclude: x",
    ],
    ["node without a file that fits", 1, "Could not find '/tmp/x/test/*.test.js'"],
  ])("nor are checks that are still to be written: %s", (_what, code, output) => {
    expect(verdictOf(gate(), exited(code), output)).toBe("nothing-checked");
    expect(verdictOf(gate({ expect: "fail" }), exited(code), output)).toBe("nothing-checked");
  });

  test.each([
    ["the program's own exit code 127", 127, "3 problems"],
    [
      "a source file that make misses",
      2,
      "make: *** No rule to make target 'cart.c', needed by 'all'.  Stop.",
    ],
    [
      "a build that fails beside packages without tests",
      1,
      "?   \tx/a\t[no test files]\nFAIL\tx/b [build failed]",
    ],
    ["a module the work itself imports", 1, "ModuleNotFoundError: No module named 'cart'"],
    [
      "a test that talks about a missing script",
      1,
      `${fixture("vitest-mixed")}\nnpm error Missing script: "x"`,
    ],
  ])("but %s is", (_what, code, output) => {
    expect(verdictOf(gate(), exited(code), output)).toBe("failed");
  });
});

describe("what the runner said is weighed against the exit code", () => {
  test.each([
    ["vitest-pass", 0, "pass", "passed"],
    ["vitest-mixed", 1, "pass", "failed"],
    ["vitest-mixed", 0, "pass", "failed"],
    ["vitest-skip", 0, "pass", "nothing-checked"],
    ["vitest-none", 1, "pass", "nothing-checked"],
    ["vitest-broken", 1, "pass", "failed"],
    ["vitest-unhandled", 1, "pass", "failed"],
    ["vitest-pass", 1, "pass", "failed"],
    ["jest-none", 1, "pass", "nothing-checked"],
    ["jest-broken", 1, "pass", "failed"],
    ["node-test-none-spec", 0, "pass", "nothing-checked"],
    ["pytest-none", 5, "pass", "nothing-checked"],
    ["pytest-broken", 2, "pass", "failed"],
    ["tap-pass", 0, "pass", "passed"],
    ["vitest-mixed", 1, "fail", "passed"],
    ["jest-mixed", 1, "fail", "passed"],
    ["tap-mixed", 1, "fail", "passed"],
    ["vitest-pass", 0, "fail", "failed"],
    ["vitest-pass", 1, "fail", "failed"],
    ["vitest-mixed", 0, "fail", "failed"],
    ["vitest-skip", 0, "fail", "nothing-checked"],
    ["vitest-none", 1, "fail", "nothing-checked"],
    ["vitest-broken", 1, "fail", "nothing-checked"],
    ["vitest-startup", 1, "fail", "nothing-checked"],
    ["node-test-broken-tap", 1, "fail", "nothing-checked"],
    ["pytest-broken", 2, "fail", "nothing-checked"],
  ] as const)("%s with exit %i, expected to %s: %s", (name, code, expected, verdict) => {
    expect(verdictOf(gate({ expect: expected }), exited(code), fixture(name))).toBe(verdict);
  });
});

describe("where no runner is recognised the exit code decides", () => {
  type Row = [
    what: string,
    code: number,
    parse: ResultParser,
    expected: "pass" | "fail",
    output: string,
    verdict: string,
  ];
  test.each<Row>([
    ["a check that fails as expected", 1, "auto", "fail", "assertion failed: total", "passed"],
    ["a check that passes though it must fail", 0, "auto", "fail", "fine", "failed"],
    [
      "a check that cannot be built",
      2,
      "auto",
      "fail",
      "src/a.ts(1,2): error TS2307: Cannot find module './b'",
      "nothing-checked",
    ],
    [
      "a check that cannot be parsed",
      1,
      "auto",
      "fail",
      "SyntaxError: Unexpected token ';'",
      "nothing-checked",
    ],
    ["nothing but the exit code, on request", 1, "none", "fail", "SyntaxError: x", "passed"],
    ["failures that are not to be read", 0, "none", "pass", fixture("vitest-mixed"), "passed"],
    ["a named runner that did not speak", 0, "vitest", "pass", "all fine", "output-unreadable"],
    ["the named runner", 0, "vitest", "pass", fixture("vitest-pass"), "passed"],
  ])("%s", (...[_what, code, parse, expected, output, verdict]) => {
    expect(verdictOf(gate({ parse, expect: expected }), exited(code), output)).toBe(verdict);
  });
});

test("failures are told apart, whatever is shown of them", () => {
  const output = (deep: string): string =>
    `not ok 1 - cart\n  ---\n  error: |-\n    not equal\n${"    + a\n".repeat(9)}    + ${deep}\n  ...\n`;
  const [one, again, other] = ["x", "x", "y"].map((deep) => judge(gate(), exited(1), output(deep)));
  expect(other?.verdict).toEqual(one?.verdict);
  expect(again?.faults).toEqual(one?.faults);
  expect(other?.faults).not.toEqual(one?.faults);
  expect(judge(gate(), exited(0), "fine").faults).toBeNull();
});

describe("the words of a verdict", () => {
  test("a gate that swallows its failures says so first, then names them", () => {
    const { verdict, counts } = judge(gate(), exited(0), fixture("pytest-mixed"));
    expect(counts).toEqual({ runner: "pytest", passed: 2, failed: 4, skipped: 2 });
    expect(verdict).toEqual({
      kind: "failed",
      findings: [
        {
          check: "test",
          message: "the command swallows its failures: it exited 0 although 4 checks failed",
        },
        { check: "test_cart.py::TestTotal::test_adds_up", message: "assert 4 == 3" },
        { check: "test_cart.py::test_raises", message: "ValueError: price is missing" },
        { check: "test_cart.py::test_param[2]", message: "assert 2 == 1" },
        {
          check: "test_cart.py::test_uses_broken",
          message: "RuntimeError: no database at localhost:5432",
        },
      ],
    });
  });

  type Row = [what: string, spec: CommandGate, end: ProcessEnd, output: string, words: string[]];
  const toFail = gate({ expect: "fail" });

  test.each<Row>([
    [
      "tests that should fail and pass",
      toFail,
      exited(0),
      "",
      ["expected the checks to fail, they passed (the command exited 0)"],
    ],
    ["a silent failure", gate(), exited(2), "", ["exited 2 without saying why"]],
    [
      "a crash",
      gate(),
      ended({ signal: "SIGABRT" }),
      "",
      ["crashed with SIGABRT without saying why"],
    ],
    [
      "a failure in words",
      gate(),
      exited(1),
      "checking\ncart is wrong\n",
      ["checking | cart is wrong"],
    ],
  ])("%s fails and says so", (...[_what, spec, end, output, words]) => {
    const findings = words.map((message) => ({ check: "test", message }));
    expect(judge(spec, end, output).verdict).toEqual({ kind: "failed", findings });
  });

  test.each<Row>([
    [
      "a missing tool",
      gate(),
      exited(127),
      "sh: 1: vitest: not found\n",
      ["tool-missing", "exited 127: sh: 1: vitest: not found"],
    ],
    ["a timeout", gate(), ended({ cause: "timed-out" }), "", ["timed-out", "no end within 60 s"]],
    [
      "skipped tests",
      gate(),
      exited(0),
      fixture("jest-skip"),
      ["nothing-checked", "jest ran no test (1 skipped); it exited 0"],
    ],
    [
      "an unreadable output",
      gate({ parse: "tap" }),
      exited(0),
      "a\nb\n",
      [
        "output-unreadable",
        "the command exited 0, but its output does not look like that of tap: a | b",
      ],
    ],
    [
      "tests that could not be loaded",
      toFail,
      exited(2),
      fixture("pytest-broken"),
      [
        "nothing-checked",
        "no test failed; some could not be loaded: test_broken.py: SyntaxError: invalid syntax",
      ],
    ],
  ])("%s is unknown, with its reason", (...[_what, spec, end, output, [why, detail]]) => {
    expect(judge(spec, end, output).verdict).toEqual({ kind: "unknown", why, detail });
  });
});
