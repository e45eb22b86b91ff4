// Does the report claim work that is not there?

import type { Alarm } from "../../core/model/alarm.ts";
import type { ChangedFile, WorkClaim } from "./change.ts";

export function claimAlarms(
  claim: WorkClaim | null,
  files: readonly ChangedFile[],
): readonly Alarm[] {
  if (claim === null || !claim.completed) return [];
  return [...emptyDiff(claim), ...absentFiles(claim, files)];
}

function emptyDiff({ sinceBaseCount }: WorkClaim): readonly Alarm[] {
  if (sinceBaseCount !== 0) return [];
  const detail =
    "the work is claimed complete, and nothing differs from what the task started from";
  return [{ kind: "empty-diff", path: null, detail, line: null }];
}

/** A file that the work itself deleted is rightly named and rightly gone. */
function absentFiles(claim: WorkClaim, files: readonly ChangedFile[]): readonly Alarm[] {
  const deleted = new Set(
    files.flatMap(({ path, after }) => (after.kind === "absent" ? [path] : [])),
  );
  return claim.files.flatMap(({ path, found }) =>
    found === "absent" && !deleted.has(path)
      ? [
          {
            kind: "claimed-file-absent" as const,
            path,
            detail: "the report names it, and it does not exist",
            line: null,
          },
        ]
      : [],
  );
}
