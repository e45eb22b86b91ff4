import { mkdir, mkdtemp, readFile, realpath } from "node:fs/promises";
import { rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { UNCONFINED } from "../../src/adapters/process/confine.ts";
import type { GateSpec } from "../../src/core/model/task.ts";
import type { GateRequest } from "../../src/engine/ports.ts";
import { createGates } from "../../src/gates/gates.ts";
import { command } from "./command.ts";
import { NO_WORDS } from "../../src/core/model/measurement.ts";

let folder = "";
let real = "";
let place = "";
let logPath = "";
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "orch-measure-")));
  real = join(folder, "real");
  place = join(folder, "place", "real");
  logPath = join(folder, "gates", "test.log");
  await mkdir(real);
  await mkdir(place, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const PATH = process.env["PATH"] ?? "";
const never = new AbortController().signal;

/** The gates of one run, whose place is a plain folder. */
function gatesOf(env: Readonly<Record<string, string>> = {}, why: string | null = null) {
  const gates = createGates({
    root: real,
    environment: { PATH, ...env },
    confine: UNCONFINED,
    redact: (text) => text.replaceAll("hunter2", "[redacted]"),
    places: {
      with: (_checkout, _signal, use) =>
        why === null
          ? use({
              root: place,
              tmp: join(folder, "tmp"),
              ...NO_WORDS,
              broken: null,
              leftOut: new Set(),
            })
          : Promise.reject(new Error(why)),
      close: () => Promise.resolve(),
    },
  });
  return (gate: GateSpec, more: Partial<GateRequest> = {}) => {
    const checkout = { commit: "c1", tree: "t1", branch: "orch/t" };
    const where = {
      checkout,
      cwd: real,
      logPath,
      variables: {},
      isBase: false,
      isOriginal: false,
      beside: [],
    };
    return gates.measure(gate, { ...where, ...more }, never);
  };
}

describe("a gate on a commit", () => {
  test("runs in the place, with a log of its own, and says what it says everywhere", async () => {
    await writeFile(join(place, "cart.js"), "");
    const run = 'ls; echo "$PWD/cart.js: error: hunter2"; exit 1';
    expect((await gatesOf()(command(run))).result).toMatchObject({
      verdict: { findings: [{ check: "test", message: "cart.js: error: [redacted]" }] },
      excerpt: `cart.js\n${place}/cart.js: error: [redacted]`,
    });
    expect(await readFile(logPath, "utf8")).toContain("cart.js: error: [redacted]");
  });

  test("names what was copied along as a run in the checkout does", async () => {
    const run = `echo "${real}/node_modules/runner/index.js:1: error: no tests"; exit 1`;
    expect((await gatesOf()(command(run))).result).toMatchObject({
      verdict: {
        findings: [{ check: "test", message: "node_modules/runner/index.js:1: error: no tests" }],
      },
    });
  });

  test("runs in the agent's tree where there is no commit", async () => {
    await writeFile(join(real, "here"), "");
    const measured = await gatesOf()(command("ls"), { checkout: null });
    expect(measured.result.excerpt).toBe("here");
  });

  test("is unknown where no place can be made", async () => {
    expect((await gatesOf({}, "the folder is locked")(command("true"))).result).toMatchObject({
      verdict: { kind: "unknown", why: "not-run", detail: "the folder is locked" },
    });
  });

  test("gets no kept answers of task runners, and a folder of its own for what is temporary", async () => {
    const run = 'echo "$TURBO_FORCE $NX_SKIP_NX_CACHE $TMPDIR"';
    expect((await gatesOf()(command(run))).result.excerpt).toBe(`true true ${folder}/tmp`);
  });

  test("runs once for tasks that begin with it at the same moment", async () => {
    const ask = gatesOf();
    const run = command("echo run >> ../runs; printf 'TAP version 13\\nok 1 - a\\n1..1\\n'");
    const asked = ["a", "b", "c"].map((name) =>
      ask(run, { isBase: true, logPath: join(folder, `${name}.log`) }),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ checks }) => checks.map(({ name }) => name))).toEqual(
      Array.from({ length: 3 }, () => ["a"]),
    );
    expect(await readFile(join(dirname(place), "runs"), "utf8")).toBe("run\n");
  });
});

test("the original checks are asked twice before they accuse, and the second answer counts", async () => {
  const tap = (b: string): string => `ok 1 - a\n${b}ok 2 - b\nnot ok 3 - c\n1..3\n`;
  await writeFile(join(place, "first"), tap("not "));
  await writeFile(join(place, "second"), tap(""));
  const run = "cat first; mv second first; exit 1";
  const measured = await gatesOf()(command(run), { isOriginal: true });
  expect(measured.result.verdict.kind).toBe("failed");
  expect(measured.checks).toEqual([
    { name: "a", state: "passed" },
    { name: "b", state: "passed" },
    { name: "c", state: "failed" },
  ]);
});

describe("the environment of the place", () => {
  const seen = async (name: string, value: string, cwd = real): Promise<string> => {
    const print = command(`printf '%s' "\${${name}-unset}"`);
    return (await gatesOf({ [name]: value })(print, { cwd })).result.excerpt;
  };

  test("leads no search path back into the checkout", async () => {
    const path = `${real}/node_modules/.bin:${PATH}`;
    expect(await seen("PATH", path)).toBe(`${place}/node_modules/.bin:${PATH}`);
    expect(await seen("PYTHONPATH", `${real}:/opt/lib`)).toBe(`${place}:/opt/lib`);
    expect(await seen("INIT_CWD", `${real}-other`)).toBe(`${real}-other`);
  });

  test("knows the agent's tree by both of its names", async () => {
    const linked = join(folder, "linked");
    await symlink(real, linked);
    expect(await seen("PYTHONPATH", `${linked}/src:${real}/src`, linked)).toBe(
      `${place}/src:${place}/src`,
    );
  });

  test("names no repository, and none above is found", async () => {
    expect(await seen("GIT_DIR", `${real}/.git`)).toBe("unset");
    expect(await seen("GIT_INDEX_FILE", `${real}/.git/index`)).toBe("unset");
    const { result } = await gatesOf()(command("git init -q .. && git status"));
    expect(result.excerpt).toMatch(/^fatal: not a git repository/);
  });
});

describe("a gate that is red before the work", () => {
  const needs = command("echo \"Error: Cannot find module '../shared'\"; exit 1");

  test("is unknown where it misses a folder that lies beside the checkout", async () => {
    await mkdir(join(folder, "shared"));
    const { result } = await gatesOf()(needs, { isBase: true });
    const detail = expect.stringContaining("it needs ../shared");
    expect(result.verdict).toMatchObject({ kind: "unknown", why: "not-run", detail });
  });

  test("is red where that folder is there, or nowhere", async () => {
    expect((await gatesOf()(needs, { isBase: true })).result.verdict.kind).toBe("failed");
    for (const at of [folder, dirname(place)]) await mkdir(join(at, "shared"));
    expect((await gatesOf()(needs, { isBase: true })).result.verdict.kind).toBe("failed");
  });
});
