// Was what proves the work tampered with?

import { tidy } from "../../core/model/alarm.ts";
import type { Alarm } from "../../core/model/alarm.ts";
import type { CountedGate, IntegrityChange } from "./change.ts";
import { claimAlarms } from "./claims.ts";
import { lineAlarms } from "./compare-lines.ts";
import { scriptAlarms } from "./compare-scripts.ts";
import { settingAlarms } from "./compare-settings.ts";
import { testAlarms } from "./compare-tests.ts";
import { readFiles, testFiles } from "./reading.ts";
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
  return [{ kind: "fewer-tests", path: null, detail, line: null }];
}
