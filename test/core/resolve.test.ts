import { BUILT_IN_AGENTS } from "../../src/schema/config-agents.ts";
import { describe, expect, test } from "vitest";

import { findCycle, matchDependency } from "../../src/adapters/project/task-source.ts";
import { idOf, type StepId, type TaskId } from "../../src/core/model/ids.ts";
import { type Level, DEFAULT_LIMITS } from "../../src/core/model/policy.ts";
import { atLevel, resolveLimits, resolveTask } from "../../src/core/run/resolve.ts";
import type { Layers, TaskDraft } from "../../src/core/run/resolve.ts";
import {
  NO_OVERRIDES,
  NO_TASK_SETTINGS,
  type LimitChoice,
  type Settings,
  type StepSettings,
  type TaskSettings,
} from "../../src/core/model/settings.ts";
import type { GateSpec, Step, Task } from "../../src/core/model/task.ts";
import { commandGate, stepSettings } from "../support/builders.ts";
import { defaultSettings } from "../../src/schema/config.ts";

const TEST = commandGate("test");
const LINT = commandGate("lint");

interface Case {
  readonly flags?: Partial<Layers["flags"]>;
  readonly environmentLevel?: Level | null;
  readonly task?: Partial<TaskSettings>;
  readonly step?: Partial<StepSettings>;
  readonly settings?: Partial<Settings>;
}

function pipelinesOf({ step }: Case): Settings["pipelines"] {
  return [
    { name: "default", steps: [stepSettings(step)] },
    { name: "two", steps: [stepSettings(), stepSettings({ id: idOf<StepId>("two") })] },
  ];
}

function resolution(the: Case) {
  const draft: TaskDraft = {
    id: idOf<TaskId>("t"),
    title: "T",
    body: "Do it.",
    source: { kind: "words" },
    contest: null,
    context: [],
    settings: { ...NO_TASK_SETTINGS, ...the.task },
    dependsOn: [],
  };
  const other = {
    name: "other",
    driver: "command",
    command: ["x"],
    promptVia: "stdin",
    prints: "text",
    model: "own",
    env: {},
  } as const;
  const standard = defaultSettings();
  const settings: Settings = {
    ...standard,
    gates: [TEST, LINT],
    agents: [...standard.agents, other],
    pipelines: pipelinesOf(the),
    ...the.settings,
  };
  const flags = { ...NO_OVERRIDES, ...the.flags };
  return resolveTask(draft, { flags, environmentLevel: the.environmentLevel ?? null, settings });
}

function resolved(the: Case): Task {
  const result = resolution(the);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.task;
}

function first(the: Case): Step {
  const [only] = resolved(the).steps;
  if (only === undefined) throw new Error("a task without steps");
  return only;
}

describe("the interaction threshold", () => {
  /** From the strongest to the weakest; each says another level. */
  const layers = {
    flag: { flags: { level: 5 } },
    environment: { environmentLevel: 4 },
    task: { task: { level: 3 } },
    step: { step: { level: 2 } },
    config: { settings: { level: 1 } },
    default: {},
  } as const satisfies Record<string, Case>;
  const levels = { flag: 5, environment: 4, task: 3, step: 2, config: 1, default: 0 } as const;
  const names = ["flag", "environment", "task", "step", "config", "default"] as const;
  const pairs = names.flatMap((strong, index) =>
    names.slice(index + 1).map((weak) => [strong, weak, levels[strong]] as const),
  );

  test.each(pairs)("of the %s beats that of the %s: %d", (strong, weak, level) => {
    expect(first({ ...layers[weak], ...layers[strong] }).level).toBe(level);
  });

  test.each([0, 1, 2, 3, 4, 5] as const)(
    "changed to %d in the middle of a run is the task as if it had begun there",
    (level) => {
      for (const confirm of [null, true, false])
        for (const taskLevel of [0, 2, 5] as const) {
          const the: Case = { task: { level: taskLevel, pipeline: "two" }, step: { confirm } };
          const begun = resolved(the);
          const all = { ...defaultSettings(), pipelines: pipelinesOf(the) };
          expect(atLevel(begun, level, all)).toEqual(resolved({ ...the, flags: { level } }));
        }
    },
  );
});

describe("the agent and its model", () => {
  test.each<[string, Case, string, string | null]>([
    ["come from the config", { settings: { model: "m" } }, "claude-code", "m"],
    [
      "come from the step before the config",
      { step: { agent: ["other"], model: "s" }, settings: { model: "m" } },
      "other",
      "s",
    ],
    [
      "come from the task before the step",
      { task: { agent: ["other"], model: "t" }, step: { agent: ["claude-code"], model: "s" } },
      "other",
      "t",
    ],
    [
      "come from the flag before all",
      { flags: { agent: ["other"], model: "f" }, task: { agent: ["claude-code"], model: "t" } },
      "other",
      "f",
    ],
    [
      "belong together before the config's model is asked",
      { step: { agent: ["other"] }, settings: { model: "m" } },
      "other",
      "own",
    ],
    ["are the agent's default where nobody names a model", {}, "claude-code", null],
  ])("%s", (_name, the, agent, model) => {
    const { agent: usedAgent, model: usedModel } = first(the);
    expect([usedAgent, usedModel]).toEqual([agent, model]);
  });

  test("that does not exist is named with those that do", () => {
    expect(resolution({ task: { agent: ["othr"] } })).toEqual({
      ok: false,
      problems: [
        {
          message: 'unknown agent "othr"',
          name: { given: "othr", existing: [...BUILT_IN_AGENTS.map(({ name }) => name), "other"] },
        },
      ],
    });
  });
});

describe("the gates of a step", () => {
  const these = (...gates: readonly (string | GateSpec)[]) => ({ kind: "these", gates }) as const;
  const none = { kind: "none" } as const;
  test.each<[string, Case, Step["gates"]]>([
    ["are all configured ones where nobody chooses", {}, { kind: "gates", gates: [TEST, LINT] }],
    [
      "are the task's where the step names none",
      { task: { gates: these("lint") } },
      { kind: "gates", gates: [LINT] },
    ],
    [
      "are its own before the task's",
      { step: { gates: these("test") }, task: { gates: these("lint") } },
      { kind: "gates", gates: [TEST] },
    ],
    [
      "may be written in place",
      { step: { gates: these(commandGate("x"), "lint") } },
      { kind: "gates", gates: [commandGate("x"), LINT] },
    ],
    [
      "are none where the step says so",
      { step: { gates: none }, task: { gates: these("lint") } },
      none,
    ],
    ["are none where the config says so", { settings: { gates: "none" } }, none],
  ])("%s", (_name, the, gates) => {
    expect(first(the).gates).toEqual(gates);
  });

  test("of the last step are those that must pass in any step, and its own", () => {
    const red: GateSpec = { ...commandGate("red"), expect: "fail" };
    const file: GateSpec = { kind: "file-exists", name: "page", path: "page.md", required: true };
    const steps = [
      stepSettings({ gates: these(TEST, red, file, commandGate("slow", { required: false })) }),
      stepSettings({ id: idOf<StepId>("two"), gates: none }),
    ];
    const pipelines = [{ name: "default", steps }];
    expect(resolved({ settings: { pipelines } }).steps.at(-1)?.gates).toEqual({
      kind: "gates",
      gates: [TEST],
    });
  });

  test.each<[string, Case, string]>([
    [
      "none is configured",
      { settings: { gates: [] } },
      'nothing would prove step "one": no gate is configured; add a gate, or say gates: "none"',
    ],
    [
      "none of them is required",
      { settings: { gates: [commandGate("x", { required: false })] } },
      'nothing would prove step "one": none of its gates is required; add a gate, or say gates: "none"',
    ],
    ["a name is unknown", { task: { gates: these("tset") } }, 'unknown gate "tset"'],
    [
      "the config has none by choice, and the task names one",
      { settings: { gates: "none" }, task: { gates: these("test") } },
      'unknown gate "test"',
    ],
  ])("are a problem where %s", (_name, the, message) => {
    const result = resolution(the);
    expect(result.ok ? [] : result.problems.map((each) => each.message)).toEqual([message]);
  });
});

describe("the pipeline", () => {
  test.each<[string, Case, string]>([
    ["comes from the config", { settings: { defaultPipeline: "two" } }, "two"],
    ["comes from the task before the config", { task: { pipeline: "two" } }, "two"],
    [
      "comes from the flag before the task",
      { flags: { pipeline: "default" }, task: { pipeline: "two" } },
      "default",
    ],
  ])("%s", (_name, the, pipeline) => {
    expect(resolved(the).pipeline).toBe(pipeline);
  });

  test("that does not exist is named with those that do", () => {
    const result = resolution({ task: { pipeline: "tow" } });
    expect(result.ok ? [] : result.problems).toEqual([
      {
        message: 'unknown pipeline "tow"',
        name: { given: "tow", existing: ["default", "two"] },
      },
    ]);
  });
});

describe("the limits", () => {
  test.each<[string, readonly LimitChoice[], LimitChoice]>([
    ["are the defaults where nobody chooses", [], {}],
    [
      "of a stronger layer replace only what it names",
      [{ costUsd: 1, turns: 9 }, { costUsd: 2 }],
      { costUsd: 2, turns: 9 },
    ],
    ["may be lifted", [{ costUsd: 1 }, { costUsd: null }], { costUsd: null }],
    [
      "mean what they say: two attempts are two, with progress too",
      [{ attempts: 2 }],
      { attempts: 2, attemptsWithProgress: 2 },
    ],
    [
      "never allow fewer attempts with progress than without",
      [{ attemptsWithProgress: 1 }],
      { attempts: 3, attemptsWithProgress: 3 },
    ],
  ])("%s", (_name, layers, changes) => {
    expect(resolveLimits(...layers)).toEqual({ ...DEFAULT_LIMITS, ...changes });
  });

  test("come from flag, task, step and config, in that order", () => {
    const config = { settings: { limits: { attempts: 1, costUsd: 1 } } } as const;
    const the = { ...config, step: { attempts: 2 } } as const;
    expect(first(config).limits.attempts).toBe(1);
    expect(first(the).limits.attempts).toBe(2);
    expect(first({ ...the, task: { limits: { attempts: 3 } } }).limits.attempts).toBe(3);
    expect(
      first({ ...the, task: { limits: { attempts: 3 } }, flags: { limits: { attempts: 4 } } })
        .limits.attempts,
    ).toBe(4);
    expect(first(the).limits.costUsd).toBe(1);
  });
});

describe("a dependency", () => {
  const ids = ["01-schema", "02-api", "api", "readme"].map((id) => idOf<TaskId>(id));
  test.each([
    ["by id", "01-schema", "01-schema"],
    ["by file name", "01-schema.md", "01-schema"],
    ["by path", "tasks/01-schema.md", "01-schema"],
    ["in another case", "README.md", "readme"],
    ["without its number", "schema", null],
    ["of no name", "", null],
  ])("is found %s", (_name, written, id) => {
    expect(matchDependency(written, ids)).toBe(id);
  });
});

describe("a cycle of dependencies", () => {
  const tasks = (graph: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(graph).map(([id, on]) => ({
      id: idOf<TaskId>(id),
      dependsOn: on.map((each) => idOf<TaskId>(each)),
    }));
  test.each<[string, Readonly<Record<string, readonly string[]>>, readonly string[] | null]>([
    ["is not there in a chain", { a: ["b"], b: ["c"], c: [] }, null],
    ["is not there in a diamond", { a: ["b", "c"], b: ["d"], c: ["d"], d: [] }, null],
    ["is a task that waits for itself", { a: ["a"] }, ["a", "a"]],
    ["is named as a path", { a: ["b"], b: ["c"], c: ["a"] }, ["a", "b", "c", "a"]],
    ["is no matter of tasks that are not there", { a: ["gone"] }, null],
  ])("%s", (_name, graph, cycle) => {
    expect(findCycle(tasks(graph))).toEqual(cycle);
  });
});

describe("the step whose plan is confirmed", () => {
  const step = (name: string, confirm: boolean | null = null) =>
    stepSettings({ id: idOf<StepId>(name), prompt: { kind: "template", name }, confirm });
  const confirmed = (level: Level, ...steps: readonly StepSettings[]) =>
    resolved({ settings: { level, pipelines: [{ name: "default", steps }] } }).steps.flatMap(
      ({ id, confirms }) => (confirms ? [id] : []),
    );

  test.each<[string, Level, readonly StepSettings[], readonly string[]]>([
    ["is none below level 5", 4, [step("work")], []],
    ["is the first at level 5", 5, [step("work"), step("review")], ["work"]],
    ["is the one that plans, where one does", 5, [step("work"), step("plan")], ["plan"]],
    ["is whatever says so, at any level", 1, [step("work"), step("review", true)], ["review"]],
    ["is not what says no", 5, [step("work", false), step("review")], []],
  ])("%s", (_name, level, steps, ids) => {
    expect(confirmed(level, ...steps)).toEqual(ids);
  });
});
