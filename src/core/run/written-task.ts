// Which policy does a task have that another task wrote?

import type { GateSpec, Step, Task } from "../model/task.ts";

/** What the front matter of such a task chooses; all else is its author's. */
export const CHOSEN_KEYS: ReadonlySet<string> = new Set([
  "agent",
  "model",
  "pipeline",
  "scope",
  "dependsOn",
]);

/**
 * The task with its author's gates, limits, levels, `allow`, `proof` and `allowWrite`: step by step in
 * the author's pipeline. In another one of the config, each step has what the author's last step has,
 * steps on the way keep the gates of their pipeline, and the last one proves all that the author's do.
 */
export function underPolicyOf(author: Task, task: Task): Task {
  const { allow, proof } = author;
  const last = author.steps.at(-1);
  const steps = task.steps.map((step, index): Step => {
    const same =
      task.pipeline === author.pipeline ? author.steps.find(({ id }) => id === step.id) : undefined;
    const model = same ?? last;
    if (model === undefined) return step;
    const { level, asking, limits } = model;
    const allowWrite = model.allowWrite ?? step.allowWrite;
    const restricted = { ...step, level, asking, limits, allowWrite };
    if (same !== undefined) return { ...restricted, gates: same.gates, confirms: same.confirms };
    return index < task.steps.length - 1
      ? restricted
      : { ...restricted, gates: owedGates(author, step) };
  });
  return { ...task, allow, proof, steps };
}

/** A gate that must fail belongs to its own step alone. */
function owedGates(author: Task, { gates: ownGates }: Step): Step["gates"] {
  const owed = author.steps.flatMap(({ gates }) =>
    gates.kind === "none" ? [] : gates.gates.filter(mustPass),
  );
  const gates = [...new Map(owed.map((gate) => [gate.name, gate])).values()];
  return gates.length === 0 ? ownGates : { kind: "gates", gates };
}

function mustPass(gate: GateSpec): boolean {
  return gate.required && (gate.kind !== "command" || gate.expect === "pass");
}
