// What does a run leave for the CI system that started it?

import { appendFileSync, existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { systemCode } from "../../adapters/files/disk.ts";
import { listRuns } from "../../adapters/log/run-files.ts";
import { shortener } from "../../core/model/ids.ts";
import { junitOf } from "../../core/views/junit.ts";
import { type RunView, stoppedView } from "../../core/views/run-view.ts";
import { type Given, usage } from "../command-line/options.ts";
import { type CliIo, isGithubJob, printErr } from "../io.ts";
import { type Shown, twoLines } from "../render/error.ts";
import { annotations } from "../render/github.ts";
import { jobSummary } from "../render/job-summary.ts";
import type { RunPlace } from "./context.ts";

const SUMMARY_BYTES_MAX = 1024 * 1024; // What the host takes of a step.

/** `view` null: nothing was begun. What cannot be written changes nothing in how the run came out. */
export function tellCi(
  begun: RunView | null,
  { exitCode, text }: Shown,
  { root, redact, junit }: Pick<RunPlace, "root" | "redact"> & { readonly junit: string },
  io: CliIo,
): void {
  if (begun === null) return;
  const view = stoppedView(begun);
  write(junit, io, (path) => writeFileSync(path, junitOf(view, exitCode, redact(text))));
  if (!isGithubJob(io)) return;
  for (const line of annotations(view)) io.stderr.write(`${line}\n`);
  const why = `code ${exitCode}, ${redact(text)}`;
  const ended = { view, exitCode, id: shortener(listRuns(root))(view.run), nowMs: Date.now() };
  write(io.env["GITHUB_STEP_SUMMARY"] ?? "", io, (path) => {
    const before = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    appendFileSync(path, jobSummary(ended, why, SUMMARY_BYTES_MAX - before));
  });
}

/** Before anything is spent. */
export function requireJunitFolder({ junit }: Given, { cwd }: CliIo): void {
  if (junit === undefined) return;
  const path = resolve(cwd, junit);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw usage(`--junit ${JSON.stringify(junit)} is a folder`, "name a file");
  if (!existsSync(dirname(path)))
    throw usage(`the folder of --junit ${JSON.stringify(junit)} is not there`, "make it first");
}

function write(named: string, io: CliIo, put: (path: string) => void): void {
  try {
    if (named !== "") put(resolve(io.cwd, named));
  } catch (error) {
    const words = `${JSON.stringify(named)} could not be written (${systemCode(error)})`;
    printErr(io, twoLines(words, "`orch status` shows how the run came out"));
  }
}
