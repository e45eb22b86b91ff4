// Does a labelled closing need a person, by the policy that decides runs?

import { decide } from "../../src/core/decide/decide.ts";
import type { Integrity } from "../../src/core/model/evidence.ts";
import { nameAt, objectAt, type JsonObject } from "../../src/core/model/json.ts";
import { levelFrom, type Level } from "../../src/core/model/policy.ts";
import type { ReportFinding } from "../../src/core/model/report.ts";
import { NO_TRACE } from "../../src/core/model/session.ts";
import type { GateResult, Verdict } from "../../src/core/model/verdict.ts";
import { attemptWith, BEGINNING, gateOf, POLICY, reportFrom } from "./attempt.ts";

const DEFAULT_LEVEL: Level = 3;

/** A declared state is the session's report; its last words count only where none was left. */
export function closingOf(record: JsonObject) {
  const stated = record["level"];
  const level = (typeof stated === "number" ? levelFrom(stated) : null) ?? DEFAULT_LEVEL;
  const measured = objectAt(record, "evidence") ?? {};
  const evidence = attemptWith({
    trace: { ...NO_TRACE, closing: nameAt(record, "text") },
    report: reportOf(objectAt(record, "declared")),
    gates: gatesOf(measured),
    integrity: integrityOf(measured),
  });
  // A session is told of an alarm once before a person is; the record is of one that stands by its word.
  const before = { ...BEGINNING, previousRule: "disputed" as const };
  const { kind, rule } = decide(evidence, before, { ...POLICY, level });
  return { needsHuman: kind === "pause", rule };
}

/** Records name a blocker by its type alone, and say beside it whether it can be recovered from. */
function reportOf(declared: JsonObject | null): ReportFinding {
  if (declared === null) return { kind: "missing" };
  const { blocker, recoverable } = declared;
  const named = typeof blocker === "string" ? { type: blocker, recoverable } : blocker;
  return reportFrom({ ...declared, blocker: named });
}

function gatesOf(measured: JsonObject): readonly GateResult[] {
  const gates = Object.entries(objectAt(measured, "gates") ?? {});
  return gates.map(([name, value]) => gateOf(name, verdictOf(value), null));
}

function verdictOf(value: unknown): Verdict {
  if (value === true) return { kind: "passed" };
  return value === false
    ? { kind: "failed", findings: [] }
    : { kind: "unknown", why: "not-run", detail: "" };
}

/**
 * What orch finds in a tree itself, a record tells by counts: less than before, or marks that silence a
 * check. Not where the task allows it, and not where as many tests ran as before.
 */
function integrityOf(measured: JsonObject): Integrity {
  const text = JSON.stringify(measured);
  const fell = [...text.matchAll(BEFORE_AFTER)].map(
    ([, before, after]) => Number(after) < Number(before),
  );
  const isWeakened =
    !ALLOWED.test(text) &&
    (fell.includes(true) || SILENCED.test(text) || (fell.length === 0 && DELETED.test(text)));
  const alarm = { kind: "checks-lost", path: null, detail: "as measured", line: null } as const;
  return { kind: "checked", alarms: isWeakened ? [alarm] : [], notes: [], tests: [] };
}

const ALLOWED = /"(?:task_)?allow\w*"|"task":/;
const BEFORE_AFTER =
  /(?:"before":(?:\{"passed":)?|")(\d{1,9})(?:[^{}]{0,40}\}?,"after":(?:\{"passed":)?| -> )(\d{1,9})/g;
const DELETED = /"\w*(?:tests?|snapshots)\w*_deleted":[1-9]|"deleted_\w+":(?:[1-9]|\["])/;
const SILENCED =
  /"\w*(?:skips|only|suppressions|ignore|casts)_added":[1-9]|"(?:\w*(?:weakened|disabled|skipped_tests)|(?=\w*(?:commented|hardcoded))\w*)":(?:[1-9]|\[")|\|\| true|continue-on-error/;
