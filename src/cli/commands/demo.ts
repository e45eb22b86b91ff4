// What does orch do, shown on a small real package without paying for an agent?

import { cpSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { capture } from "../../adapters/process/capture.ts";
import { systemCode } from "../../adapters/files/disk.ts";
import { demoFolder } from "../../adapters/project/templates.ts";
import { OrchError } from "../../errors.ts";
import { entry } from "../context.ts";
import { isInteractive, printErr, printOut, styleOf, type CliIo } from "../io.ts";
import { type Given, isOn } from "../options.ts";
import { paint, paragraph } from "../layout.ts";
import { runCommand } from "./run.ts";

const ANSWERS = "answers.json";

/** One task of the demo is meant to end blocked, and that is the run's exit code. */
const EXPECTED_EXIT = 3;

/** Real processes, real git, real gates; only the agent is scripted, and that is said first. */
export async function demoCommand(
  _args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const folder = await makeRepository(io);
  const style = styleOf(io, "stderr");
  const say = (text: string): void => printErr(io, paragraph(style, text));
  if (!isOn(given, "quiet")) for (const line of [...INTRODUCTION, ""]) say(line);
  // Without a terminal the demo answers from its own file.
  const answers = isInteractive(io) ? {} : { answers: ANSWERS };
  const exitCode = await runCommand(["tasks"], { ...given, ...answers }, { ...io, cwd: folder });
  if (isOn(given, "json")) return exitCode === EXPECTED_EXIT ? 0 : exitCode;
  printOut(io, "");
  const laid = styleOf(io, "stdout");
  printOut(io, paragraph(laid, ABOUT_EXIT, { tone: "quiet" }));
  for (const line of pointers(folder, io)) printOut(io, paint(laid, "quiet", line));
  return exitCode === EXPECTED_EXIT ? 0 : exitCode;
}

const INTRODUCTION = [
  "A demonstration. The agent is scripted: it plays a fixed part and costs nothing. Everything else is real: the repository, the processes, the checks, the commits.",
  "Three tasks: one needs two attempts, one asks a question, one runs into something that only a person can solve.",
] as const;

const ABOUT_EXIT =
  "Exit code 3 is part of the demonstration: the last task needs a token that only a person has.";

function pointers(folder: string, { env }: CliIo): readonly string[] {
  // Started by npm from a clone, the program is in no PATH.
  const alias =
    env["npm_lifecycle_event"] === undefined ? [] : [`  alias orch='node ${entry("cli")}'`];
  return [
    "Look around:",
    ...alias,
    `  cd ${folder}`,
    "  git log --oneline --all --graph      what was committed, task by task",
    "  orch show                            attempts, checks, questions and answers",
    "  orch explain --all 01-mend-slug      why the first attempt was not believed",
    "  ls .orch/runs/*/attempts             prompts, logs, reports, diffs",
  ];
}

async function makeRepository({ env }: CliIo): Promise<string> {
  const folder = madeFolder();
  for (const args of GIT_STEPS) {
    const made = await capture("git", args, {
      cwd: folder,
      env: gitEnvironment(env),
      timeoutMs: 30_000,
      bytesMax: 64_000,
    });
    if (made.exitCode === 0) continue;
    rmSync(folder, { recursive: true, force: true });
    throw new OrchError(
      "git-failed",
      `the demo needs git, and \`git ${args.join(" ")}\` failed: ${made.missing ? "git is not installed" : made.stderr.trim()}`,
      "install git 2.30 or newer, then try again",
    );
  }
  return folder;
}

/** A copy of the demo's files, in the folder for temporary files. */
function madeFolder(): string {
  const within = tmpdir();
  try {
    const folder = mkdtempSync(join(within, "orch-demo-"));
    cpSync(demoFolder(), folder, { recursive: true });
    renameSync(join(folder, "config.js"), join(folder, ".orchestrator.config.js"));
    return folder;
  } catch (error) {
    const code = systemCode(error);
    if (code === "") throw error;
    throw new OrchError(
      code === "ENOSPC" || code === "EDQUOT" ? "disk-full" : "unsafe-folder",
      `the demo cannot make its folder in ${JSON.stringify(within)}: ${WHY[code] ?? code}`,
      "let TMPDIR name a folder that this user may write to, with some space left",
      { cause: error },
    );
  }
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "it is not a folder",
  EACCES: "permission denied",
  EROFS: "it is read-only",
  ENOSPC: "no space left",
  EDQUOT: "no space left",
};

const GIT_STEPS: readonly (readonly string[])[] = [
  ["init", "--quiet", "--initial-branch=main"],
  ["config", "user.name", "orch demo"],
  ["config", "user.email", "demo@localhost"],
  ["add", "--all"],
  ["commit", "--quiet", "--no-verify", "--message", "A small package with failing tests"],
];

function gitEnvironment(env: CliIo["env"]): Record<string, string> {
  const inherited = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || name.startsWith("GIT_") ? [] : [[name, value]],
  );
  return Object.fromEntries(inherited);
}
