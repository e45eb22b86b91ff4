import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import type { CommandGate } from "../../src/core/model/task.ts";
import type { Check, GateResult } from "../../src/core/model/verdict.ts";
import { createGates } from "../../src/gates/gates.ts";
import { shownName } from "../../src/gates/report-files.ts";
import { command, inFolder, NO_PLACES } from "./command.ts";

let cwd = "";
let logPath = "";
beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "orch-report-")));
  logPath = join(cwd, ".orch", "it's a gate", "test.log");
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const BIN = fileURLToPath(new URL("../../node_modules/.bin", import.meta.url));

/** Those that the newest run named. */
let checks: readonly Check[] = [];

async function run(line: string, more: Partial<CommandGate> = {}): Promise<GateResult> {
  const gates = createGates({
    root: cwd,
    environment: { PATH: `${BIN}:${process.env["PATH"] ?? ""}`, HOME: cwd },
    confine: UNCONFINED,
    redact: (text) => text.replaceAll("hunter2", "[redacted]"),
    places: NO_PLACES,
  });
  const { signal } = new AbortController();
  const measured = await gates.measure(command(line, more), inFolder(cwd, logPath), signal);
  checks = measured.checks;
  return measured.result;
}

/** "passed", "failed", or why nothing is known. */
async function verdict(line: string, more: Partial<CommandGate> = {}): Promise<string> {
  const judged = (await run(line, more)).verdict;
  return judged.kind === "unknown" ? judged.why : judged.kind;
}

function junit(...cases: readonly string[]): string {
  return `<?xml version="1.0"?>\n<testsuites><testsuite name="s" tests="${cases.length}">${cases.join("")}</testsuite></testsuites>\n`;
}
const ok = (name: string): string => `<testcase classname="cart" name="${name}" time="0.1"/>`;
const bad = (name: string): string =>
  `<testcase classname="cart" name="${name}"><failure message="boom hunter2">boom</failure></testcase>`;
const skip = (name: string): string => `<testcase name="${name}"><skipped/></testcase>`;

describe("a real run of Vitest", () => {
  const spec = (body: string): Promise<void> =>
    writeFile(
      join(cwd, "cart.test.mjs"),
      `import { describe, test, expect } from "${join(BIN, "../vitest/dist/index.js")}";\n${body}`,
    );
  const named = (): readonly string[] => checks.map(({ name, state }) => `${state}: ${name}`);

  test("leaves its checks by name, behind a script of npm too", async () => {
    await spec("describe('cart', () => { test('a', () => {}); test.skip('b', () => {}); });");
    await writeFile(join(cwd, "package.json"), '{"scripts":{"test":"vitest run --root ."}}');
    const { verdict: judged, counts } = await run("npm test");
    expect([judged.kind, counts]).toEqual([
      "passed",
      { runner: "vitest", passed: 1, failed: 0, skipped: 1 },
    ]);
    expect(named()).toHaveLength(2);
    expect(named().join("\n")).toMatch(/^passed: .*a\nskipped: .*b$/);
    expect(await readdir(join(logPath, ".."))).toEqual(["test.log"]);
  });

  test("whose process ends early has checked nothing", async () => {
    await writeFile(join(cwd, "vitest.config.mjs"), "process.exit(0);");
    await spec("test('a', () => {});");
    expect((await run("vitest run --root .")).verdict).toEqual({
      kind: "unknown",
      why: "nothing-checked",
      detail:
        'the command exited 0, and vitest did not say what it checked; name the file of its report under "report", or say kind: "check"',
    });
  });

  test.each(["json", "junit"])("that prints %s in place of words is read", async (reporter) => {
    await spec("test('a', () => {}); test('b', () => {});");
    const { verdict: judged, counts } = await run(`vitest run --root . --reporter=${reporter}`);
    expect([judged.kind, counts]).toEqual([
      "passed",
      { runner: "vitest", passed: 2, failed: 0, skipped: 0 },
    ]);
  });

  test("whose failure is swallowed and hidden fails", async () => {
    await spec("test('a', () => expect(1).toBe(2));");
    expect(await verdict("vitest run --root . && true > /dev/null || true")).toBe("failed");
    expect(await verdict("vitest run --root . > /dev/null 2>&1 || true")).toBe("nothing-checked");
  });
});

test("a runner that does not know how to report runs as it was written", async () => {
  await mkdir(join(cwd, "node_modules/.bin"), { recursive: true });
  const refuse = `case "$*" in *--junitxml*) echo 'unrecognized arguments: --junitxml'; exit 4;; esac`;
  const pytest = join(cwd, "node_modules/.bin/pytest");
  await writeFile(pytest, `#!/bin/sh\n${refuse}\nprintf '3 passed in 0.01s\\n'\n`);
  await chmod(pytest, 0o755);
  expect(await run("node_modules/.bin/pytest")).toMatchObject({
    verdict: { kind: "passed" },
    counts: { runner: "pytest", passed: 3 },
  });
});

describe("a report that the gate names", () => {
  const write = (text: string): string => `cat > out.xml <<'END'\n${text}END\n`;

  test.each([
    ["with a check that passed passes", write(junit(ok("a"), skip("b"))), "passed"],
    ["with a failed check fails", `${write(junit(ok("a"), bad("b")))}exit 1`, "failed"],
    ["with a failed check beside exit 0 fails", write(junit(ok("a"), bad("b"))), "failed"],
    ["without a check is unknown", write(junit()), "nothing-checked"],
    ["of skipped checks is unknown", write(junit(skip("a"))), "nothing-checked"],
    ["that is not there is unknown", "true", "nothing-checked"],
    [
      "that is half there is unknown",
      write(`${junit(ok("a")).slice(0, 90)}\n`),
      "output-unreadable",
    ],
    ["that is none is unknown", write("all fine\n"), "output-unreadable"],
    ["that is a folder is unknown", "mkdir out.xml", "output-unreadable"],
    ["that is a link is unknown", "echo > a; ln -s a out.xml", "output-unreadable"],
    ["whose command fails has failed", "exit 3", "failed"],
    ["that comes too late is not waited for", "(sleep 5; touch out.xml) & true", "nothing-checked"],
  ])("%s", async (_what, line, expected) => {
    expect(await verdict(line, { report: "out.xml" })).toBe(expected);
  });

  test("is not believed where it is older than the run", async () => {
    await writeFile(join(cwd, "out.xml"), junit(ok("a")));
    await utimes(join(cwd, "out.xml"), 1_000, 1_000);
    expect(await verdict("true", { report: "out.xml" })).toBe("nothing-checked");
  });

  test("of a gigabyte is unknown", async () => {
    await writeFile(join(cwd, "big"), "");
    await truncate(join(cwd, "big"), 1024 ** 3);
    expect(await verdict("mv big out.xml; touch out.xml", { report: "*.xml" })).toBe(
      "output-unreadable",
    );
  });

  test("may be many files, and old ones among them do not count", async () => {
    await mkdir(join(cwd, "a/node_modules/x"), { recursive: true });
    await writeFile(join(cwd, "a/old.xml"), junit(bad("old")));
    await utimes(join(cwd, "a/old.xml"), 1_000, 1_000);
    const one = junit(ok("a"));
    const line = `${write(one)}cp out.xml a/two.xml; cp out.xml a/node_modules/x/three.xml`;
    const { counts } = await run(line, { report: "**/*.xml" });
    expect(counts).toMatchObject({ passed: 2, failed: 0 });
  });
});

describe("exit 0 of a command", () => {
  test.each([
    ["that is a check passes", "echo no tests found", { proves: "check" }, "passed"],
    ["of a runner that is a check passes", "vitest --version", { proves: "check" }, "passed"],
    ["that says nothing passes", "true", {}, "passed"],
    ["of a compiler passes", "tsc --version", {}, "passed"],
    ["of a runner that says no sum is unknown", "vitest --version", {}, "nothing-checked"],
    ["that finds no tests is unknown", "echo 'No tests found.'", {}, "nothing-checked"],
    ["that counts none failed passes", "echo '5 ok, 0 tests failed'", {}, "passed"],
    ["that checked in one of two passes", "echo '3 tests passed'; echo 0 tests", {}, "passed"],
    ["that speaks of them passes", "echo 'warning: no test coverage for x'", {}, "passed"],
  ] as const)("%s", async (_what, line, more, expected) => {
    expect(await verdict(line, more)).toBe(expected);
  });
});

test("names are harmless, on one line, and told apart where they are long", () => {
  const long = "x".repeat(10_000);
  const [first, ...others] = ["a\nb\u001b[2Jc", `${long}1`, `${long}2`].map(shownName);
  expect(first).toBe("a bc");
  expect(others.map((name) => name.length)).toEqual([300, 300]);
  expect(new Set(others).size).toBe(2);
});
