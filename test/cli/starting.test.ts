import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { eachOf } from "../support/each-of.ts";
import { until } from "../support/processes.ts";
import { endsOf, eventsOf, expectSound, expectTwoLines, runIds } from "../support/run-record.ts";
import { COMPLETED, shellAgent, smallProject } from "../support/small-project.ts";
import type { SmallProject } from "../support/small-project.ts";

const RUN = ["run", "task.md"];
const task = (text: string): SmallProject => ({ task: text });
const config = (text: string): SmallProject => ({ files: { ".orchestrator.config.js": text } });
const agent = (spec: string): SmallProject => ({ config: `agent: "a", agents: { a: ${spec} },` });

/** What cannot start, and a word that must be in its two lines. */
const REFUSED: readonly (readonly [SmallProject, args: readonly string[], word: string])[] = [
  [task("---\nagent: [\n---\n# Task\n"), RUN, "task.md"],
  [task("---\ninteractonThreshold: 3\n---\n# Task\n"), RUN, "interactionThreshold"],
  [task("---\nagent: scripted\n# Task\n"), RUN, "task.md"],
  [config('throw new Error("no luck");'), RUN, "no luck"],
  [config("export default {"), RUN, ".orchestrator.config.js"],
  [{ config: 'gate: "none",' }, RUN, "gate"],
  [{}, ["run", "nothing.md"], "nothing.md"],
  [
    { files: { "tasks/docs.md": "# Docs", "docs/a.md": "# A" } },
    ["run", "docs"],
    "`tasks/docs.md`, or the folder `./docs`",
  ],
  [{}, [...RUN, "script.json"], "script.json is not a Markdown file"],
  [agent('{ driver: "command", command: ["no-such-agent"] }'), RUN, "no-such-agent"],
  [agent('{ driver: "script", script: "script.json" }'), RUN, '"command"'],
  [task("---\nagent: clever\n---\n# Task\n"), RUN, 'unknown agent "clever"'],
  [
    { config: 'pipelines: { default: [{ name: "one", prompt: "no-such" }] },' },
    RUN,
    'no prompt template "no-such"',
  ],
  [{}, [...RUN, "--agent", "nope"], 'orch: --agent is "nope"; the config has '],
  [{}, [...RUN, "--pipeline", "nope"], 'orch: --pipeline is "nope"; the config has '],
  [{ git: "no-commits" }, RUN, "commit"],
];

test("what cannot start says why in two lines, ends with 2, and leaves nothing behind", async () => {
  await eachOf(REFUSED, async ([project, args, word]) => {
    const box = smallProject(project);
    const ended = await box.inProcess(args);
    expectTwoLines(ended);
    expect(ended.stderr).toContain(word);
    expect(runIds(box)).toEqual([]);
    if (project.git !== "no-commits") expect(box.git("status", "--porcelain")).toBe("");
  });
});

test("outside git a run works, and says that nothing is measured or kept", async () => {
  const box = smallProject({ git: "none" });
  const { exitCode, stderr } = await box.inProcess(["run", "task.md"]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain("git");
  expect(eventsOf(box, "task-started").map(({ workspace }) => workspace.kind)).toEqual(["plain"]);
  expect(endsOf(box)).toEqual({ task: "done" });
  expectSound(box);
});

test("a bare repository is refused", async () => {
  const box = smallProject();
  box.git("clone", "--quiet", "--bare", ".", "../bare");
  const ended = await box.inProcess(["run", "do it"], { cwd: "../bare" });
  expectTwoLines(ended);
});

test("spaces, quotes and other scripts in the path change nothing, nor does a sub-directory", async () => {
  const box = smallProject({ name: "my 'project' – Größe \"ü\" 日本" });
  box.write("src/deep/x.txt", "x\n");
  box.git("add", "--all");
  box.git("commit", "--quiet", "--message=x");
  expect((await box.inProcess(["run", "../../task.md"], { cwd: "src/deep" })).exitCode).toBe(0);
  expect(box.git("show", "orch/task:good.txt")).toBe("good");
  expect(existsSync(join(box.root, "src/deep/.orch"))).toBe(false);
  expect((await box.inProcess(["status", "--json"], { cwd: "src/deep" })).exitCode).toBe(0);
  expectSound(box);
});

test("two runs work in one repository at the same time, and neither meets the other", async () => {
  const first = "[ -e $BESIDE/first ] || { touch $BESIDE/first; exec sleep 600; }";
  const report = `echo '${JSON.stringify(COMPLETED.report)}' > "$ORCH_REPORT"`;
  const box = smallProject({ config: shellAgent(`${first}; echo good > good.txt; ${report}`) });
  const one = box.start(["run", "task.md", "--json"]);
  await until(() => existsSync(join(box.beside, "first")));
  expect(await box.inProcess(["run", "task.md"])).toMatchObject({ exitCode: 0 });
  one.kill("SIGTERM");
  expect((await one.ended).exitCode).toBe(143);
  expect(await box.inProcess(["resume"])).toMatchObject({ exitCode: 0 });
  for (const branch of ["orch/task", "orch/task-2"])
    expect(box.git("show", `${branch}:good.txt`)).toBe("good");
  expect(box.git("status", "--porcelain")).toBe("");
});

test("without git installed a repository is refused, and a plain folder works", async () => {
  const box = smallProject();
  const bin = join(box.root, "../bin");
  mkdirSync(bin);
  for (const tool of ["awk", "cat", "cut", "grep", "ps", "sed", "sh", "sleep", "test", "tr"])
    execFileSync("/bin/sh", ["-c", `ln -s "$(command -v ${tool})" "${bin}"`]);
  const env = { PATH: bin };
  expectTwoLines(await box.orch(["run", "task.md"], { env }));
  rmSync(join(box.root, ".git"), { recursive: true });
  expect((await box.orch(["run", "task.md"], { env })).exitCode).toBe(0);
});
