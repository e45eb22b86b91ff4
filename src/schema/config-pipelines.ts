// Which pipelines and gates may a config describe, and can each of them work?

import { z } from "zod";

import { idOf, type StepId } from "../core/model/ids.ts";
import { levelFrom } from "../core/model/policy.ts";
import type { CoachChoice, GateChoice, Pipeline, StepSettings } from "../core/model/settings.ts";
import type { GateSpec } from "../core/model/task.ts";
import { milliseconds } from "../core/model/duration.ts";
import {
  agentNames,
  count,
  duration,
  glob,
  level,
  line,
  list,
  listOf,
  model,
  name,
  pathInside,
} from "./fields.ts";
import { group, key, keyWith, needed } from "./key.ts";

const required = keyWith(z.boolean(), true, ["`false`: run and reported, and decides nothing."]);

const commandKeys = {
  run: needed(line, "A line for the shell, run in the working tree.", "needed, or `fileExists`"),
  expect: keyWith(z.enum(["pass", "fail"]), "pass", ['`"fail"`: the checks must run and fail.']),
  timeout: keyWith(duration, "15m", ["Longer is unknown, not failed."]),
  required,
  parse: keyWith(z.enum(["auto", "none", "vitest", "jest", "node-test", "pytest", "tap"]), "auto", [
    'Whose output it is: `"vitest"`, `"jest"`, `"node-test"`, `"pytest"`, `"tap"`, `"none"`.',
  ]),
  report: key(
    pathInside,
    "The file in which the command reports its checks: JUnit XML, TAP, or the JSON of `jest`. A path or glob.",
    "what orch asks known runners for",
  ),
  kind: keyWith(z.enum(["auto", "check"]), "auto", [
    '`"check"`: no runner of tests, its exit code is all there is.',
  ]),
  retries: key(
    count(0),
    'Further runs after a verdict that is not "passed"; see [flaky gates](gates.md#flaky).',
    "`1` after unknown, `0` after failed",
  ),
};

const fileKeys = {
  fileExists: needed(
    pathInside,
    "A file or folder that must be there. Stands alone, or with `required`.",
  ),
  required,
};

export const commandGate = z.strictObject(commandKeys).meta({ id: "CommandGateConfig" });
export const fileGate = z.strictObject(fileKeys).meta({ id: "FileGateConfig" });

const ofStep = { name: needed(name, "Its name in this step.", "needed in a step") };
const gateOfStep = [
  z.strictObject({ ...ofStep, ...commandKeys }),
  z.strictObject({ ...ofStep, ...fileKeys }),
] as const;

export const gate = z
  .union([commandGate, fileGate], { error: 'expected a gate like { run: "npm test" }' })
  .meta({ id: "GateConfig" });

export const gates = z.union([z.literal("none"), z.record(name, gate)], {
  error: 'expected "none" or gates by name, like { test: { run: "npm test" } }',
});

const STEP_GATES =
  'expected "none", or a list of gate names and gates like { name: "red", run: "npm test" }';
const stepGates = z.union(
  [
    z.literal("none"),
    list(z.union([name, ...gateOfStep], { error: STEP_GATES })).min(1, {
      error: 'an empty list proves nothing; say "none" if that is meant',
    }),
  ],
  { error: STEP_GATES },
);

const coach = z.strictObject({
  agent: name.optional(),
  model: model.optional(),
  prompt: name.optional(),
  share: z.number().min(0).max(1).optional(),
});

/** Of what a task may spend. */
const COACH_SHARE = 0.3;

export const step = z
  .strictObject({
    name: needed(name, "The step's name, once in its pipeline.", "needed"),
    prompt: needed(
      name,
      "A [template](#prompts), or `\"self\"`: the task's own text, with the report's rules below it.",
      "needed",
    ),
    agent: key(agentNames, "An agent by name, or a [list](#agents).", "the config's"),
    model: key(model, "", "the agent's"),
    gates: key(
      stepGates,
      'A list of gate names and of gates in place, or `"none"`.',
      "the task's, else all of the config",
    ),
    fileAccess: group({
      allowWrite: needed(
        list(glob),
        "Globs the step may change. A completed step that changed anything else is [disputed](decisions.md), once with feedback, then by asking. `[]`: nothing. Measured with git.",
        "anywhere",
      ),
    }),
    attempts: key(
      count(1),
      "Attempts of this step; not extended for progress.",
      "`budget.attempts`",
    ),
    interactionThreshold: key(level, "The level in this step.", "the config's"),
    coach: key(
      coach,
      "Another session [looks at finished work](agents.md#coach): `{ agent, model, prompt, share }`, each by choice.",
      "none",
    ),
    confirm: key(
      z.boolean(),
      "A person [confirms the plan](questions.md#plans) before it is carried out.",
      "`false`; at level 5 `true` for the step that plans, else the first",
    ),
  })
  .meta({ id: "StepConfig" });

export const pipelines = z.record(name, list(step).min(1, { error: "expected at least one step" }));

type GateShape = z.infer<typeof gate>;
type StepShape = z.infer<typeof step>;

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

export function pipelineOf(id: string, steps: readonly StepShape[]): Pipeline {
  return { name: id, steps: steps.map(stepSettings) };
}

export function gateSpec(id: string, written: GateShape): GateSpec {
  const base = { name: id, required: written.required };
  if ("fileExists" in written) return { ...base, kind: "file-exists", path: written.fileExists };
  const { run, expect, timeout, retries, parse, report, kind } = written;
  return {
    ...base,
    kind: "command",
    run,
    expect,
    timeoutMs: milliseconds(timeout),
    // Where the config is silent: an unknown verdict says nothing yet; a failed one is an answer.
    retries: retries ?? 1,
    failedRetries: retries ?? 0,
    parse,
    report: report ?? null,
    proves: kind,
  };
}

function stepSettings(written: StepShape): StepSettings {
  const { prompt } = written;
  return {
    id: idOf<StepId>(written.name),
    prompt: prompt === "self" ? { kind: "self" } : { kind: "template", name: prompt },
    agent: listOf(written.agent),
    model: written.model ?? null,
    gates: written.gates === undefined ? null : gateChoice(written.gates),
    level: levelFrom(written.interactionThreshold ?? Number.NaN),
    allowWrite: written.fileAccess?.allowWrite ?? null,
    attempts: written.attempts ?? null,
    coach: written.coach === undefined ? null : coachChoice(written.coach),
    confirm: written.confirm ?? null,
  };
}

function coachChoice(written: NonNullable<StepShape["coach"]>): CoachChoice {
  const { agent = null, model = null, prompt = "coach", share = COACH_SHARE } = written;
  return { agent, model, prompt, share };
}

function gateChoice(named: NonNullable<StepShape["gates"]>): GateChoice {
  if (named === "none") return { kind: "none" };
  const these = named.map((one) => (typeof one === "string" ? one : gateSpec(one.name, one)));
  return { kind: "these", gates: these };
}
