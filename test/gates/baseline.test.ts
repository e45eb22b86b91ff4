import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { GateSpec } from "../../src/core/model/task.ts";
import { createGates } from "../../src/gates/gates.ts";
import { command } from "./command.ts";

let folder = "";
let real = "";
let copy = "";
let logPath = "";
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "orch-baseline-")));
  real = join(folder, "real");
  copy = join(folder, "copy", "real");
  logPath = join(folder, "gates", "test.base.log");
  await mkdir(real);
  await mkdir(copy, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const PATH = process.env["PATH"] ?? "";
const never = new AbortController().signal;

/** The gates of one run, with the means to ask for a gate's word on a base. */
function gatesOf(env: Readonly<Record<string, string>> = {}) {
  const gates = createGates({
    environment: { PATH, ...env },
    redact: (text) => text.replaceAll("hunter2", "[redacted]"),
  });
  return (gate: GateSpec, { tree = "t1", cwd = real, signal = never } = {}) =>
    gates.checkBase(gate, { cwd, logPath, copy: { root: copy, tree } }, signal);
}

describe("a gate on the base", () => {
  test("runs in the copy, with a log of its own, and says what it says everywhere", async () => {
    await writeFile(join(copy, "cart.js"), "");
    const run = 'ls; echo "$PWD/cart.js: error: hunter2"; exit 1';
    expect(await gatesOf()(command(run))).toEqual({
      name: "test",
      required: true,
      verdict: {
        kind: "failed",
        findings: [{ check: "test", message: "cart.js: error: [redacted]" }],
      },
      counts: null,
      elapsedMs: expect.any(Number),
      excerpt: `cart.js\n${copy}/cart.js: error: [redacted]`,
      flaky: false,
      flakyFindings: [],
      faults: [expect.any(String)],
    });
    expect(await readFile(logPath, "utf8")).toContain("cart.js: error: [redacted]");
  });

  test("names what is borrowed from the task's tree as a run in that tree does", async () => {
    const run = `echo "${real}/node_modules/runner/index.js:1: error: no tests"; exit 1`;
    expect(await gatesOf()(command(run))).toMatchObject({
      verdict: {
        findings: [{ check: "test", message: "node_modules/runner/index.js:1: error: no tests" }],
      },
    });
  });

  test("that passes in the end is flaky there too", async () => {
    const run = "test -e ran || { touch ran; exit 1; }";
    expect(await gatesOf()(command(run, { failedRetries: 1 }))).toMatchObject({
      verdict: { kind: "passed" },
      flaky: true,
    });
  });

  test("cannot be asked what the step itself has to make", async () => {
    const ask = gatesOf();
    const file = { kind: "file-exists", name: "plan", required: true, path: "plan.md" } as const;
    expect(await ask(file)).toBeNull();
    expect(await ask(command("true", { expect: "fail" }))).toBeNull();
  });
});

describe("the environment of the copy", () => {
  const seen = async (name: string, value: string, cwd = real): Promise<string> => {
    const result = await gatesOf({ [name]: value })(command(`printf '%s' "\${${name}-unset}"`), {
      cwd,
    });
    return result?.excerpt ?? "";
  };

  test("leads no search path back into the task's tree", async () => {
    const path = `${real}/node_modules/.bin:${PATH}`;
    expect(await seen("PATH", path)).toBe(`${copy}/node_modules/.bin:${PATH}`);
    expect(await seen("PYTHONPATH", `${real}:/opt/lib`)).toBe(`${copy}:/opt/lib`);
    expect(await seen("INIT_CWD", `${real}-other`)).toBe(`${real}-other`);
  });

  test("knows the task's tree by both of its names", async () => {
    const linked = join(folder, "linked");
    await symlink(real, linked);
    expect(await seen("PYTHONPATH", `${linked}/src:${real}/src`, linked)).toBe(
      `${copy}/src:${copy}/src`,
    );
  });

  test("names no repository, and none above is found", async () => {
    expect(await seen("GIT_DIR", `${real}/.git`)).toBe("unset");
    expect(await seen("GIT_INDEX_FILE", `${real}/.git/index`)).toBe("unset");
    const git = await gatesOf()(command("git init -q .. && git status"));
    expect(git?.excerpt).toMatch(/^fatal: not a git repository/);
  });
});

describe("a gate is asked once", () => {
  const COUNTED = "echo run >> ../runs; exit 1";
  const runs = async (): Promise<number> =>
    (await readFile(join(dirname(copy), "runs"), "utf8")).split("\n").length - 1;

  test("for each tree, however often it is wanted", async () => {
    const ask = gatesOf();
    const first = await ask(command(COUNTED));
    expect(await ask(command(COUNTED))).toEqual(first);
    expect(await runs()).toBe(1);
    await ask(command(COUNTED), { tree: "t2" });
    expect(await runs()).toBe(2);
  });

  test("and another command of the same name is another gate", async () => {
    const ask = gatesOf();
    await ask(command(COUNTED));
    expect(await ask(command(`${COUNTED.slice(0, -1)}0`))).toMatchObject({
      verdict: { kind: "passed" },
    });
    expect(await runs()).toBe(2);
  });

  test("but an answer that orch cut off is none", async () => {
    const ask = gatesOf();
    expect(await ask(command(COUNTED), { signal: AbortSignal.abort() })).toMatchObject({
      verdict: { kind: "unknown", why: "killed" },
    });
    expect(await ask(command(COUNTED))).toMatchObject({ verdict: { kind: "failed" } });
  });
});
