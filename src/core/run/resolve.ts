// What exactly will be done for a task, once flags, environment, task, step and config are laid over each other?

import type { CoachSpec } from "../model/coach.ts";
import { idOf, type StepId, type TaskId } from "../model/ids.ts";
import { PLAN_CONFIRMED_FROM_LEVEL, DEFAULT_LIMITS } from "../model/policy.ts";
import type { Level, Limits } from "../model/policy.ts";
import type {
  LimitChoice,
  Overrides,
  Pipeline,
  Settings,
  StepSettings,
  TaskSettings,
} from "../model/settings.ts";
import {
  isPlanning,
  gatesOf,
  mustPass,
  type GateSpec,
  type Step,
  type StepGates,
  type Task,
} from "../model/task.ts";

/** A task as read, with its dependencies found among the tasks around it. */
export interface TaskDraft extends Pick<
  Task,
  "id" | "title" | "body" | "source" | "context" | "contest"
> {
  readonly settings: TaskSettings;
  readonly dependsOn: readonly TaskId[];
}

/** Everything that is laid over a task, from the strongest to the weakest. */
export interface Layers {
  readonly flags: Overrides;
  /** ORCH_INTERACTION_THRESHOLD, already read; null: not set. */
  readonly environmentLevel: Level | null;
  readonly settings: Settings;
}

/** A name that nothing answers to, or a step that nothing would prove. */
export interface Unresolved {
  readonly message: string;
  /** The name that was given and the names there are; null where it is not about a name. */
  readonly name: { readonly given: string; readonly existing: readonly string[] } | null;
}

export type Resolution =
  | { readonly ok: true; readonly task: Task }
  | { readonly ok: false; readonly problems: readonly Unresolved[] };

/** The task, or all candidates for it, which share its text and its file. */
export function resolveCandidates(draft: TaskDraft, layers: Layers): readonly Resolution[] {
  const { settings, flags } = layers;
  const agents = flags.bestOf ?? draft.settings.bestOf ?? settings.bestOf ?? [];
  if (agents.length < 2) return [resolveTask(draft, layers)];
  return agents.map((agent, at) => {
    const by = agent === null ? layers : { ...layers, flags: { ...flags, agent: [agent] } };
    const id = idOf<TaskId>(`${draft.id}.${at + 1}`);
    return resolveTask({ ...draft, id, contest: draft.id }, by);
  });
}

/**
 * The task with nothing left to look up.
 *
 * Precedence: flag > environment > task > step > config > default. Gates are the exception: a step
 * that names its own keeps them, because a planning step cannot be proved by the task's tests.
 */
export function resolveTask(draft: TaskDraft, layers: Layers): Resolution {
  const { settings, flags } = layers;
  const wanted = flags.pipeline ?? draft.settings.pipeline ?? settings.defaultPipeline;
  const pipeline = settings.pipelines.find((each) => each.name === wanted);
  if (pipeline === undefined)
    return { ok: false, problems: [unknownName("pipeline", wanted, settings.pipelines)] };
  const confirmed = confirmedStep(pipeline);
  const problems: Unresolved[] = [];
  const steps = pipeline.steps.map((step) =>
    resolveStep(step, draft.settings, {
      ...layers,
      confirmsByLevel: step === confirmed,
      refuse: (problem) => problems.push(problem),
    }),
  );
  // Two steps of a pipeline usually miss the same thing; it is reported once.
  const missed = new Map(problems.map((problem) => [problem.message, problem]));
  if (missed.size > 0) return { ok: false, problems: [...missed.values()] };
  const { settings: taskSettings, ...named } = draft;
  const { stall, reset, uncertainty } = settings;
  const proof = { ...settings.proof, ...flags.proof, enough: taskSettings.enough };
  const allow = [...settings.allowedActions, ...taskSettings.allow];
  const policy = { allow, stall, reset, uncertainty, proof };
  const proven = provenAtTheEnd(steps);
  const task = {
    ...named,
    pipeline: pipeline.name,
    steps: proven,
    scope: taskSettings.scope,
    ...(taskSettings.needs.length > 0 && { needs: taskSettings.needs }),
    ...policy,
  };
  return { ok: true, task };
}

/** The step that plans is the one to confirm; where none does, the first one plans before it works. */
function confirmedStep({ steps }: Pipeline): StepSettings | undefined {
  return steps.find(isPlanning) ?? steps[0];
}

/** A resolved task at another level, with what follows from a level; all else stays. */
export function atLevel(task: Task, level: Level, settings: Settings): Task {
  const pipeline = settings.pipelines.find(({ name }) => name === task.pipeline);
  const confirmed = pipeline && confirmedStep(pipeline);
  const steps = task.steps.map((step) => {
    const written = pipeline?.steps.find(({ id }) => id === step.id);
    const byLevel = level >= PLAN_CONFIRMED_FROM_LEVEL && step.id === confirmed?.id;
    return { ...step, level, confirms: written?.confirm ?? byLevel };
  });
  return { ...task, steps };
}

/** The limits of a step: each layer replaces what it names. */
export function resolveLimits(...layers: readonly LimitChoice[]): Limits {
  const merged = layers.reduce<Limits>(
    (limits, layer) => ({ ...limits, ...layer }),
    DEFAULT_LIMITS,
  );
  const last = layers.findLast(
    (layer) => layer.attempts !== undefined || layer.attemptsWithProgress !== undefined,
  );
  // "attempts: 2" means two: the extension for progress belongs to the default, or is asked for.
  const extended = last === undefined || last.attemptsWithProgress !== undefined;
  const most = extended ? merged.attemptsWithProgress : merged.attempts;
  return { ...merged, attemptsWithProgress: Math.max(most, merged.attempts) };
}

/** The last step is held to the required gates of all steps: what it leaves is what lands. */
function provenAtTheEnd(steps: readonly Step[]): readonly Step[] {
  const last = steps.at(-1);
  if (last === undefined) return steps;
  const ofLast = gatesOf(last);
  const all = [...steps.slice(0, -1).flatMap(owedGates), ...ofLast];
  if (all.length === ofLast.length) return steps;
  const gates = [...new Map(all.map((gate) => [gate.name, gate])).values()];
  return [...steps.slice(0, -1), { ...last, gates: { kind: "gates", gates } }];
}

interface StepLayers extends Layers {
  readonly confirmsByLevel: boolean;
  readonly refuse: (problem: Unresolved) => void;
}

/** What cannot be found is refused; the step is then as if it had not been named. */
function resolveStep(step: StepSettings, task: TaskSettings, layers: StepLayers): Step {
  const { settings, flags, environmentLevel, confirmsByLevel, refuse } = layers;
  const [agent = "", ...fallbacks] = flags.agent ?? task.agent ?? step.agent ?? settings.agent;
  const specOf = (name: string) => settings.agents.find((each) => each.name === name);
  for (const name of [agent, ...fallbacks])
    if (specOf(name) === undefined) refuse(unknownName("agent", name, settings.agents));
  const attempts: LimitChoice = step.attempts === null ? {} : { attempts: step.attempts };
  const level = flags.level ?? environmentLevel ?? task.level ?? step.level ?? settings.level ?? 0;
  return {
    id: step.id,
    prompt: step.prompt,
    agent,
    fallbacks,
    coach: coachOf(step, agent, layers),
    model: flags.model ?? task.model ?? step.model ?? specOf(agent)?.model ?? settings.model,
    gates: resolveGates(step, task, layers),
    level,
    confirms: step.confirm ?? (level >= PLAN_CONFIRMED_FROM_LEVEL && confirmsByLevel),
    asking: settings.questions,
    allowWrite: step.allowWrite,
    limits: resolveLimits(settings.limits, attempts, task.limits, flags.limits),
  };
}

/** Its agent is the step's where none is named: with another model's eyes it sees more. */
function coachOf(
  { coach }: StepSettings,
  agent: string,
  { settings, refuse }: StepLayers,
): CoachSpec | null {
  if (coach === null) return null;
  const name = coach.agent ?? agent;
  const spec = settings.agents.find((each) => each.name === name);
  if (spec === undefined) refuse(unknownName("agent", name, settings.agents));
  return { ...coach, agent: name, model: coach.model ?? spec?.model ?? settings.model };
}

function resolveGates(
  step: StepSettings,
  task: TaskSettings,
  { settings, refuse }: StepLayers,
): StepGates {
  const choice = step.gates ?? task.gates;
  const configured = settings.gates === "none" ? [] : settings.gates;
  if (choice?.kind === "none" || (choice === null && settings.gates === "none"))
    return { kind: "none" };
  const wanted = (choice?.gates ?? configured).map((gate) => {
    const spec = typeof gate === "string" ? configured.find(({ name }) => name === gate) : gate;
    return { gate, spec };
  });
  const gates = wanted.flatMap(({ spec }) => spec ?? []);
  for (const { gate, spec } of wanted)
    if (typeof gate === "string" && spec === undefined)
      refuse(unknownName("gate", gate, configured));
  if (gates.length === wanted.length && !gates.some((gate) => gate.required))
    refuse(nothingProves(step.id, gates.length));
  return { kind: "gates", gates };
}

function nothingProves(step: StepId, gates: number): Unresolved {
  const why = gates === 0 ? "no gate is configured" : "none of its gates is required";
  return {
    message: `nothing would prove step "${step}": ${why}; add a gate, or say gates: "none"`,
    name: null,
  };
}

function unknownName(
  what: "pipeline" | "agent" | "gate",
  given: string,
  there: readonly { readonly name: string }[],
): Unresolved {
  const name = { given, existing: there.map((each) => each.name) };
  return { message: `unknown ${what} ${JSON.stringify(given)}`, name };
}

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
    const owed = last === undefined ? [] : owedGates(last);
    const isLast = index === task.steps.length - 1;
    return isLast && owed.length > 0
      ? { ...restricted, gates: { kind: "gates", gates: owed } }
      : restricted;
  });
  return { ...task, allow, proof, steps };
}

function owedGates(step: Step): readonly GateSpec[] {
  return gatesOf(step).filter(mustPass);
}
