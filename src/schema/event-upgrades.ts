// How does a line that an older orch wrote become one of today's?

import { alarmKindOf } from "../core/model/alarm.ts";
import { isObject } from "../core/model/json.ts";
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

/** What became of a value; undefined: of an entry of a list, that it goes. */
type Change = (value: unknown) => unknown;

/** What older programs did not write, and what is said of it instead. Nothing is guessed. */
function added(fields: Fields): Change {
  return (value) => (isObject(value) ? { ...fields, ...value } : value);
}

/** A word that is another one today. */
function renamed(words: Readonly<Record<string, string | null>>): Change {
  return (value) =>
    typeof value === "string" && Object.hasOwn(words, value) ? words[value] : value;
}

function isTagged(value: unknown, key: string, word: string): boolean {
  return isObject(value) && value[key] === word;
}

/** Each led to the same. */
const RULES = renamed({
  "judge-replan": "uncertain-replan",
  "judge-ask": "uncertain-ask",
  "question-again": "agent-asked",
});
const KINDS: Change = (kind) => (typeof kind === "string" ? (alarmKindOf(kind) ?? kind) : kind);
const SIGNALS: Change = (part) => (isTagged(part, "signal", "hesitation_words") ? undefined : part);
/** In which ways it was made stricter than it was written. */
const TIGHTENED: Change = (line) => {
  if (!isObject(line) || !("tightened" in line)) return line;
  const { tightened, ...rest } = line;
  return { ...rest, notHeeded: tightened };
};
const CRASH: Change = (crash) => (isTagged(crash, "type", "none") ? null : crash);

/**
 * At a place of an event, or of each element of a list there. Version 1 knew of no planning sessions, traces,
 * integrity, base runs and scores; 2 of no deadlines, plans to confirm and limits to extend; 3 wrote no
 * words where a notice had arrived; 4 knew of no faults that are told apart when they are found; 5 of no
 * trees of a task's own, and of no scope that is measured; 6 of no policy that is pinned, and of no task
 * that is held to another one's; 9 of words of doubt, a second opinion, and other names of alarms.
 */
const CHANGES: readonly (readonly [event: string, place: string, change: Change])[] = [
  ["run-started", "isolation", renamed({ branch: "worktree" })],
  ["task-started", "workspace.kind", renamed({ branch: "worktree" })],
  ["task-started", "workspace", added({ gitDir: "", portBase: 0 })],
  ["notified", "trouble", renamed({ "": null })],
  ["task-defined", "", TIGHTENED],
  ["task-weighed", "signals", SIGNALS],
  ["decided", "tally.score.parts", SIGNALS],
  ["decided", "explanation.score.parts", SIGNALS],
  ["decided", "decision.rule", RULES],
  ["decided", "explanation.rule", RULES],
  ["decided", "decision", added({ rollback: null })],
  ["decided", "evidence.readings.crash", CRASH],
  ["decided", "evidence.integrity.alarms.kind", KINDS],
  ["decided", "evidence.integrity.notes.kind", KINDS],
  [
    "task-defined",
    "task",
    added({ uncertainty: DEFAULT_UNCERTAINTY, proof: DEFAULT_PROOF, stall: {} }),
  ],
  ["task-defined", "", added({ by: null, notHeeded: [] })],
  ["task-defined", "task.stall", added({ ...STALL_TABLE })],
  ["task-defined", "task.steps", added({ confirms: false, asking: DEFAULT_ASKING })],
  [
    "task-defined",
    "task.steps.gates.gates",
    added({ failedRetries: 0, report: null, proves: "auto" }),
  ],
  ["run-started", "flags", added({ proof: null, sandbox: null })],
  ["run-started", "", added({ parallel: 1, base: null, landing: "leave", pinned: null })],
  ["tasks-read", "", added({ after: null, unusable: [] })],
  ["attempt-started", "", added({ role: "work" })],
  ["session-started", "abilities", added({ tellsSteps: false })],
  ["session-started", "", added({ reserved: { costUsd: null, timeMs: null } })],
  ["session-ended", "", added({ trace: NO_TRACE, plan: NOT_ASKED })],
  ["session-ended", "trace", added({ compactions: 0 })],
  ["session-ended", "ending.asked", added(WAITS_FOR_EVER)],
  ["gate-ended", "result", added(GATE)],
  ["base-checked", "result", added(GATE)],
  ["base-checked", "", added({ where: "copy", programs: {} })],
  ["question-asked", "question", added({ whenExpired: "wait", budget: null })],
  ["decided", "", added({ tally: null })],
  ["decided", "tally.streaks", added({ anyFailure: 0 })],
  ["decided", "evidence", added(EVIDENCE)],
  ["decided", "evidence.integrity", added({ notes: [] })],
  ["decided", "evidence.trace", added({ compactions: 0 })],
  ["decided", "evidence.tree", added({ outOfScope: [] })],
  ["decided", "evidence.gates", added(GATE)],
  ["decided", "evidence.baseline", added(GATE)],
  ["decided", "evidence.at", added({ zone: "UTC" })],
  ["decided", "evidence.ending.asked", added(WAITS_FOR_EVER)],
  ["decided", "decision.ask", added(WAITS_FOR_EVER)],
  ["decided", "decision.how", added({ grade: null, unproven: null, changed: [] })],
  ["task-ended", "end", added({ grade: null })],
  ["decided", "evidence.report.report", added({ changedChecks: [] })],
  ["session-ended", "report.report", added({ changedChecks: [] })],
  ["decided", "explanation", added({ score: NOT_ADDED_UP })],
];

/** An older line with all that today's has, before anything looks at its fields. */
export function completed(line: Fields): Fields {
  return CHANGES.filter(([event]) => event === line["type"]).reduce(
    (before, [, place, change]) => changedAt(before, place.split(".").filter(Boolean), change),
    line,
  );
}

function changedAt<T>(value: T, path: readonly string[], change: Change): T;
function changedAt(value: unknown, path: readonly string[], change: Change): unknown {
  if (Array.isArray(value))
    return value
      .map((one: unknown) => changedAt(one, path, change))
      .filter((one) => one !== undefined);
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  return isObject(value) && name in value
    ? { ...value, [name]: changedAt(value[name], rest, change) }
    : value;
}
