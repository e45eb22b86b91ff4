// Which earlier run measured a gate on the commit that a task begins with?

import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";

import { writeCopyAtomic } from "../files/atomic-file.ts";
import { readSmallFile } from "../files/small-file.ts";
import { orchFolder, runFiles } from "./run-files.ts";
import { digestOf, idFrom, type RunId } from "../../core/model/ids.ts";
import { isObject, jsonIn } from "../../core/model/json.ts";
import { checksOf, NO_WORDS, specOf, type MeasuredOn } from "../../core/model/measurement.ts";
import type { WorktreeSettings } from "../../core/model/settings.ts";
import type { GateSpec } from "../../core/model/task.ts";
import { isNamedRed } from "../../core/run/wanted.ts";
import type { BaseIndex } from "../../engine/ports.ts";
import { parseEventLine } from "../../schema/event-line.ts";

export interface BaseIndexDeps {
  /** The user's checkout. */
  readonly root: string;
  readonly run: RunId;
  /** The version of orch, which reads what gates say. */
  readonly orch: string;
  /** Of every gate. */
  readonly environment: Readonly<Record<string, string>>;
  /** By which a place gets what no commit holds. */
  readonly worktree: WorktreeSettings;
  /** Which files of a commit it gets; null: all. */
  readonly patterns: () => string | null;
}

const TRIAL = "trial";
const LINE_BYTES_MAX = 4 * 1024;
const LOG_BYTES_MAX = 256 * 1024 * 1024;

/** What changes from run to run and from window to window, and hardly ever what checks find. */
const PASSING =
  /^(?:_|PWD|OLDPWD|SHLVL|COLUMNS|LINES|WINDOWID|TMPDIR|INIT_CWD|TERM\w*|INVOCATION_ID|LS_COLORS|PS\d)$|^(?:ORCH|XDG_SESSION|SSH|DBUS|TMUX|VSCODE|npm|GITHUB|RUNNER|CI_JOB)_|_PID$/;
/** What package managers write anew when they installed something. */
const INSTALLED =
  "node_modules/.package-lock.json node_modules/.yarn-integrity node_modules/.modules.yaml vendor/composer/installed.json .venv/lib vendor/bundle";

/**
 * A file for each gate, commit and environment says in which run's log the measurement stands. All of it may
 * be deleted. What is green, or red by the names of its checks, counts; anything else is measured again.
 */
export function createBaseIndex(deps: BaseIndexDeps): BaseIndex {
  const { root, run, orch, environment } = deps;
  const folder = join(orchFolder(root), "cache", "base");
  const { setup, prepare, include } = deps.worktree;
  const fileFor = (gate: GateSpec, of: string): string => {
    const all = Object.entries(environment).filter(([name]) => !PASSING.test(name));
    const variables = all.toSorted(([a], [b]) => (a < b ? -1 : 1));
    const installed = INSTALLED.split(" ").map((path) => changedAt(join(root, path)));
    const filled = [installed, setup, prepare, include, deps.patterns()];
    return join(folder, digestOf(JSON.stringify([orch, of, specOf(gate), variables, ...filled])));
  };
  return {
    find: (gate, of) =>
      Promise.resolve(foundAt(fileFor(gate, of), root, of.startsWith(TRIAL) ? TRIAL : "base")),
    note: (gate, of, seq) => {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeCopyAtomic(fileFor(gate, of), `${JSON.stringify({ run, seq })}\n`);
      } catch {
        // A full disk, or a folder that nobody may write in: it is measured again.
      }
    },
  };
}

function changedAt(path: string): number | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
  } catch {
    return null; // Below a file there is nothing.
  }
}

/** null: nothing is noted, its run is gone, or what stands there does not count. */
function foundAt(file: string, root: string, wanted: MeasuredOn) {
  const entry = jsonIn(readSmallFile(file, LINE_BYTES_MAX) ?? "");
  if (!isObject(entry)) return null;
  const { run: name, seq } = entry;
  const run = typeof name === "string" ? idFrom<RunId>(name) : null;
  if (run === null || typeof seq !== "number") return null;
  const log = readSmallFile(runFiles(root, run).log, LOG_BYTES_MAX) ?? "";
  const line = log.split("\n").find((one) => one.includes(`"seq":${seq},`)) ?? "";
  const read = parseEventLine(jsonIn(line));
  if (read.ok !== true || read.value.recorded.event.type !== "measured") return null;
  const { result, checks, of, stale } = read.value.recorded.event;
  const { verdict, flaky } = result;
  if (of !== wanted || checks.kind === "as-in" || flaky || stale !== null) return null;
  const isClear = verdict.kind === "passed" || isNamedRed({ verdict, checks });
  if (of !== TRIAL && !isClear) return null;
  return { result, by: checks.by, checks: checksOf(checks, null), ...NO_WORDS, from: run };
}
