// How is a task that another task wrote kept from being looser than its author?

import type { Limits, ProofPolicy } from "../model/policy.ts";
import type { GateSpec, Step, StepGates, Task } from "../model/task.ts";

export interface Tightened {
  readonly task: Task;
  /** What was made stricter, in words; empty: nothing had to be. */
  readonly tightened: readonly string[];
}

/**
 * The task with all that its author's own policy asks at least: gates, levels, limits, fences, and
 * `allow`. A step is held to the author's step of the same id, one without such a step to all of them.
 * Agent, model, pipeline and scope are its own to choose: those there are, the config names.
 */
export function tightest(task: Task, author: Task): Tightened {
  const tightened: string[] = [];
  const allow = task.allow.filter((one) => author.allow.includes(one));
  const refused = task.allow.filter((one) => !allow.includes(one));
  if (refused.length > 0) tightened.push(`allow: not ${refused.join(", ")}`);
  const proof = stricter(task.proof, author.proof);
  if (proof !== task.proof) tightened.push(`proof: ${proof.changedChecks ?? "by level"}`);
  const steps = task.steps.map((step, index) => {
    const gates = gatesOf(step, { author, isLast: index === task.steps.length - 1, task });
    const held = heldStep({ ...step, gates }, author);
    tightened.push(...differences(step, held));
    return held;
  });
  return tightened.length === 0
    ? { task, tightened }
    : { task: { ...task, allow, proof, steps }, tightened };
}

/** Where checks were changed, from the loosest to the strictest. */
const PROOF = ["list", null, "ask", "refuse"] as const;

function stricter(own: ProofPolicy, author: ProofPolicy): ProofPolicy {
  const rank = ({ changedChecks }: ProofPolicy) => PROOF.indexOf(changedChecks);
  return rank(own) < rank(author) ? author : own;
}

interface Around {
  readonly task: Task;
  readonly author: Task;
  readonly isLast: boolean;
}

/**
 * The last step proves what the author's last one has to prove, and all that its other steps prove
 * which the task does not have; a gate that must fail belongs to its own step alone.
 */
function gatesOf(step: Step, { task, author, isLast }: Around): StepGates {
  const ids = new Set(task.steps.map(({ id }) => id));
  const last = author.steps.at(-1);
  const owed = byName(
    author.steps.flatMap((one) => {
      if (one.id === step.id) return required(one);
      if (!isLast || (one !== last && ids.has(one.id))) return [];
      return required(one).filter((gate) => gate.kind !== "command" || gate.expect === "pass");
    }),
  );
  const own = step.gates.kind === "none" ? [] : step.gates.gates;
  const missing = owed.filter((gate) => !own.some((one) => isSame(one, gate)));
  if (missing.length === 0) return step.gates;
  const names = new Set(missing.map(({ name }) => name));
  const others = own.filter(({ name }) => !names.has(name));
  return { kind: "gates", gates: [...others, ...missing] };
}

function required({ gates }: Step): readonly GateSpec[] {
  return gates.kind === "none" ? [] : gates.gates.filter((gate) => gate.required);
}

/** Of two with one name the later step's. */
function byName(gates: readonly GateSpec[]): readonly GateSpec[] {
  return [...new Map(gates.map((gate) => [gate.name, gate])).values()];
}

function heldStep(step: Step, { steps }: Task): Step {
  const same = steps.filter(({ id }) => id === step.id);
  const models = same.length > 0 ? same : steps;
  return models.reduce(
    (held, model) => ({
      ...held,
      ...(model.level > held.level ? { level: model.level, asking: model.asking } : {}),
      confirms: held.confirms || model.confirms,
      limits: least(held.limits, model.limits),
    }),
    { ...step, allowWrite: within(step.allowWrite, models) },
  );
}

/** The author's steps together; what is not in their words is not compared, but refused. */
function within(own: Step["allowWrite"], models: readonly Step[]): Step["allowWrite"] {
  const all = models.flatMap(({ allowWrite }) => allowWrite ?? []);
  if (models.some(({ allowWrite }) => allowWrite === null)) return own;
  return own !== null && own.every((glob) => all.includes(glob)) ? own : [...new Set(all)];
}

function least(a: Limits, b: Limits): Limits {
  return {
    attempts: Math.min(a.attempts, b.attempts),
    attemptsWithProgress: Math.min(a.attemptsWithProgress, b.attemptsWithProgress),
    replans: Math.min(a.replans, b.replans),
    handoffs: Math.min(a.handoffs, b.handoffs),
    sessions: Math.min(a.sessions, b.sessions),
    questions: Math.min(a.questions, b.questions),
    costUsd: leastOf(a.costUsd, b.costUsd),
    tokens: leastOf(a.tokens, b.tokens),
    timeMs: Math.min(a.timeMs, b.timeMs),
    turns: Math.min(a.turns, b.turns),
    idleMs: Math.min(a.idleMs, b.idleMs),
    sessionMs: Math.min(a.sessionMs, b.sessionMs),
  };
}

/** null: no limit. */
function leastOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function differences(own: Step, held: Step): readonly string[] {
  const limits = Object.entries(held.limits).filter(
    ([key, value]) => new Map(Object.entries(own.limits)).get(key) !== value,
  );
  const words: readonly (readonly [boolean, string])[] = [
    [own.gates !== held.gates, `gates: ${namesOf(held.gates)}`],
    [own.level !== held.level, `level ${own.level} → ${held.level}`],
    [own.confirms !== held.confirms, "its plan is confirmed"],
    [own.allowWrite !== held.allowWrite, `writes to ${held.allowWrite?.join(", ") ?? ""}`],
    [limits.length > 0, `limits: ${limits.map(([key, value]) => `${key} ${value}`).join(", ")}`],
  ];
  return words.flatMap(([is, text]) => (is ? [`${own.id}: ${text}`] : []));
}

function namesOf(gates: StepGates): string {
  return gates.kind === "none" ? "none" : gates.gates.map(({ name }) => name).join(", ");
}

/** In whichever order an older orch wrote the fields. */
function isSame(a: GateSpec, b: GateSpec): boolean {
  const text = (gate: GateSpec) =>
    JSON.stringify(Object.entries(gate).toSorted(([x], [y]) => (x < y ? -1 : 1)));
  return text(a) === text(b);
}
