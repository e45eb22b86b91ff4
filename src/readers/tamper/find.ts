// Was what proves the work tampered with?

import { tidy } from "../../core/model/alarm.ts";
import type { Alarm } from "../../core/model/alarm.ts";
import type { ChangedFile, CountedGate, IntegrityChange, WorkClaim } from "./change.ts";
import { lineAlarms } from "./compare-lines.ts";
import { scriptAlarms } from "./compare-scripts.ts";
import { settingAlarms } from "./compare-settings.ts";
import { testAlarms } from "./compare-tests.ts";
import { alarmOf, readFiles, testFiles } from "./reading.ts";
import { suppressionAlarms } from "./suppressions.ts";

/**
 * Compares what proves the work as it was at the task's base with what it is now (policy section
 * 10). Bounded and sorted. Where a change can be read in two ways there is no alarm: a false one
 * costs a turn, and trust.
 */
export function findAlarms(change: IntegrityChange): readonly Alarm[] {
  const files = readFiles(change.files);
  return tidy([
    ...testAlarms(testFiles(files)),
    ...settingAlarms(files),
    ...scriptAlarms(files, change.commands),
    ...lineAlarms(files, change.commands),
    ...suppressionAlarms(files),
    ...change.counts.flatMap(fewerTests),
    ...claimAlarms(change.claim, change.files),
  ]);
}

/** Skipped tests are not executed ones. Another runner counts in another way. */
function fewerTests({ gate, before, after }: CountedGate): readonly Alarm[] {
  if (before === null || after === null || before.runner !== after.runner) return [];
  const [was, is] = [before.passed + before.failed, after.passed + after.failed];
  if (is >= was) return [];
  const detail = `gate ${JSON.stringify(gate)} ran ${is} tests, ${was} on the base commit`;
  return [alarmOf("fewer-tests", null, detail)];
}

function claimAlarms(claim: WorkClaim | null, files: readonly ChangedFile[]): readonly Alarm[] {
  if (claim === null || !claim.completed) return [];
  // A file that the work itself deleted is rightly named and rightly gone.
  const deleted = files.filter(({ after }) => after.kind === "absent").map(({ path }) => path);
  const absent = claim.files.filter((file) => file.found === "absent");
  const missing = absent.filter(({ path }) => !deleted.includes(path));
  const none = "the work is claimed complete, and nothing differs from what the task started from";
  return [
    ...(claim.sinceBaseCount === 0 ? [alarmOf("empty-diff", null, none)] : []),
    ...missing.map(({ path }) =>
      alarmOf("claimed-file-absent", path, "the report names it, and it does not exist"),
    ),
  ];
}
