// What does the config file say, in the core's words?

import type { AgentSpec } from "../core/model/agent.ts";
import { levelFrom } from "../core/model/level.ts";
import type { Settings } from "../core/model/settings.ts";
import type { StallTable } from "../core/model/policy.ts";
import { agentSpec, BUILT_IN_AGENT } from "./config-agents.ts";
import { notifyOf } from "./config-notify.ts";
import { BUILT_IN_PIPELINES, gateSpec, pipelineOf, stepProblems } from "./config-pipelines.ts";
import { questionsOf } from "./config-questions.ts";
import { configSchema, type ConfigShape } from "./config-shape.ts";
import { sandboxOf } from "./config-sandbox.ts";
import { worktreeOf } from "./config-worktree.ts";
import { parseKeys, problemAt, unknownName, type KeyProblem } from "./key-problems.ts";
import { lineOfKey } from "./locate.ts";
import { limitChoice, policyOf } from "./policy-keys.ts";
import { restOf } from "./config-rest.ts";
import { parsed, placed, type Checked, type Parsed } from "./parsed.ts";

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
  const { value, problems } = restOf(raw, readKeys);
  if (value !== null && problems.length === 0) return parsed(value);
  return placed(problems, (path) => {
    const line = source.text === null ? null : lineOfKey(source.text, path);
    return line === null ? source.file : `${source.file}:${line}`;
  });
}

/** What the config says besides its mistakes; null: nothing can be read of it. */
export function settingsBeside(raw: unknown): Settings | null {
  return restOf(raw, readKeys).value;
}

function readKeys(raw: unknown): Parsed<Settings, KeyProblem> {
  const shape = parseKeys(configSchema, raw);
  if (!shape.ok) return shape;
  const problems = crossProblems(shape.value);
  return problems.length === 0 ? parsed(settingsOf(shape.value)) : { ok: false, problems };
}

/** The settings of an empty config: every default, and no gate. */
export function defaultSettings(): Settings {
  return settingsOf(configSchema.parse({}));
}

/** What no single key can know: names that must exist, and keys that contradict each other. */
function crossProblems(config: ConfigShape): readonly KeyProblem[] {
  const agents = namesOf(config.agents, BUILT_IN_AGENT.name);
  const pipelines = namesOf(config.pipelines, ...BUILT_IN_PIPELINES.map((each) => each.name));
  const gates = config.gates === "none" ? [] : Object.keys(config.gates ?? {});
  return [
    ...unknownName(config.agent, ["agent"], agents),
    ...unknownName(config.defaultPipeline, ["defaultPipeline"], pipelines),
    ...Object.entries(config.pipelines ?? {}).flatMap(([name, list]) =>
      stepProblems(list, { path: ["pipelines", name], agents, gates }),
    ),
    ...ladderProblems(policyOf(config).stall),
  ];
}

/** Each rung of a ladder must come before the next, or it would never be reached. */
export function ladderProblems({ sameFailure, unknownGate }: StallTable): readonly KeyProblem[] {
  const { demand, replan, stall } = sameFailure;
  return [
    ...outOfOrder("sameFailure", "demand < replan < stall", [demand, replan, stall]),
    ...outOfOrder("unknownGate", "demand < stall", [unknownGate.demand, unknownGate.stall]),
  ];
}

function outOfOrder(row: string, words: string, rungs: readonly number[]): readonly KeyProblem[] {
  if (rungs.every((rung, index) => index === 0 || rung > (rungs[index - 1] ?? 0))) return [];
  return [problemAt(["stall", row], `expected ${words}, found ${rungs.join(", ")}`)];
}

function settingsOf(config: ConfigShape): Settings {
  const agents = Object.entries(config.agents ?? {}).map(([name, agent]) => agentSpec(name, agent));
  const pipelines = Object.entries(config.pipelines ?? {}).map(([name, steps]) =>
    pipelineOf(name, steps),
  );
  const { isolation, autoCommit, branchPrefix, landing } = config.git;
  const { run: runLimits, stall, reset, uncertainty, proof } = policyOf(config);
  return {
    // A name that is the only one there is need not be chosen.
    agent: config.agent ?? only(agents)?.name ?? BUILT_IN_AGENT.name,
    agents: withBuiltIn<AgentSpec>(agents, [BUILT_IN_AGENT]),
    model: config.model ?? null,
    taskFolder: config.taskFolder,
    pipelines: withBuiltIn(pipelines, BUILT_IN_PIPELINES),
    defaultPipeline: config.defaultPipeline ?? only(pipelines)?.name ?? "default",
    gates:
      config.gates === "none"
        ? "none"
        : Object.entries(config.gates ?? {}).map(([name, gate]) => gateSpec(name, gate)),
    level: levelFrom(config.interactionThreshold ?? Number.NaN),
    limits: limitChoice(config),
    runLimits,
    stall,
    reset,
    proof,
    uncertainty,
    questions: questionsOf(config.questions),
    notify: notifyOf(config.notify),
    allowedActions: config.irreversible?.allow ?? [],
    parallel: config.parallel,
    git: { isolation, autoCommit: autoCommit ?? isolation === "worktree", branchPrefix, landing },
    sandbox: sandboxOf(config.sandbox),
    worktree: worktreeOf(config.worktree),
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
