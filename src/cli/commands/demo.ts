// What does orch do, shown on a small real package without paying for an agent?

import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runProgram } from "../../adapters/process/run-program.ts";
import { gateEnvironment } from "../../adapters/environment.ts";
import { systemCode, writeFailure } from "../../adapters/files/disk.ts";
import { packageFolder } from "../../adapters/project/package-folder.ts";
import { OrchError } from "../../errors.ts";
import { isInteractive, printErr, printOut, styleOf, type CliIo } from "../io.ts";
import type { Command } from "../command-line/options.ts";
import { paint, paragraph, table } from "../layout.ts";
import { runCommand } from "./run.ts";

const ANSWERS = "answers.json";

/** One task of the demo is meant to end blocked, and that is the run's exit code. */
const EXPECTED_EXIT = 3;

/** Real processes, real git, real gates; only the agent is scripted, and that is said first. */
export const demoCommand: Command = async (_args, given, io) => {
  const folder = await makeRepository(io);
  const style = styleOf(io, "stderr");
  const say = (text: string): void => printErr(io, paragraph(style, text));
  if (given.quiet !== true) for (const line of [...INTRODUCTION, ""]) say(line);
  // Without a terminal the demo answers from its own file.
  const answers = isInteractive(io) ? {} : { answers: ANSWERS };
  const exitCode = await runCommand(["tasks"], { ...given, ...answers }, { ...io, cwd: folder });
  const laid = styleOf(io, "stdout");
  const last = [
    paragraph(laid, ABOUT_EXIT),
    "Look around:",
    `  cd ${folder}`,
    ...table(laid, LOOK_AT, { indent: "  " }),
  ];
  if (given.json !== true)
    printOut(io, `\n${last.map((line) => paint(laid, "quiet", line)).join("\n")}`);
  return exitCode === EXPECTED_EXIT ? 0 : exitCode;
};

const INTRODUCTION = [
  "A demonstration. The agent is scripted: it plays a fixed part and costs nothing. Everything else is real: the repository, the processes, the checks, the commits.",
  "Three tasks: one needs two attempts, one asks a question, one runs into something that only a person can solve.",
] as const;

const ABOUT_EXIT =
  "Exit code 3 is part of the demonstration: the last task needs a token that only a person has.";

const LOOK_AT = [
  ["git log --oneline --branches --graph", "what was committed, task by task"],
  ["orch show", "attempts, checks, questions and answers"],
  ["orch explain --all 01-fix-slug", "why the first attempt was not believed"],
  ["ls .orch/runs/*/attempts", "prompts, logs, reports, diffs"],
] as const;

async function makeRepository({ env }: CliIo): Promise<string> {
  const folder = madeFolder();
  const inherited = Object.entries(gateEnvironment(env));
  const ownGit = Object.fromEntries(inherited.filter(([name]) => !name.startsWith("GIT_")));
  for (const args of GIT_STEPS) {
    const made = await runProgram("git", args, { cwd: folder, env: ownGit, timeoutMs: 30_000 });
    if (made.exitCode === 0) continue;
    rmSync(folder, { recursive: true, force: true });
    throw new OrchError(
      "git-failed",
      `the demo needs git, and \`git ${args.join(" ")}\` failed: ${made.missing ? "git is not installed" : made.stderr.trim()}`,
      "install git 2.38 or newer, then try again",
    );
  }
  return folder;
}

/** A copy of the demo's files, in the folder for temporary files. */
function madeFolder(): string {
  const within = tmpdir();
  try {
    const folder = mkdtempSync(join(within, "orch-demo-"));
    cpSync(join(packageFolder(), "templates/demo"), folder, { recursive: true });
    renameSync(join(folder, "config.js"), join(folder, ".orchestrator.config.js"));
    return folder;
  } catch (error) {
    throw systemCode(error) === "" ? error : writeFailure(within, error);
  }
}

const GIT_STEPS: readonly (readonly string[])[] = [
  ["init", "--quiet", "--initial-branch=main"],
  ["config", "user.name", "orch demo"],
  ["config", "user.email", "demo@localhost"],
  ["add", "--all"],
  ["commit", "--quiet", "--no-verify", "--message", "A small package with failing tests"],
];
