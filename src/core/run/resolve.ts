// What exactly will be done for a task, once flags, environment, task, step and config are laid over each other?

import type { StepId, TaskId } from "../model/ids.ts";
import { PLAN_CONFIRMED_FROM_LEVEL, type Level } from "../model/level.ts";
import { DEFAULT_ASKING, type AskingPolicy } from "../model/question.ts";
import { isPlanning } from "./select.ts";
import { DEFAULT_LIMITS, type Limits } from "../model/policy.ts";
import type {
  GateChoice,
  LimitChoice,
  Overrides,
  QuestionSettings,
  Settings,
  StepSettings,
  TaskSettings,
} from "../model/settings.ts";
import type { GateSpec, Step, StepGates, Task } from "../model/task.ts";

/** A task as read, with its dependencies found among the tasks around it. */
export interface TaskDraft extends Pick<Task, "id" | "title" | "body" | "source" | "context"> {
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
  /** The key that says so: of the task's front matter, or of the config. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The name that was given and the names there are; null where it is not about a name. */
  readonly name: { readonly given: string; readonly known: readonly string[] } | null;
}

export type Resolution =
  | { readonly ok: true; readonly task: Task }
  | { readonly ok: false; readonly problems: readonly Unresolved[] };

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
  if (pipeline === undefined) {
    const known = settings.pipelines.map((each) => each.name);
    return {
      ok: false,
      problems: [unknownName(["pipeline"], "pipeline", { given: wanted, known })],
    };
  }
  const confirmed = confirmedStep(pipeline.steps);
  const steps = pipeline.steps.map((step) =>
    resolveStep(step, draft.settings, { ...layers, confirmsByLevel: step === confirmed }),
  );
  const problems = unique(steps.flatMap((step) => (step.ok ? [] : step.problems)));
  if (problems.length > 0) return { ok: false, problems };
  const task: Task = {
    id: draft.id,
    title: draft.title,
    body: draft.body,
    source: draft.source,
    pipeline: pipeline.name,
    steps: steps.flatMap((step) => (step.ok ? [step.step] : [])),
    dependsOn: draft.dependsOn,
    scope: draft.settings.scope,
    allow: [...settings.allowedActions, ...draft.settings.allow],
    context: draft.context,
    stall: settings.stall,
    reset: settings.reset,
    uncertainty: settings.uncertainty,
    judge: settings.judge.settings,
  };
  return { ok: true, task };
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

type StepResolution =
  | { readonly ok: true; readonly step: Step }
  | { readonly ok: false; readonly problems: readonly Unresolved[] };

/** Of a pipeline, the step that plans; where none does, the first one plans before it works. */
function confirmedStep(steps: readonly StepSettings[]): StepSettings | undefined {
  return steps.find(isPlanning) ?? steps[0];
}

function askingOf({ general, levels }: QuestionSettings, level: Level): AskingPolicy {
  return { ...DEFAULT_ASKING, ...general, ...levels[level] };
}

interface StepLayers extends Layers {
  readonly confirmsByLevel: boolean;
}

function resolveStep(step: StepSettings, task: TaskSettings, layers: StepLayers): StepResolution {
  const { settings, flags, confirmsByLevel } = layers;
  const agent = flags.agent ?? task.agent ?? step.agent ?? settings.agent;
  const spec = settings.agents.find((each) => each.name === agent);
  const gates = resolveGates(step, task, settings);
  if (spec === undefined || !gates.ok) {
    const known = settings.agents.map((each) => each.name);
    const missing = unknownName(["agent"], "agent", { given: agent, known });
    return {
      ok: false,
      problems: [...(spec === undefined ? [missing] : []), ...(gates.ok ? [] : gates.problems)],
    };
  }
  const attempts: LimitChoice = step.attempts === null ? {} : { attempts: step.attempts };
  const level =
    flags.level ?? layers.environmentLevel ?? task.level ?? step.level ?? settings.level ?? 0;
  return {
    ok: true,
    step: {
      id: step.id,
      prompt: step.prompt,
      agent,
      model: flags.model ?? task.model ?? step.model ?? spec.model ?? settings.model,
      gates: gates.gates,
      level,
      confirms: step.confirm ?? (level >= PLAN_CONFIRMED_FROM_LEVEL && confirmsByLevel),
      asking: askingOf(settings.questions, level),
      allowWrite: step.allowWrite,
      limits: resolveLimits(settings.limits, attempts, task.limits, flags.limits),
    },
  };
}

type GateResolution =
  | { readonly ok: true; readonly gates: StepGates }
  | { readonly ok: false; readonly problems: readonly Unresolved[] };

function resolveGates(step: StepSettings, task: TaskSettings, settings: Settings): GateResolution {
  const choice = step.gates ?? task.gates ?? configured(settings);
  if (choice.kind === "none") return { ok: true, gates: choice };
  const known = settings.gates === "none" ? [] : settings.gates;
  const found = choice.gates.map((gate) => ({ gate, spec: gateSpec(gate, known) }));
  const unknown = found.flatMap(({ gate, spec }) =>
    typeof gate === "string" && spec === undefined ? [gate] : [],
  );
  if (unknown.length > 0) {
    const names = known.map((gate) => gate.name);
    const problems = unknown.map((given) =>
      unknownName(["gates"], "gate", { given, known: names }),
    );
    return { ok: false, problems };
  }
  const gates = found.flatMap(({ spec }) => (spec === undefined ? [] : [spec]));
  if (gates.some((gate) => gate.required)) return { ok: true, gates: { kind: "gates", gates } };
  return { ok: false, problems: [unproved(step.id, gates.length)] };
}

function configured(settings: Settings): GateChoice {
  return settings.gates === "none" ? { kind: "none" } : { kind: "these", gates: settings.gates };
}

function gateSpec(gate: string | GateSpec, known: readonly GateSpec[]): GateSpec | undefined {
  return typeof gate === "string" ? known.find((each) => each.name === gate) : gate;
}

function unproved(step: StepId, gates: number): Unresolved {
  const why = gates === 0 ? "no gate is configured" : "none of its gates is required";
  return {
    path: ["gates"],
    message: `nothing would prove step "${step}": ${why}; add a gate, or say gates: "none"`,
    name: null,
  };
}

function unknownName(
  path: readonly string[],
  what: string,
  name: { readonly given: string; readonly known: readonly string[] },
): Unresolved {
  return { path, message: `unknown ${what} ${JSON.stringify(name.given)}`, name };
}

/** Two steps of a pipeline usually miss the same thing; it is said once. */
function unique(problems: readonly Unresolved[]): readonly Unresolved[] {
  const seen = new Map(problems.map((problem) => [problem.message, problem]));
  return [...seen.values()];
}
