// How does a line that an older orch wrote become one of today's?

import { alarmKindOf } from "../core/model/alarm.ts";
import { isObject, listAt, nameAt, objectAt } from "../core/model/json.ts";
import { DEFAULT_UNCERTAINTY } from "../core/model/signals.ts";
import { DEFAULT_PROOF, STALL_TABLE } from "../core/model/policy.ts";
import { DEFAULT_ASKING } from "../core/model/question.ts";
import { NOT_GATHERED } from "../core/model/evidence.ts";
import { NO_TRACE } from "../core/model/session.ts";

type Fields = Readonly<Record<string, unknown>>;

const NOT_ASKED = { kind: "not-asked" } as const;
const WAITS_FOR_EVER = { expiresInMs: null };
const GATE = { flaky: false, flakyFindings: [], faults: null };
const NOT_ADDED_UP = { total: 0, asksFrom: null, replansFrom: null, skipsFrom: null, parts: [] };
const EVIDENCE = {
  ...NOT_GATHERED,
  integrity: { kind: "not-checked", why: "the orch that wrote this did not look" },
  at: {},
  // Read again and again until version 4; a replay still does.
  readings: { failure: null, failedBefore: false, crash: null, closing: null },
};

/**
 * What older programs did not write, at a place of an event or of each element of a list there, and
 * what is said of it instead. Nothing is guessed. Version 1 knew of no planning sessions, traces,
 * integrity, base runs and scores; 2 of no deadlines, plans to confirm and limits to extend;
 * 4 of no faults that are told apart when they are found; 5 of no trees of a task's own, and of no scope that is measured;
 * 6 of no policy that is pinned, and of no task that is held to another one's.
 */
const ADDED: readonly (readonly [event: string, place: string, added: Fields])[] = [
  ["task-defined", "task", { uncertainty: DEFAULT_UNCERTAINTY, proof: DEFAULT_PROOF, stall: {} }],
  ["task-defined", "", { by: null, notHeeded: [] }],
  ["task-defined", "task.stall", { ...STALL_TABLE }],
  ["task-defined", "task.steps", { confirms: false, asking: DEFAULT_ASKING }],
  ["task-defined", "task.steps.gates.gates", { failedRetries: 0, report: null, proves: "auto" }],
  ["run-started", "flags", { proof: null, sandbox: null }],
  ["run-started", "", { parallel: 1, base: null, landing: "leave", pinned: null }],
  ["tasks-read", "", { after: null, unusable: [] }],
  ["attempt-started", "", { role: "work" }],
  ["session-started", "abilities", { tellsSteps: false }],
  ["session-started", "", { reserved: { costUsd: null, timeMs: null } }],
  ["session-ended", "", { trace: NO_TRACE, plan: NOT_ASKED }],
  ["session-ended", "trace", { compactions: 0 }],
  ["session-ended", "ending.asked", WAITS_FOR_EVER],
  ["gate-ended", "result", GATE],
  ["base-checked", "result", GATE],
  ["base-checked", "", { where: "copy", programs: {} }],
  ["question-asked", "question", { whenExpired: "wait", budget: null }],
  ["decided", "", { tally: null }],
  ["decided", "tally.streaks", { anyFailure: 0 }],
  ["decided", "evidence", EVIDENCE],
  ["decided", "evidence.integrity", { notes: [] }],
  ["decided", "evidence.trace", { compactions: 0 }],
  ["decided", "evidence.tree", { outOfScope: [] }],
  ["decided", "evidence.gates", GATE],
  ["decided", "evidence.baseline", GATE],
  ["decided", "evidence.at", { zone: "UTC" }],
  ["decided", "evidence.ending.asked", WAITS_FOR_EVER],
  ["decided", "decision.ask", WAITS_FOR_EVER],
  ["decided", "decision.how", { grade: null, unproven: null, changed: [] }],
  ["task-ended", "end", { grade: null }],
  ["decided", "evidence.report.report", { changedChecks: [] }],
  ["session-ended", "report.report", { changedChecks: [] }],
  ["decided", "explanation", { score: NOT_ADDED_UP }],
];

/** Rules that are gone, and what stands for each: it led to the same. */
const REPLACED_RULES = new Map<unknown, string>([
  ["judge-replan", "uncertain-replan"],
  ["judge-ask", "uncertain-ask"],
  ["question-again", "agent-asked"],
]);

/** An older line with all that today's has, before anything looks at its fields. */
export function completed(line: Fields): Fields {
  const { type } = line;
  if (type === "run-started" && line["isolation"] === "branch")
    return completed({ ...line, isolation: "worktree" });
  if (
    type === "task-started" &&
    isObject(line["workspace"]) &&
    line["workspace"]["kind"] === "branch"
  )
    return {
      ...line,
      workspace: { ...line["workspace"], kind: "worktree", gitDir: "", portBase: 0 },
    };
  const { decision, explanation } = line;
  if (isObject(decision) && REPLACED_RULES.has(decision["rule"])) {
    const rule = REPLACED_RULES.get(decision["rule"]);
    const explained = isObject(explanation) ? { ...explanation, rule } : explanation;
    return completed({ ...line, decision: { ...decision, rule }, explanation: explained });
  }
  if (isObject(decision) && decision["kind"] === "replan" && !("rollback" in decision))
    return completed({ ...line, decision: { ...decision, rollback: null } });
  // Until version 9: in which ways it was made stricter than it was written.
  if (type === "task-defined" && "tightened" in line) {
    const { tightened, ...rest } = line;
    return completed({ ...rest, notHeeded: tightened });
  }
  const evidence = objectAt(line, "evidence");
  const integrity = evidence === null ? null : objectAt(evidence, "integrity");
  if (integrity !== null && ALARM_LISTS.flatMap((key) => listAt(integrity, key)).some(isFormer))
    return completed({ ...line, evidence: { ...evidence, integrity: withKinds(integrity) } });
  // Version 3 wrote no words where a notice had arrived.
  if (type === "notified" && line["trouble"] === "") return { ...line, trouble: null };
  const whole = ADDED.filter(([event]) => event === type).reduce(
    (before, [, place, added]) => withAdded(before, place.split(".").filter(Boolean), added),
    line,
  );
  return SIGNAL_LISTS.reduce(
    (before, place) => withoutOldSignals(before, place.split(".")),
    withoutEmptyCause(whole),
  );
}

/** Until version 9 a crash of no known cause was one of the type "none". */
function withoutEmptyCause(line: Fields): Fields {
  const { evidence } = line;
  const readings = isObject(evidence) ? evidence["readings"] : null;
  const crash = isObject(readings) ? readings["crash"] : null;
  if (!isObject(evidence) || !isObject(readings) || !isObject(crash) || crash["type"] !== "none")
    return line;
  return { ...line, evidence: { ...evidence, readings: { ...readings, crash: null } } };
}

/** A signal until version 9. */
const OLD_SIGNAL = "hesitation_words";
const SIGNAL_LISTS = ["signals", "tally.score.parts", "explanation.score.parts"];

function withoutOldSignals(value: Fields, [name = "", ...rest]: readonly string[]): Fields {
  const inner = value[name];
  if (isObject(inner)) return { ...value, [name]: withoutOldSignals(inner, rest) };
  if (!Array.isArray(inner)) return value;
  const kept = inner.filter((one) => !isObject(one) || one["signal"] !== OLD_SIGNAL);
  return { ...value, [name]: kept };
}

function isFormer(alarm: unknown): boolean {
  return isObject(alarm) && ![null, alarm["kind"]].includes(alarmKindOf(nameAt(alarm, "kind")));
}

const ALARM_LISTS = ["alarms", "notes"];

/** Under the names that they have today. */
function withKinds(integrity: Fields): Fields {
  const lists = ALARM_LISTS.map((key) => [
    key,
    listAt(integrity, key).map((one) =>
      isFormer(one) && isObject(one) ? { ...one, kind: alarmKindOf(nameAt(one, "kind")) } : one,
    ),
  ]);
  return { ...integrity, ...Object.fromEntries(lists) };
}

function withAdded<T>(value: T, [name, ...rest]: readonly string[], added: Fields): T;
function withAdded(value: unknown, path: readonly string[], added: Fields): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => withAdded(one, path, added));
  if (!isObject(value)) return value;
  const [name, ...rest] = path;
  if (name === undefined) return { ...added, ...value };
  return name in value ? { ...value, [name]: withAdded(value[name], rest, added) } : value;
}
