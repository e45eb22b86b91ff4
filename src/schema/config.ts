// What does the config file say, in the core's words?

import type { Price, PriceTable, Settings } from "../core/model/settings.ts";
import { levelFrom } from "../core/model/policy.ts";
import { agentSpec, BUILT_IN_AGENT, BUILT_IN_AGENTS } from "./config-agents.ts";
import { BUILT_IN_PIPELINES, gateSpec, pipelineOf } from "./config-pipelines.ts";
import { askingOf } from "./config-policy.ts";
import { configSchema, type ConfigShape } from "./config-shape.ts";
import { sandboxOf, worktreeOf } from "./config-trees.ts";
import { candidatesOf } from "./fields.ts";
import { checkWith, unknownName } from "./key-problems.ts";
import { limitChoice, policyOf } from "./policy-keys.ts";
import { parsed, type Checked } from "./parsed.ts";

/** The settings, or what is wrong with the config. Paths are as written: whoever read `file` knows its folder. */
export function parseConfig(raw: unknown, file: string): Checked<Settings> {
  const shape = checkWith(checkedConfig, raw, file);
  return shape.ok ? parsed(settingsOf(shape.value)) : shape;
}

/** The settings of an empty config: every default, and no gate. */
export function defaultSettings(): Settings {
  return settingsOf(configSchema.parse({}));
}

/** What no single key can know: names that must exist, and keys that contradict each other. */
const checkedConfig = configSchema.superRefine((config, context) => {
  const refuse = (path: PropertyKey[], message: string): void =>
    context.addIssue({ code: "custom", path, message });
  const agents = namesOf(config.agents, ...BUILT_IN_AGENTS.map((each) => each.name));
  const pipelines = namesOf(config.pipelines, ...BUILT_IN_PIPELINES.map((each) => each.name));
  const gates = config.gates === "none" ? [] : Object.keys(config.gates ?? {});
  const requireName = (
    given: string | readonly string[] | undefined,
    path: PropertyKey[],
    names: readonly string[],
  ) => {
    for (const one of [given ?? []].flat())
      if (!names.includes(one)) refuse(path, unknownName(one, names));
  };
  requireName(config.agent, ["agent"], agents);
  requireName(typeof config.bestOf === "object" ? config.bestOf : [], ["bestOf"], agents);
  requireName(config.defaultPipeline, ["defaultPipeline"], pipelines);
  for (const [name, steps] of Object.entries(config.pipelines ?? {}))
    for (const [index, step] of steps.entries()) {
      const path = ["pipelines", name, index];
      // On a file system that folds case, steps of such names would share their folder.
      const first = steps.findIndex((one) => one.name.toLowerCase() === step.name.toLowerCase());
      if (first < index)
        refuse([...path, "name"], `another step of this pipeline is called "${step.name}"`);
      requireName(step.agent, [...path, "agent"], agents);
      requireName(step.coach?.agent, [...path, "coach", "agent"], agents);
      const named = step.gates === undefined || step.gates === "none" ? [] : step.gates;
      for (const [place, gate] of named.entries())
        if (typeof gate === "string") requireName(gate, [...path, "gates", place], gates);
    }
});

function settingsOf(config: ConfigShape): Settings {
  const agents = Object.entries(config.agents ?? {}).map(([name, agent]) => agentSpec(name, agent));
  const pipelines = Object.entries(config.pipelines ?? {}).map(([name, steps]) =>
    pipelineOf(name, steps),
  );
  const { command = null, url = null, header, to = null, chat = null } = config.notify;
  const { isolation, autoCommit, branchPrefix, landing } = config.git;
  const { run: runLimits, stall, reset, uncertainty, proof } = policyOf(config);
  return {
    // A name that is the only one there is need not be chosen.
    agent: [config.agent ?? only(agents)?.name ?? BUILT_IN_AGENT.name].flat(),
    agents: withBuiltIn(agents, BUILT_IN_AGENTS),
    model: config.model ?? null,
    bestOf: candidatesOf(config.bestOf),
    prices: pricesOf(config.prices),
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
    questions: askingOf(config.questions),
    notify: {
      command,
      url,
      header: header === undefined ? null : { name: header.name, variable: header.env },
      to,
      chat,
    },
    allowedActions: config.irreversible?.allow ?? [],
    parallel: config.parallel,
    git: { isolation, autoCommit: autoCommit ?? isolation === "worktree", branchPrefix, landing },
    sandbox: sandboxOf(config.sandbox),
    worktree: worktreeOf(config.worktree),
  };
}

/** What is written or read anew from a cache costs as much as any input where the config does not say. */
function pricesOf(written: ConfigShape["prices"] = {}): PriceTable {
  const rows = Object.entries(written).map(([model, price]): [string, Price] => {
    const { input, output, cacheRead = input, cacheWrite = input } = price;
    return [model, { input, output, cacheRead, cacheWrite }];
  });
  return Object.fromEntries(rows);
}

function withBuiltIn<T extends { readonly name: string }>(
  configured: readonly T[],
  builtIn: readonly T[],
): readonly T[] {
  const isConfigured = (one: T): boolean => configured.some(({ name }) => name === one.name);
  return [...configured, ...builtIn.filter((one) => !isConfigured(one))];
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

function namesOf(configured: object | undefined, ...builtIn: readonly string[]): readonly string[] {
  return [...new Set([...Object.keys(configured ?? {}), ...builtIn])];
}
