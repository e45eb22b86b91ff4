// What does the config file say, in the core's words?

import type { AgentSpec } from "../core/model/agent.ts";
import { levelFrom } from "../core/model/level.ts";
import type { GitSettings, Settings } from "../core/model/settings.ts";
import { DEFAULT_RESET_POLICY, type ResetPolicy } from "../core/model/policy.ts";
import type { GateSpec } from "../core/model/task.ts";
import { agentProblems, agentSpec, BUILT_IN_AGENT } from "./config-agents.ts";
import { limitProblems, limitsOf, runLimitsOf, stallOf } from "./config-limits.ts";
import {
  BUILT_IN_PIPELINES,
  gateProblems,
  gateSpec,
  pipelineOf,
  stepProblems,
} from "./config-pipelines.ts";
import { configSchema, type ConfigShape } from "./config-shape.ts";
import { milliseconds } from "./limit-choice.ts";
import { keyPath, keyProblems, type KeyProblem } from "./key-problems.ts";
import { lineOfKey } from "./locate.ts";
import { checked, problem, type Checked, type Problem } from "./problem.ts";
import { suggestName } from "./suggest.ts";
import { uncertaintyOf } from "./config-uncertainty.ts";
import { judgeOf } from "./config-judge.ts";
import { notifyOf } from "./config-notify.ts";
import { questionsOf } from "./config-questions.ts";

/** Where a config came from, so that a problem can name its line. */
export interface ConfigSource {
  /** As a person would name it. */
  readonly file: string;
  /** The file's text; null where there is none to look into. */
  readonly text: string | null;
}

/**
 * The settings, or everything wrong with the config at once. Paths are as written: whoever read the
 * file knows its folder.
 */
export function parseConfig(raw: unknown, source: ConfigSource): Checked<Settings> {
  const shape = configSchema.safeParse(raw);
  const found = shape.success
    ? crossProblems(shape.data)
    : keyProblems(shape.error.issues, configSchema, raw);
  if (found.length > 0) return { ok: false, problems: found.map((each) => placed(each, source)) };
  return checked(settingsOf(shape.success ? shape.data : {}));
}

/** The settings of an empty config: every default, and no gate. */
export function defaultSettings(): Settings {
  return settingsOf({});
}

/** What no single key can know: names that must exist, and keys that exclude each other. */
function crossProblems(config: ConfigShape): readonly KeyProblem[] {
  const agents = namesOf(config.agents, BUILT_IN_AGENT.name);
  const pipelines = namesOf(config.pipelines, ...BUILT_IN_PIPELINES.map((each) => each.name));
  const gates = config.gates === "none" ? [] : Object.keys(config.gates ?? {});
  const steps = Object.entries(config.pipelines ?? {}).flatMap(([name, list]) =>
    stepProblems(list, { path: ["pipelines", name], agents, gates }),
  );
  return [
    ...unknownName(config.agent, ["agent"], agents),
    ...unknownName(config.defaultPipeline, ["defaultPipeline"], pipelines),
    ...Object.entries(config.agents ?? {}).flatMap(([name, agent]) =>
      agentProblems(agent, ["agents", name]),
    ),
    ...(config.gates === "none" ? [] : Object.entries(config.gates ?? {})).flatMap(([name, gate]) =>
      gateProblems(gate, ["gates", name]),
    ),
    ...steps,
    ...limitProblems(config),
  ];
}

function settingsOf(config: ConfigShape): Settings {
  const agents = Object.entries(config.agents ?? {}).map(([name, agent]) => agentSpec(name, agent));
  const pipelines = Object.entries(config.pipelines ?? {}).map(([name, steps]) =>
    pipelineOf(name, steps),
  );
  return {
    // A name that is the only one there is need not be chosen.
    agent: config.agent ?? only(agents)?.name ?? BUILT_IN_AGENT.name,
    agents: withBuiltIn<AgentSpec>(agents, [BUILT_IN_AGENT]),
    model: config.model ?? null,
    taskFolder: config.taskFolder ?? "tasks",
    pipelines: withBuiltIn(pipelines, BUILT_IN_PIPELINES),
    defaultPipeline: config.defaultPipeline ?? only(pipelines)?.name ?? "default",
    gates: config.gates === "none" ? "none" : gatesOf(config),
    level: levelFrom(config.interactionThreshold ?? Number.NaN),
    limits: limitsOf(config),
    runLimits: runLimitsOf(config),
    stall: stallOf(config),
    reset: resetOf(config.waitForRateLimitReset),
    uncertainty: uncertaintyOf(config.uncertainty),
    judge: judgeOf(config.judge),
    questions: questionsOf(config.questions),
    notify: notifyOf(config.notify),
    allowedActions: config.irreversible?.allow ?? [],
    git: gitOf(config.git ?? {}),
  };
}

function gatesOf(config: ConfigShape): readonly GateSpec[] {
  const entries = config.gates === "none" ? [] : Object.entries(config.gates ?? {});
  return entries.flatMap(([name, gate]) => gateSpec(name, gate) ?? []);
}

function resetOf(written: ConfigShape["waitForRateLimitReset"]): ResetPolicy {
  if (written === undefined || written === true) return DEFAULT_RESET_POLICY;
  if (written === false) return { ...DEFAULT_RESET_POLICY, waits: false };
  return {
    waits: true,
    maxWaitMs: milliseconds(written.maxWait) ?? DEFAULT_RESET_POLICY.maxWaitMs,
  };
}

function gitOf(git: NonNullable<ConfigShape["git"]>): GitSettings {
  const isolation = git.isolation ?? "branch";
  return {
    isolation,
    // Nobody's own branch gets commits they did not ask for.
    autoCommit: git.autoCommit ?? isolation === "branch",
    branchPrefix: git.branchPrefix ?? "orch/",
  };
}

function withBuiltIn<T extends { readonly name: string }>(
  own: readonly T[],
  builtIn: readonly T[],
): readonly T[] {
  return [...own, ...builtIn.filter((each) => !own.some((mine) => mine.name === each.name))];
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function namesOf(own: object | undefined, ...builtIn: readonly string[]): readonly string[] {
  return [...new Set([...Object.keys(own ?? {}), ...builtIn])];
}

function unknownName(
  name: string | undefined,
  path: readonly string[],
  known: readonly string[],
): readonly KeyProblem[] {
  if (name === undefined || known.includes(name)) return [];
  const message = `${keyPath(path)}: there is no ${JSON.stringify(name)}`;
  return [{ path, message, suggestion: suggestName(name, known) }];
}

function placed(found: KeyProblem, source: ConfigSource): Problem {
  const line = source.text === null ? null : lineOfKey(source.text, found.path);
  const where = line === null ? source.file : `${source.file}:${line}`;
  return problem(where, found.message, found.suggestion);
}
