// Where does it stand how a run came out?

import { writeFileAtomic } from "../../adapters/files/atomic-file.ts";
import type { RunFiles } from "../../adapters/log/run-files.ts";
import { viewPieces } from "../../adapters/log/run-view-file.ts";
import { invariant } from "../../core/model/assert.ts";
import type { RunState } from "../../core/model/state.ts";
import { projectResult, projectRun } from "../../core/views/projection.ts";

/** For people and programs to read without the log: state.json and result.json. */
export function writeResult(state: RunState, exitCode: number, files: RunFiles) {
  const view = projectRun(state);
  invariant(view !== null, "a run that ended had begun");
  const result = projectResult(view, exitCode);
  writeFileAtomic(files.state, viewPieces(view));
  writeFileAtomic(files.result, `${JSON.stringify(result, null, 2)}\n`);
  return { view, result };
}
