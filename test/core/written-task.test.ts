import { describe, expect, test } from "vitest";

import { DEFAULT_LIMITS, DEFAULT_PROOF } from "../../src/core/model/policy.ts";
import type { CommandGate, GateSpec, StepGates } from "../../src/core/model/task.ts";
import { underPolicyOf } from "../../src/core/run/resolve.ts";
import { commandGate, step, task } from "../support/builders.ts";
import { stepId } from "./builders.ts";

const NONE: StepGates = { kind: "none" };
const gated = (...gates: readonly GateSpec[]): StepGates => ({ kind: "gates", gates });
const TEST = commandGate("test");
const LINT = commandGate("lint");
const RED: CommandGate = { ...commandGate("red"), expect: "fail" };
const limits = { ...DEFAULT_LIMITS, attempts: 2, costUsd: 1 };

describe("a task that another task wrote", () => {
  const author = task("author", {
    allow: ["checks-lost: test/legacy/**"],
    proof: { ...DEFAULT_PROOF, changedChecks: "ask" },
    steps: [
      step({ id: stepId("test"), level: 1, gates: gated(RED), allowWrite: ["test/**"] }),
      step({ level: 3, gates: gated(TEST), allowWrite: ["src/**"], limits, confirms: true }),
      step({
        id: stepId("tidy"),
        gates: gated(TEST, LINT, { ...commandGate("slow"), required: false }),
      }),
    ],
  });

  test("has its author's policy step by step, and its own text, scope, agent and model", () => {
    const steps = author.steps.map(({ id }) =>
      step({ id, agent: "other", model: "small", level: 0, gates: NONE, confirms: false }),
    );
    const proof = { ...DEFAULT_PROOF, changedChecks: "list" } as const;
    const fields = { body: "More.", scope: ["src/b/**"] };
    const restricted = underPolicyOf(
      author,
      task("next", { ...fields, steps, allow: ["*"], proof }),
    );
    const { allow } = author;
    expect(restricted).toEqual(
      task("next", {
        ...fields,
        allow,
        proof: author.proof,
        steps: author.steps.map((one) => ({ ...one, agent: "other", model: "small" })),
      }),
    );
  });

  test("proves in another pipeline at its end all that must pass for its author", () => {
    const steps = [
      step({ id: stepId("test"), gates: gated(RED), allowWrite: ["spec/**"] }),
      step({ id: stepId("work"), level: 5, gates: NONE }),
    ];
    const restricted = underPolicyOf(author, task("next", { pipeline: "other", steps }));
    const { level, limits: least } = step();
    expect(restricted.steps).toMatchObject([
      { gates: gated(RED), allowWrite: ["spec/**"], level, limits: least },
      { gates: gated(TEST, LINT), level, limits: least },
    ]);
  });

  test("may not write in another pipeline where its author's last step may not", () => {
    const fenced = task("author", { steps: [step({ allowWrite: ["docs/**"], limits, level: 4 })] });
    const written = task("next", { pipeline: "other", steps: [step({ id: stepId("work") })] });
    expect(underPolicyOf(fenced, written).steps).toMatchObject([
      { allowWrite: ["docs/**"], limits, level: 4 },
    ]);
  });
});
