import { DEFAULT_UNCERTAINTY } from "../../src/core/model/signals.ts";
import { describe, expect, test } from "vitest";
import { defineConfig, type OrchConfig } from "../../src/index.ts";
import { BUILT_IN_AGENTS } from "../../src/schema/config-agents.ts";
import {
  DEFAULT_RESET_POLICY,
  DEFAULT_RUN_LIMITS,
  STALL_TABLE,
} from "../../src/core/model/policy.ts";
import { idOf } from "../../src/core/model/ids.ts";
import { commandGate, stepSettings } from "../support/builders.ts";
import { golden } from "../support/seen.ts";
import { problems, settings } from "./read-config.ts";

describe("an empty config", () => {
  test("means every default, and no gate", () => {
    expect(settings({})).toEqual({
      agent: ["claude-code"],
      agents: BUILT_IN_AGENTS,
      prices: {},
      model: null,
      bestOf: null,
      notify: { command: null, url: null, header: null, to: null, chat: null },
      allowedActions: [],
      questions: { expiresInMs: null },
      taskFolder: "tasks",
      pipelines: [
        {
          name: "default",
          steps: [
            stepSettings({
              id: idOf("implement"),
              prompt: { kind: "template", name: "implement" },
            }),
          ],
        },
        expect.objectContaining({ name: "plan-implement-review" }),
      ],
      defaultPipeline: "default",
      gates: [],
      level: null,
      limits: {},
      runLimits: DEFAULT_RUN_LIMITS,
      stall: STALL_TABLE,
      reset: DEFAULT_RESET_POLICY,
      proof: { changedChecks: null, place: "own" },
      uncertainty: DEFAULT_UNCERTAINTY,
      parallel: 1,
      git: { isolation: "worktree", autoCommit: true, branchPrefix: "orch/", landing: "leave" },
      sandbox: { use: "none", network: "all", read: [], write: [], userns: false },
      worktree: {
        root: null,
        include: null,
        setup: null,
        prepare: null,
        neighbours: [],
      },
    });
  });
});

const LIMITS = { attempts: 4, costUsd: null, tokens: 1000, timeMs: 5_400_000 };

test.each<[string, OrchConfig, object]>([
  [
    "an agent, its command for the shell, and its model",
    { agents: { a: { driver: "command", command: "go --now", model: "m1", env: { A: "1" } } } },
    {
      agent: ["a"],
      agents: [
        { command: ["/bin/sh", "-c", "go --now"], model: "m1", env: { A: "1" } },
        ...BUILT_IN_AGENTS,
      ],
    },
  ],
  [
    "an agent's program with its arguments",
    { agents: { a: { driver: "command", command: ["agent", "-x"], promptVia: "file" } } },
    { agents: [{ command: ["agent", "-x"], promptVia: "file", model: null }, ...BUILT_IN_AGENTS] },
  ],
  [
    "another program for Claude Code",
    { agents: { "claude-code": { driver: "claude-code", command: "claude-next" } } },
    {
      agents: [
        { driver: "claude-code", command: ["claude-next"] },
        ...BUILT_IN_AGENTS.filter(({ name }) => name !== "claude-code"),
      ],
    },
  ],
  [
    "Codex without its sandbox",
    { agents: { c: { driver: "codex", sandbox: "danger-full-access" } } },
    { agents: [{ command: null, sandbox: "danger-full-access" }, ...BUILT_IN_AGENTS] },
  ],
  [
    "gates",
    {
      gates: {
        lint: {
          run: "l",
          timeout: "90s",
          required: false,
          report: "l.xml",
          kind: "check",
          retries: 0,
        },
        log: { fileExists: "CHANGELOG.md" },
      },
    },
    {
      gates: [
        {
          ...commandGate("lint", { run: "l", timeoutMs: 90_000, required: false }),
          report: "l.xml",
          proves: "check",
        },
        { name: "log", kind: "file-exists", path: "CHANGELOG.md", required: true },
      ],
    },
  ],
  [
    "limits, and what they leave out is not said",
    {
      replans: 1,
      budget: { attempts: 4, costUsd: null, tokens: 1000, time: "1h30m" },
      timeouts: { idle: "5m" },
    },
    { limits: { ...LIMITS, replans: 1, idleMs: 300_000 }, runLimits: DEFAULT_RUN_LIMITS },
  ],
  [
    "a task that may cost more than a run by default may, and the run follows",
    { budget: { costUsd: 80, time: "48h" } },
    { runLimits: { ...DEFAULT_RUN_LIMITS, costUsd: 80, timeMs: 48 * 3_600_000 } },
  ],
  [
    "a rung of a ladder",
    { stall: { sameFailure: { stall: 6 }, noChange: { stall: 2 } } },
    {
      stall: {
        ...STALL_TABLE,
        sameFailure: { demand: 2, replan: 2, stall: 6 },
        noChange: { stall: 2 },
      },
    },
  ],
  [
    "work in place, which commits nothing",
    { git: { isolation: "none", landing: "merge" } },
    { git: { isolation: "none", autoCommit: false, branchPrefix: "orch/", landing: "merge" } },
  ],
  [
    "a tree and its setup",
    { worktree: { root: "~/trees", include: ["/.env*"], setup: { run: "make", timeout: "1m" } } },
    {
      worktree: { root: "~/trees", include: ["/.env*"], setup: { run: "make", timeoutMs: 60_000 } },
    },
  ],
  ["not waiting for a reset", { waitForRateLimitReset: false }, { reset: { waits: false } }],
  [
    "waiting no longer than that",
    { waitForRateLimitReset: { maxWait: "30m" } },
    { reset: { waits: true, maxWaitMs: 1_800_000 } },
  ],
  [
    "one pipeline, which need not be chosen",
    { pipelines: { sole: [{ name: "a", prompt: "self" }] } },
    { defaultPipeline: "sole" },
  ],
  [
    "an address with a secret",
    { notify: { url: "https://a.example", header: { name: "X-Token", env: "HOOK" } } },
    { notify: { url: "https://a.example", header: { name: "X-Token", variable: "HOOK" } } },
  ],
  [
    "a service that is told",
    { notify: { to: "telegram", url: "https://a.example", chat: "42" } },
    { notify: { to: "telegram", url: "https://a.example", chat: "42" } },
  ],
  [
    "a deadline for questions",
    { questions: { expiresIn: "1h" } },
    { questions: { expiresInMs: 3_600_000 } },
  ],
  [
    "a threshold and a weight of the score",
    { uncertainty: { threshold: 7, weights: { no_progress: 0.5 } } },
    {
      uncertainty: {
        ...DEFAULT_UNCERTAINTY,
        threshold: 7,
        weights: { ...DEFAULT_UNCERTAINTY.weights, no_progress: 0.5 },
      },
    },
  ],
])("%s is read, and what stands beside it stays as it is", (_name, written, read) => {
  expect(settings(defineConfig(written))).toMatchObject(read);
});

test("the steps of a pipeline stay in order, each with what it names", () => {
  const careful = [
    { name: "red", prompt: "test", gates: [{ name: "red", run: "npm t", expect: "fail" }, "lint"] },
    {
      name: "write",
      prompt: "self",
      model: "haiku",
      gates: "none",
      fileAccess: { allowWrite: ["docs/**"] },
    },
  ];
  const { pipelines } = settings({ gates: { lint: { run: "l" } }, pipelines: { careful } });
  const gate = commandGate("red", { run: "npm t", expect: "fail", timeoutMs: 900_000, retries: 1 });
  expect(pipelines[0]?.steps).toEqual([
    stepSettings({
      id: idOf("red"),
      prompt: { kind: "template", name: "test" },
      gates: { kind: "these", gates: [gate, "lint"] },
    }),
    stepSettings({
      id: idOf("write"),
      model: "haiku",
      gates: { kind: "none" },
      allowWrite: ["docs/**"],
    }),
  ]);
});

test.each([
  ["not set: once after an unknown verdict, not after a failed one", {}, 1, 0],
  ["0: never", { retries: 0 }, 0, 0],
  ["1: once after either", { retries: 1 }, 1, 1],
  ["3: three times after either", { retries: 3 }, 3, 3],
])("a gate's retries, %s", (_what, keys, retries, failedRetries) => {
  const { gates } = settings({ gates: { test: { run: "npm test", ...keys } } });
  expect(gates).toMatchObject([{ retries, failedRetries }]);
});

describe("a mistake in the config is named with what to write instead", () => {
  const step = { name: "a", prompt: "self" };
  const mistakes: readonly (readonly [what: string, raw: unknown])[] = [
    ["a misspelt key", { interactionTreshold: 2 }],
    ["a misspelt key inside", { budget: { costUSD: 2 } }],
    ["a misspelt key of a step", { pipelines: { p: [{ ...step, promt: "x" }] } }],
    ["a time without unit", { timeouts: { idle: 15 } }],
    ["no time at all", { budget: { time: "0s" } }],
    ["no attempts", { budget: { attempts: 0 } }],
    ["no money", { budget: { costUsd: 0 } }],
    ["replans said twice", { replans: 1, budget: { replans: 2 } }],
    ["an unknown default pipeline", { defaultPipeline: "defualt" }],
    ["an unknown agent", { agent: "claude" }],
    ["an unknown agent of a step", { pipelines: { p: [{ ...step, agent: "claude-cod" }] } }],
    [
      "an unknown gate of a step",
      { gates: { test: { run: "x" } }, pipelines: { p: [{ ...step, gates: ["tset"] }] } },
    ],
    ["two steps of one name", { pipelines: { p: [step, { ...step, name: "A" }] } }],
    ["a pipeline without steps", { pipelines: { p: [] } }],
    ["an empty list of gates", { pipelines: { p: [{ ...step, gates: [] }] } }],
    ["a gate that does nothing", { gates: { g: { required: true } } }],
    ["a gate that is two things", { gates: { g: { run: "x", fileExists: "y" } } }],
    ["a gate as a bare command", { gates: { g: "npm test" } }],
    ["a command driver without command", { agents: { a: { driver: "command" } } }],
    ["a model that would be an option", { model: "--help" }],
    ["a file gate outside", { gates: { g: { fileExists: "/etc/passwd" } } }],
    [
      "a variable that no program can be given",
      { agents: { a: { driver: "claude-code", env: { KEY: "a\0b" } } } },
    ],
    ["a step name that is no file name", { pipelines: { p: [{ ...step, name: "../x" }] } }],
    ["a notice to no address", { notify: { url: "file:///etc/passwd" } }],
    [
      "a header with its value",
      { notify: { url: "https://a.b", header: { name: "X: 1", env: "Y" } } },
    ],
    ["a header without an address", { notify: { header: { name: "X", env: "Y" } } }],
    ["a service without an address", { notify: { to: "slack" } }],
    ["a chat of no service", { notify: { to: "desktop", chat: "42" } }],
    ["a deadline without a unit", { questions: { expiresIn: "20" } }],
    ["a weight below nothing", { uncertainty: { weights: { no_progress: -1 } } }],
    ["a threshold of nothing", { uncertainty: { threshold: 0 } }],
    ["a level that is none", { interactionThreshold: 6 }],
    ["half a task at once", { parallel: 1.5 }],
    ["commits in a checkout", { git: { isolation: "none", autoCommit: true } }],
    ["a branch prefix that git refuses", { git: { branchPrefix: "a..b/" } }],
    ["a place for trees inside the project", { worktree: { root: "trees" } }],
    ["a setup of nothing", { worktree: { setup: "" } }],
    ["a misspelt key, beside what is missing without it", { gates: { test: { rum: "x" } } }],
    ["a key that there is not", { judge: { enabled: true } }],
    ["a signal that there is not", { uncertainty: { weights: { no_progres: 1 } } }],
    ["a config that is no object", 7],
    ["a config that is a function", () => ({})],
  ];

  test("in the words of the golden file", async () => {
    const named = mistakes.map(([what, raw]) => [what, ...problems(raw)].join("\n  "));
    await expect(`${named.join("\n")}\n`).toMatchFileSnapshot(golden("config-mistakes"));
  });

  test("and everything wrong is named at once", () => {
    expect(problems({ a: 1, b: 2, interactionThreshold: 9, gates: 3 })).toHaveLength(3);
  });

  test("unless there is no end to it", () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1]));
    expect(problems(many).join().length).toBeLessThan(10_000);
    expect(
      problems({ gates: Object.fromEntries(Object.keys(many).map((k) => [k, 1])) }),
    ).toHaveLength(20);
  });

  test("and a key that reaches for the prototype is unknown like any other", () => {
    expect(problems(JSON.parse('{"__proto__": {"agent": "x"}}'))[0]).toContain(
      'unknown key "__proto__"',
    );
    expect(problems(JSON.parse('{"constructor": 1}'))[0]).toContain('unknown key "constructor"');
  });
});
