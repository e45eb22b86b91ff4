// Can a task be looser than the one that wrote it?

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { LEVELS } from "../../src/core/model/level.ts";
import { DEFAULT_LIMITS, type Limits } from "../../src/core/model/policy.ts";
import { tightest } from "../../src/core/run/tightest.ts";
import type { CommandGate, GateSpec, Step, StepGates, Task } from "../../src/core/model/task.ts";
import { commandGate, step, task } from "../support/builders.ts";
import { stepId } from "./builders.ts";

const NONE: StepGates = { kind: "none" };
const gated = (...gates: readonly GateSpec[]): StepGates => ({ kind: "gates", gates });
const TEST = commandGate("test");
const LINT = commandGate("lint");
const RED: CommandGate = { ...commandGate("red"), expect: "fail" };

describe("what a task writes", () => {
  const author = task("author", {
    allow: ["test-removal: test/legacy/**"],
    proof: { changedChecks: "ask" },
    steps: [step({ level: 3, gates: gated(TEST, LINT), allowWrite: ["src/**"] })],
  });

  test("keeps its own text, scope, agent and model", () => {
    const steps = author.steps.map((one) => ({ ...one, agent: "other", model: "small" }));
    const honest = task("next", { ...author, steps, body: "More.", scope: ["src/b/**"] });
    expect(tightest(honest, author)).toEqual({ task: honest, tightened: [] });
  });

  test("cannot shed gates, level, limits, fences, proof or what is forbidden, and each is told", () => {
    const limits: Limits = { ...DEFAULT_LIMITS, costUsd: null, attempts: 9 };
    const loose = task("next", {
      allow: ["*"],
      proof: { changedChecks: "list" },
      steps: [step({ level: 0, gates: NONE, allowWrite: null, limits })],
    });
    const { task: held, tightened } = tightest(loose, author);
    const [only] = author.steps;
    expect(held).toMatchObject({ allow: [], proof: author.proof, steps: [{ ...only }] });
    expect(tightened).toEqual([
      "allow: not *",
      "proof: ask",
      "implement: gates: test, lint",
      "implement: level 0 → 3",
      "implement: writes to src/**",
      "implement: limits: attempts 3, costUsd 10",
    ]);
  });

  test("cannot put another check in a gate's place", () => {
    const fake = { ...TEST, run: "true" };
    const steps = [step({ level: 3, gates: gated(fake, LINT), allowWrite: ["src/**"] })];
    const { task: held } = tightest(task("next", { ...author, steps }), author);
    expect(held.steps[0]?.gates).toEqual(gated(LINT, TEST));
  });

  test("is proven at its end by all that its author's steps prove, but a red test is a step's own", () => {
    const steps = [
      step({ id: stepId("test"), gates: gated(RED) }),
      step({ id: stepId("implement"), gates: gated(TEST) }),
      step({ id: stepId("tidy"), gates: gated(LINT) }),
    ];
    const written = task("next", { steps: [step({ id: stepId("work"), gates: NONE })] });
    const { task: held } = tightest(written, task("author", { steps }));
    expect(held.steps[0]?.gates).toEqual(gated(TEST, LINT));
  });
});

const few = (most: number) => fc.integer({ min: 0, max: most });
const limits: fc.Arbitrary<Limits> = fc.record({
  attempts: few(5),
  attemptsWithProgress: few(5),
  replans: few(3),
  handoffs: few(3),
  sessions: few(9),
  questions: few(3),
  costUsd: fc.option(few(9), { nil: null }),
  tokens: fc.option(few(9), { nil: null }),
  timeMs: few(9),
  turns: few(9),
  idleMs: few(9),
  sessionMs: few(9),
});
const globs = fc.option(fc.subarray(["src/**", "test/**", "docs/**"]), { nil: null });
/** By their name, as in a config; only a task that cheats calls something else by it. */
const honest = fc.subarray<GateSpec>([TEST, LINT, RED]);
const cheating = fc.subarray<GateSpec>([
  { ...TEST, run: "true" },
  { ...LINT, required: false },
  RED,
  commandGate("own"),
]);

function taskOf(name: string, gates: fc.Arbitrary<readonly GateSpec[]>): fc.Arbitrary<Task> {
  const one = fc.record({
    id: fc.constantFrom("plan", "implement", "review").map(stepId),
    level: fc.constantFrom(...LEVELS),
    confirms: fc.boolean(),
    allowWrite: globs,
    limits,
    gates: gates.map((some) => (some.length === 0 ? NONE : gated(...some))),
  });
  const steps = fc.uniqueArray(one, { minLength: 1, maxLength: 3, selector: ({ id }) => id });
  return fc
    .record({
      allow: fc.subarray(["a", "b", "*"]),
      changedChecks: fc.constantFrom("list", null, "ask", "refuse"),
      steps,
    })
    .map(({ allow, changedChecks, steps: some }) =>
      task(name, { allow, proof: { changedChecks }, steps: some.map((it) => step(it)) }),
    );
}

const author = taskOf("author", honest);
const written = fc.oneof(taskOf("written", honest), taskOf("written", cheating));

describe("for every task and every author", () => {
  test("the task is not looser in anything", () => {
    fc.assert(
      fc.property(written, author, (one, by) => {
        const held = tightest(one, by).task;
        expect(held.allow.filter((entry) => !by.allow.includes(entry))).toEqual([]);
        expect(rank(held)).toBeGreaterThanOrEqual(rank(by));
        for (const each of held.steps) isHeld(each, by);
        const proven = namesOf(held.steps);
        const owed = namesOf(by.steps).filter((gate) => !gate.includes('"fail"'));
        expect(owed.filter((gate) => !proven.includes(gate))).toEqual([]);
        const last = namesOf(held.steps.slice(-1));
        const atEnd = namesOf(by.steps.slice(-1)).filter((gate) => !gate.includes('"fail"'));
        expect(atEnd.filter((gate) => !last.includes(gate))).toEqual([]);
      }),
    );
  });

  test("holding it once more changes nothing", () => {
    fc.assert(
      fc.property(written, author, (one, by) => {
        const { task: held } = tightest(one, by);
        expect(tightest(held, by)).toEqual({ task: held, tightened: [] });
      }),
    );
  });

  test("one with its author's own policy is left as it is", () => {
    fc.assert(
      fc.property(author, (by) => {
        const like = { ...by, id: task("like").id, body: "Something else.", scope: ["src/x/**"] };
        expect(tightest(like, by)).toEqual({ task: like, tightened: [] });
      }),
    );
  });
});

function rank({ proof }: Task): number {
  return ["list", null, "ask", "refuse"].indexOf(proof.changedChecks);
}

function namesOf(steps: readonly Step[]): readonly string[] {
  return steps
    .flatMap(({ gates }) => (gates.kind === "none" ? [] : gates.gates))
    .filter(({ required }) => required)
    .map((gate) => JSON.stringify(gate));
}

function isHeld(held: Step, by: Task): void {
  const same = by.steps.filter(({ id }) => id === held.id);
  const models = same.length > 0 ? same : by.steps;
  for (const model of models) {
    expect(held.level).toBeGreaterThanOrEqual(model.level);
    expect(held.confirms || !model.confirms).toBe(true);
    const most = new Map(Object.entries(model.limits));
    for (const [key, value] of Object.entries(held.limits))
      expect(value ?? Infinity).toBeLessThanOrEqual(most.get(key) ?? Infinity);
  }
  if (models.some(({ allowWrite }) => allowWrite === null)) return;
  const all = models.flatMap(({ allowWrite }) => allowWrite ?? []);
  expect(held.allowWrite?.filter((glob) => !all.includes(glob))).toEqual([]);
}
