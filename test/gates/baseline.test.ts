import { mkdir, mkdtemp, readdir, readFile, realpath } from "node:fs/promises";
import { rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import type { GateSpec } from "../../src/core/model/task.ts";
import { createGates } from "../../src/gates/gates.ts";
import { keptChecks } from "../../src/gates/inventory-file.ts";
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
function gatesOf(env: Readonly<Record<string, string>> = {}, version = "1.0.0") {
  const gates = createGates({
    root: real,
    environment: { PATH, ...env },
    confine: UNCONFINED,
    redact: (text) => text.replaceAll("hunter2", "[redacted]"),
    cache: { folder: join(folder, "cache"), version },
  });
  return (
    gate: GateSpec,
    {
      tree = "t1",
      cwd = real,
      log = logPath,
      signal = never,
      root = async () => copy,
      as = "base",
    } = {},
  ) => {
    const request = {
      cwd,
      logPath: log,
      variables: {},
      isBase: false,
      copy: { root, tree, beside: [".env"] },
    };
    if (as === "begun") return gates.checkBegun(gate, request, signal);
    if (as === "again") return gates.checkBaseAgain(gate, request, signal);
    if (as === "copy") return gates.checkCopy(gate, request, signal);
    return gates.checkBase(gate, request, signal);
  };
}

describe("a gate on the base", () => {
  test("runs in the copy, with a log of its own, and says what it says everywhere", async () => {
    await writeFile(join(copy, "cart.js"), "");
    const run = 'ls; echo "$PWD/cart.js: error: hunter2"; exit 1';
    expect(await gatesOf()(command(run))).toMatchObject({
      verdict: { findings: [{ check: "test", message: "cart.js: error: [redacted]" }] },
      excerpt: `cart.js\n${copy}/cart.js: error: [redacted]`,
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

  test.each([
    ["a further run of the gate passes", { failedRetries: 1 }, "base"],
    ["the second look that a failure gets passes", {}, "again"],
  ])("is flaky where %s", async (_how, more, as) => {
    const run = "test -e ran || { touch ran; echo 'boom: error'; exit 1; }";
    expect(await gatesOf()(command(run, more), { as })).toMatchObject({
      verdict: { kind: "passed" },
      flaky: true,
      flakyFindings: [{ check: "test", message: "boom: error" }],
    });
  });

  test("says nothing of checks that come and go of themselves", async () => {
    const tap = (b: string): string => `ok 1 - a\nnot ok 2 - c\n${b}ok 3 - b\n1..3\n`;
    await writeFile(join(copy, "first"), tap("not "));
    await writeFile(join(copy, "second"), tap(""));
    const run = "echo run >> ../runs; cat first; mv second first; exit 1";
    const ask = gatesOf();
    expect(await ask(command(run))).toMatchObject({ verdict: { kind: "failed" }, flaky: false });
    for (const runsOf of [ask, gatesOf()]) {
      expect(await runsOf(command(run), { as: "again" })).toMatchObject({
        verdict: { kind: "failed" },
        flaky: true,
      });
      expect(keptChecks(logPath).checks).toEqual([
        { name: "a", state: "passed" },
        { name: "c", state: "failed" },
      ]);
    }
    expect(await readFile(join(dirname(copy), "runs"), "utf8")).toBe("run\nrun\n");
  });
});

describe("a gate with the original checks", () => {
  test("is held by what passes in one of two runs to nothing, and says that it is flaky", async () => {
    const tap = (b: string, c: string): string =>
      `ok 1 - a\n${b}ok 2 - b\n${c}ok 3 - c\nnot ok 4 - d\n1..4\n`;
    await writeFile(join(copy, "first"), tap("not ", ""));
    await writeFile(join(copy, "second"), tap("", "not "));
    const run = "cat first; mv second first; exit 1";
    expect(await gatesOf()(command(run), { as: "copy" })).toMatchObject({
      verdict: { kind: "failed" },
      flaky: true,
      flakyFindings: [{ check: "test" }, { check: "b" }, { check: "d" }],
    });
    expect(keptChecks(logPath).checks).toEqual([
      { name: "a", state: "passed" },
      { name: "b", state: "passed" },
      { name: "c", state: "passed" },
      { name: "d", state: "failed" },
    ]);
  });

  test("is unknown where no copy can be made", async () => {
    const root = (): Promise<string> => Promise.reject(new Error("the disk is full"));
    expect(await gatesOf()(command("true"), { root, as: "copy" })).toMatchObject({
      verdict: { kind: "unknown", why: "not-run", detail: "the disk is full" },
    });
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
  const COUNTED = "echo run >> ../runs; printf 'TAP version 13\\nok 1 - a\\n1..1\\n'";
  const runs = async (): Promise<number> =>
    (await readFile(join(dirname(copy), "runs"), "utf8")).split("\n").length - 1;

  test("for each tree, by whatever task or run, and with its checks", async () => {
    const first = await gatesOf()(command(COUNTED));
    await rm(join(folder, "gates"), { recursive: true });
    const again = await gatesOf({ SHLVL: "3", GITHUB_RUN_ID: "4" })(command(COUNTED));
    expect(again).toEqual({ ...first, elapsedMs: 0 });
    expect(keptChecks(logPath).checks).toEqual([{ name: "a", state: "passed" }]);
    expect(await runs()).toBe(1);
  });

  test("also while several tasks ask for it at the same moment, each in a tree of its own", async () => {
    const ask = gatesOf();
    const asked = ["a", "b", "c"].map(async (task) => {
      const [cwd, log] = [join(folder, task), join(folder, "gates", `${task}.log`)];
      await mkdir(cwd);
      const result = await ask(command(COUNTED), { cwd, log });
      return { ran: result.elapsedMs > 0, checks: keptChecks(log).checks.map(({ name }) => name) };
    });
    const answers = await Promise.all(asked);
    expect(answers.map(({ checks }) => checks)).toEqual([["a"], ["a"], ["a"]]);
    expect(answers.filter(({ ran }) => ran)).toHaveLength(1);
    expect(await runs()).toBe(1);
  });

  test.each<[what: string, again: () => ReturnType<ReturnType<typeof gatesOf>>]>([
    ["another tree", () => gatesOf()(command(COUNTED), { tree: "t2" })],
    ["another command", () => gatesOf()(command(`${COUNTED} `))],
    ["another environment", () => gatesOf({ DATABASE: "test" })(command(COUNTED))],
    ["another orch, which may read more", () => gatesOf({}, "1.0.1")(command(COUNTED))],
  ])("but %s is asked anew", async (_what, again) => {
    await gatesOf()(command(COUNTED));
    await again();
    expect(await runs()).toBe(2);
  });

  test("in the task's own tree, too, as long as what git ignores there is the same", async () => {
    const run = command("echo run >> ../runs; cat .env; exit 1");
    const asked = async (env: string, tree = "t1") => {
      await writeFile(join(real, ".env"), env);
      const { excerpt } = await gatesOf()(run, { as: "begun", tree });
      const ran = (await readFile(join(folder, "runs"), "utf8")).split("\n").length - 1;
      return [excerpt, ran];
    };
    expect(await asked("A=1")).toEqual(["A=1", 1]);
    expect(await asked("A=1")).toEqual(["A=1", 1]);
    expect(await asked("A=2")).toEqual(["A=2", 2]);
    expect(await asked("A=2", "")).toEqual(["A=2", 3]);
  });

  test("and so is one whose packages were installed anew", async () => {
    await gatesOf()(command(COUNTED));
    await mkdir(join(real, "node_modules"));
    await writeFile(join(real, "node_modules", ".package-lock.json"), "{}");
    await gatesOf()(command(COUNTED));
    expect(await runs()).toBe(2);
  });

  test.each([
    ["half of it", (text: string) => text.slice(0, text.length / 2)],
    ["nothing of it", () => ""],
    ["another verdict in it", (text: string) => text.replace("passed", "failed")],
  ])("an answer with %s left is none", async (_what, damage) => {
    await gatesOf()(command(COUNTED));
    const [name = ""] = await readdir(join(folder, "cache"));
    const path = join(folder, "cache", name);
    await writeFile(path, damage(await readFile(path, "utf8")));
    await gatesOf()(command(COUNTED));
    expect(await runs()).toBe(2);
  });

  test.each([
    ["that is unknown", "exit 137"],
    ["that misses a package", "echo \"Error: Cannot find module 'left-pad'\"; exit 1"],
  ])("an answer %s is not kept", async (_what, run) => {
    await gatesOf()(command(run));
    expect(await readdir(join(folder, "cache")).catch(() => [])).toEqual([]);
  });

  test("the oldest of many answers goes", async () => {
    const cache = join(folder, "cache");
    await mkdir(cache);
    for (let n = 0; n < 200; n += 1) {
      await writeFile(join(cache, `old-${n}.json`), "");
      await utimes(join(cache, `old-${n}.json`), n, n);
    }
    await gatesOf()(command(COUNTED));
    const names = await readdir(cache);
    expect([names.length, names.includes("old-0.json")]).toEqual([200, false]);
  });

  test("but an answer that orch cut off is none", async () => {
    const ask = gatesOf();
    expect(await ask(command(COUNTED), { signal: AbortSignal.abort() })).toMatchObject({
      verdict: { kind: "unknown", why: "killed" },
    });
    expect(await ask(command(COUNTED))).toMatchObject({ verdict: { kind: "passed" } });
  });
});
