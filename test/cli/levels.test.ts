import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { orch, type RunOptions } from "../support/run-orch.ts";
import { emptyProject } from "../support/run-files.ts";
import { expectWidth } from "../support/seen.ts";

interface Said {
  readonly config?: number;
  readonly step?: number;
  readonly task?: number;
}

/** A project in which these places say a level; `task.md` is there, whether it says one or not. */
function project({ config, step, task }: Said = {}): string {
  const root = emptyProject();
  const threshold = (level?: number): string =>
    level === undefined ? "" : `interactionThreshold: ${level},`;
  writeFileSync(
    join(root, ".orchestrator.config.js"),
    `export default {
  ${threshold(config)}
  gates: "none",
  pipelines: { default: [
    { name: "one", prompt: "self", ${threshold(step)} },
    { name: "two", prompt: "self" },
  ] },
};\n`,
  );
  const front = task === undefined ? "" : `---\ninteractionThreshold: ${task}\n---\n`;
  writeFileSync(join(root, "task.md"), `${front}# Task\n\nDo it.\n`);
  return root;
}

interface Here {
  readonly task: string | null;
  readonly step: string;
  readonly level: number;
  readonly source: Readonly<Record<string, unknown>>;
}

async function here(
  cwd: string,
  args: readonly string[] = [],
  env: RunOptions["env"] = {},
): Promise<readonly Here[]> {
  const ran = await orch(["run", "--explain-level", "--json", ...args], { cwd, env });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
  return JSON.parse(ran.stdout).here;
}

interface Given {
  readonly args?: readonly string[];
  readonly env?: RunOptions["env"];
}

const SET: Given = { env: { ORCH_INTERACTION_THRESHOLD: "4" } };
const LONG_ZERO = ["--interaction-threshold", "0"];
const TASK = ["task.md"];

describe("the level that counts, and who says so:", () => {
  test.each<[string, Said, Given, readonly [level: number, kind: string]]>([
    ["a flag over the environment", {}, { args: ["--threshold", "5"], ...SET }, [5, "flag"]],
    ["a flag over the config, by its long name", { config: 1 }, { args: LONG_ZERO }, [0, "flag"]],
    ["the environment over the task", { task: 3 }, { args: TASK, ...SET }, [4, "environment"]],
    ["the task over the step", { task: 3, step: 2 }, { args: TASK }, [3, "task"]],
    ["the step over the config", { step: 2, config: 1 }, { args: TASK }, [2, "step"]],
    ["the config over the default", { config: 1 }, {}, [1, "config"]],
    ["the default", {}, {}, [0, "default"]],
  ])("%s", async (_name, said, { args, env }, [level, kind]) => {
    const [first] = await here(project(said), args, env);
    expect(first).toMatchObject({ step: "one", level, source: { kind } });
  });

  test("each task of a folder is told", async () => {
    const root = project({ config: 1 });
    mkdirSync(join(root, "more"));
    writeFileSync(join(root, "more/a.md"), "---\ninteractionThreshold: 5\n---\n# A\n\nDo it.\n");
    writeFileSync(join(root, "more/b.md"), "# B\n\nDo it.\n");
    const told = await here(root, ["more"]);
    expect(told.map(({ task, step, level }) => [task, step, level])).toEqual([
      ["a", "one", 5],
      ["a", "two", 5],
      ["b", "one", 1],
      ["b", "two", 1],
    ]);
  });

  test("words are a task that says nothing, and without a config the default counts", async () => {
    const told = await here(emptyProject(), ["make", "the", "test", "pass"]);
    expect(told.map(({ level, source }) => [level, source])).toEqual([[0, { kind: "default" }]]);
  });
});

describe("the table", () => {
  test.each([80, 40])(
    "of all levels fits %d columns and marks the one that counts",
    async (columns) => {
      const cwd = project({ step: 2, config: 3 });
      const { stdout, exitCode } = await orch(["run", "--explain-level"], { cwd, columns });
      expect(exitCode).toBe(0);
      expectWidth(stdout, columns);
      expect(stdout.match(/▸ (?:level )?\d/g)?.map((mark) => mark.at(-1))).toEqual(["2", "3"]);
      const words = stdout.replace(/\s+/g, " ");
      expect(words).toContain("level 2 counts in step one (step one, .orchestrator.config.js:5)");
      expect(words).toContain("level 3 counts in step two (.orchestrator.config.js:2)");
      expect(words).toContain("+ contradictions");
    },
  );

  test("for programs has a row for each level", async () => {
    const { stdout } = await orch(["run", "--explain-level", "--json"], { cwd: project() });
    expect(JSON.parse(stdout).levels).toMatchObject([
      { level: 0, pausesFrom: null, questions: [], hardBlocker: false, irreversible: false },
      { level: 1, pausesFrom: 10, givingUp: false, limit: false },
      { level: 2, pausesFrom: 8, givingUp: true, limit: true },
      { level: 3, pausesFrom: 5 },
      { level: 4, pausesFrom: 4, plan: false },
      { level: 5, pausesFrom: 3, plan: true },
    ]);
  });
});

test("nothing is started, and what cannot be read is refused in two lines", async () => {
  const cwd = project();
  const refused: readonly (readonly [readonly string[], RunOptions["env"]])[] = [
    [["--threshold", "6"], {}],
    [["--pipeline", "none"], {}],
    [["tasks/none.md"], {}],
    [[], { ORCH_INTERACTION_THRESHOLD: "high" }],
  ];
  for (const [args, env] of refused) {
    const ran = await orch(["run", "--explain-level", ...args], { cwd, env: env ?? {} });
    expect(ran).toMatchObject({ exitCode: 2, stdout: "" });
    expect(ran.stderr).toMatch(/^orch: .+\nhint: .+\n$/);
  }
  const { stdout } = await orch(["list"], { cwd });
  expect(stdout).toBe("");
});
