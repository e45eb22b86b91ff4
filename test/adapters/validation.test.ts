import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { validateProject } from "../../src/adapters/project/validation.ts";
import { validationForPrograms, validationLines } from "../../src/cli/commands/validate.ts";
import { makeProject } from "../support/project.ts";
import { smallProject } from "../support/small-project.ts";

const CONFIG = ".orchestrator.config.mjs";
const GATES = 'gates: { test: { run: "make test" } }';

/** A PATH on which Claude Code is installed, and nothing else. */
function path(): string {
  const bin = makeProject({ claude: "#!/bin/sh\n" });
  chmodSync(join(bin, "claude"), 0o755);
  return bin;
}

function validation(
  files: Readonly<Record<string, string>>,
  paths: readonly string[] = [],
  programs = path(),
) {
  return validateProject({
    cwd: makeProject(files),
    paths,
    environmentLevel: null,
    env: { PATH: programs },
  });
}

async function problems(
  files: Readonly<Record<string, string>>,
  paths: readonly string[] = [],
): Promise<readonly string[]> {
  const result = await validation(files, paths);
  return result.problems.map(
    ({ where, message, suggestion }) => `${where}: ${message} | ${suggestion}`,
  );
}

describe("orch validate finds nothing wrong", () => {
  test("in a good project, and says what it looked at", async () => {
    const result = await validation({
      [CONFIG]: `export default { ${GATES} };`,
      "src/auth/a.ts": "",
      "tasks/a.md": "---\nscope: [src/auth/**, src/new/**]\n---\n# A",
      "tasks/b.md": "---\ndependsOn: [a]\n---\n# B",
    });
    expect(validationForPrograms(result)).toEqual({
      ok: true,
      config: CONFIG,
      tasks: [
        {
          id: "a",
          title: "A",
          file: "tasks/a.md",
          pipeline: "default",
          steps: ["implement"],
          dependsOn: [],
        },
        {
          id: "b",
          title: "B",
          file: "tasks/b.md",
          pipeline: "default",
          steps: ["implement"],
          dependsOn: ["a"],
        },
      ],
      problems: [],
      notes: [],
    });
    expect(validationLines(result)).toEqual([`${CONFIG} and 2 tasks are in order`]);
  });

  test("where there is no task yet", async () => {
    expect(await problems({ [CONFIG]: `export default { ${GATES} };` })).toEqual([]);
  });
});

describe("orch validate names", () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["a missing config", {}, ["config-missing"]],
    [
      "a config that throws",
      { [CONFIG]: "throw new Error('x');" },
      ["config-threw: .orchestrator.config.mjs:1 threw Error: x"],
    ],
    [
      "a config that would prove no task, where there is none yet",
      { [CONFIG]: "export default {};" },
      [`${CONFIG}: no gate is configured, so nothing would prove a task | add one under "gates"`],
    ],
    [
      "every mistake of the config, before tasks are held to it",
      {
        [CONFIG]:
          'export default { modle: 1, interactionThreshold: 2.5, gates: { test: { rn: "make" } } };',
        "tasks/a.md": "---\ngates: [test, tst]\npipelin: p\n---\n# A",
      },
      [
        `${CONFIG}: interactionThreshold`,
        `${CONFIG}: gates.test.run: is missing`,
        `${CONFIG}: gates.test: unknown key "rn" (did you mean "run"?)`,
        `${CONFIG}: unknown key "modle" (did you mean "model"?)`,
      ],
    ],
    [
      "a task's unknown gate",
      { [CONFIG]: `export default { ${GATES} };`, "tasks/a.md": "---\ngates: [tst]\n---\n# A" },
      ['tasks/a.md: unknown gate "tst" | did you mean "test"?'],
    ],
    [
      "a missing prompt template",
      {
        [CONFIG]: `export default { ${GATES},\n  pipelines: { p: [\n    { name: "a", prompt: "implemnt" }] } };`,
      },
      [
        `${CONFIG}: there is no prompt template "implemnt": neither prompts/implemnt.md nor a built-in one | did you mean "implement"?`,
      ],
    ],
    [
      "an agent that is not installed",
      {
        [CONFIG]: `export default { ${GATES},\n  agents: { a: { driver: "command", command: ["no-such-agent", "--go"] } } };`,
      },
      [
        `${CONFIG}: the agent "a" needs the program "no-such-agent", which is not installed or not in PATH | install it`,
      ],
    ],
    [
      "tasks that nothing proves",
      { [CONFIG]: "export default {};", "tasks/a.md": "A" },
      ['tasks/a.md: nothing would prove step "implement": no gate is configured'],
    ],
  ])("%s", async (_name, files, expected) => {
    const lines = await problems(files);
    expect(lines.length).toBe(expected.length);
    for (const [index, start] of expected.entries()) expect(lines[index]).toContain(start);
  });

  test("what is wrong in config and tasks in one go", async () => {
    const lines = await problems({
      [CONFIG]: `export default { ${GATES}, agent: "s",\n agents: { s: { driver: "command", command: ["no-such-agent"] } } };`,
      "tasks/a.md": "---\nx: 1\n---\nA",
      "tasks/b.md": "---\npipeline: nope\n---\nB",
    });
    expect(lines.map((each) => each.split(": ")[0])).toEqual([CONFIG, "tasks/a.md", "tasks/b.md"]);
  });

  test("only the agents that would be used", async () => {
    const text = `export default { ${GATES}, agent: "claude-code", agents: { a: { driver: "command", command: ["no-such-agent"] } } };`;
    expect(await problems({ [CONFIG]: text })).toEqual([]);
    expect((await problems({ [CONFIG]: text, "tasks/a.md": "---\nagent: a\n---\nA" })).length).toBe(
      1,
    );
  });

  test("Claude Code where it is not installed", async () => {
    const { problems: faults } = await validation(
      { [CONFIG]: `export default { ${GATES} };` },
      [],
      "",
    );
    expect(faults.map(({ message }) => message)).toEqual([
      'the agent "claude-code" needs the program "claude", which is not installed or not in PATH',
    ]);
  });

  test("a path that leads nowhere, with the one that was meant", async () => {
    const files = { [CONFIG]: `export default { ${GATES} };`, "tasks/a.md": "A" };
    const result = await validation(files, ["tasks/b.md", "tasks/a.md"]);
    expect(result.problems.map(({ message, suggestion }) => [message, suggestion])).toEqual([
      ['there is no task file or folder "tasks/b.md"', expect.stringContaining("check the path")],
    ]);
  });
});

test("a file's name cannot colour or clear the screen", async () => {
  const result = await validation({
    [CONFIG]: `export default { ${GATES} };`,
    "tasks/a\u001b[31mb.md": "",
  });
  expect(validationLines(result)).toEqual([
    "tasks/ab.md: the task has no text",
    "  hint: say what must be true when it is done",
    "1 problem",
  ]);
});

test("a file that a gate asks for and git ignores is a problem, but where gates run in the tree", async () => {
  const gate = 'gates: { made: { fileExists: "out/r.txt" } },';
  for (const [config, messages] of [
    [gate, ["git ignores out/r.txt, so no commit has it for `fileExists`"]],
    [`${gate} proof: { place: "tree" },`, []],
  ] as const) {
    const box = smallProject({ config, files: { ".gitignore": "out/\n" } });
    const { stdout } = await box.inProcess(["validate", "task.md", "--json"]);
    const { problems: told } = JSON.parse(stdout);
    expect(told.map(({ message }: { message: string }) => message)).toEqual(messages);
  }
});
