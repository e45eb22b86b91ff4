// Which pipelines and gates does a config describe, and can each of them work?

import { idOf, type StepId } from "../core/model/ids.ts";
import { levelFrom } from "../core/model/level.ts";
import type { GateChoice, Pipeline, StepSettings } from "../core/model/settings.ts";
import type { GateSpec, PromptSource } from "../core/model/task.ts";
import type { GateShape, StepShape } from "./config-shape.ts";
import { keyPath, type KeyProblem } from "./key-problems.ts";
import { milliseconds } from "./limit-choice.ts";
import { suggestName } from "./suggest.ts";

const GATE_TIMEOUT_MS = 15 * 60_000;
/** Where the config is silent. An unknown verdict says nothing yet; a failed one is an answer. */
const RETRIES = { unknown: 1, failed: 0 } as const;

/** Used where the config names none. A config's pipeline of the same name replaces one of these. */
export const BUILT_IN_PIPELINES: readonly Pipeline[] = [
  pipelineOf("default", [{ name: "implement", prompt: "implement" }]),
  pipelineOf("plan-implement-review", [
    // The plan is handed on in the report; a step that writes nothing has nothing to be proved by.
    { name: "plan", prompt: "plan", gates: "none", fileAccess: { allowWrite: [] } },
    { name: "implement", prompt: "implement" },
    { name: "review", prompt: "review" },
  ]),
];

type Path = readonly (string | number)[];

interface Known {
  readonly path: Path;
  readonly agents: readonly string[];
  readonly gates: readonly string[];
}

export function stepProblems(steps: readonly StepShape[], known: Known): readonly KeyProblem[] {
  return steps.flatMap((step, index) => {
    const path = [...known.path, index];
    const gates = step.gates === undefined || step.gates === "none" ? [] : step.gates;
    return [
      ...repeated(steps, index, path),
      ...(step.agent === undefined ? [] : unknown(step.agent, [...path, "agent"], known.agents)),
      ...gates.flatMap((gate, place) =>
        typeof gate === "string"
          ? unknown(gate, [...path, "gates", place], known.gates)
          : gateProblems(gate, [...path, "gates", place]),
      ),
    ];
  });
}

/** A gate runs a command or looks for a file, and has only the keys that go with it. */
export function gateProblems(gate: GateShape, path: Path): readonly KeyProblem[] {
  const at = keyPath(path);
  if (gate.run === undefined && gate.fileExists === undefined) {
    return [
      {
        path,
        message: `${at}: a gate needs "run" or "fileExists"`,
        suggestion: 'for example { run: "npm test" }',
      },
    ];
  }
  if (gate.fileExists === undefined) return [];
  const foreign = (["run", "expect", "timeout", "parse", "retries"] as const).filter(
    (key) => gate[key] !== undefined,
  );
  return foreign.map((key) => ({
    path: [...path, key],
    message: `${at}: "${key}" cannot stand beside "fileExists"`,
    suggestion: "make two gates of it, or remove one of the keys",
  }));
}

export function pipelineOf(name: string, steps: readonly StepShape[]): Pipeline {
  return { name, steps: steps.map(stepSettings) };
}

/** null where neither a command nor a file is named, which `gateProblems` has refused before. */
export function gateSpec(name: string, gate: GateShape): GateSpec | null {
  const base = { name, required: gate.required ?? true };
  if (gate.fileExists !== undefined) return { ...base, kind: "file-exists", path: gate.fileExists };
  if (gate.run === undefined) return null;
  return {
    ...base,
    kind: "command",
    run: gate.run,
    expect: gate.expect ?? "pass",
    timeoutMs: milliseconds(gate.timeout) ?? GATE_TIMEOUT_MS,
    retries: gate.retries ?? RETRIES.unknown,
    failedRetries: gate.retries ?? RETRIES.failed,
    parse: gate.parse ?? "auto",
  };
}

function stepSettings(step: StepShape): StepSettings {
  return {
    id: idOf<StepId>(step.name),
    prompt: promptSource(step.prompt),
    agent: step.agent ?? null,
    model: step.model ?? null,
    gates: step.gates === undefined ? null : gateChoice(step.gates),
    level: levelFrom(step.interactionThreshold ?? Number.NaN),
    allowWrite: step.fileAccess?.allowWrite ?? null,
    attempts: step.attempts ?? null,
    confirm: step.confirm ?? null,
  };
}

function promptSource(prompt: string): PromptSource {
  return prompt === "self" ? { kind: "self" } : { kind: "template", name: prompt };
}

function gateChoice(gates: NonNullable<StepShape["gates"]>): GateChoice {
  if (gates === "none") return { kind: "none" };
  const these = gates.map((gate) => (typeof gate === "string" ? gate : gateSpec(gate.name, gate)));
  return { kind: "these", gates: these.filter((gate) => gate !== null) };
}

function repeated(steps: readonly StepShape[], index: number, path: Path): readonly KeyProblem[] {
  const name = steps[index]?.name;
  // On a file system that folds case, two such steps would share their folder.
  const first = steps.findIndex((step) => step.name.toLowerCase() === name?.toLowerCase());
  if (first === index) return [];
  const message = `${keyPath([...path, "name"])}: another step of this pipeline is called "${name}"`;
  return [{ path: [...path, "name"], message, suggestion: "give each step a name of its own" }];
}

function unknown(name: string, path: Path, known: readonly string[]): readonly KeyProblem[] {
  if (known.includes(name)) return [];
  const message = `${keyPath(path)}: there is no ${JSON.stringify(name)}`;
  return [{ path, message, suggestion: suggestName(name, known) }];
}
