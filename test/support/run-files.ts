// How does a run look on disk that was recorded elsewhere?

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createRunFolder, type RunFiles } from "../../src/adapters/log/run-files.ts";
import { sealed, viewText } from "../../src/adapters/log/run-view-file.ts";
import type { RunEvent } from "../../src/core/model/event.ts";
import type { RunId } from "../../src/core/model/ids.ts";
import { exitCodeOf, isFinished } from "../../src/core/run/outcome.ts";
import { projectResult, projectRun } from "../../src/core/views/projection.ts";
import { fold } from "../../src/core/run/reduce.ts";
import { eventLine } from "../../src/schema/event-line.ts";
import { recorded, RUN } from "./builders.ts";

export function emptyProject(): string {
  return mkdtempSync(join(tmpdir(), "orch-project-"));
}

export interface WriteOptions {
  readonly run?: RunId;
  /** state.json is left out, as if it had been deleted. */
  readonly withoutState?: boolean;
  /** state.json knows only so many events. */
  readonly stateSeq?: number;
}

/** Writes the log, and what a run leaves beside it. */
export function writeRun(
  root: string,
  events: readonly RunEvent[],
  options: WriteOptions = {},
): RunFiles {
  const files = createRunFolder(root, options.run ?? RUN);
  const lines = recorded(
    events.map((event) => (event.type === "run-started" ? { ...event, run: files.id } : event)),
  );
  writeFileSync(files.log, lines.map((one) => `${sealed(eventLine(files.id, one))}\n`).join(""));
  const folded = lines.slice(0, options.stateSeq ?? lines.length);
  const state = fold(folded);
  const view = projectRun(state);
  if (view === null) return files;
  if (options.withoutState !== true) writeFileSync(files.state, viewText(view));
  if (isFinished(state))
    writeFileSync(files.result, JSON.stringify(projectResult(view, exitCodeOf(state))));
  return files;
}
