// How does a line that an older orch wrote become one of today's?

import { isObject } from "../core/model/json.ts";
import { DEFAULT_UNCERTAINTY } from "../core/model/signals.ts";
import { DEFAULT_JUDGE } from "../core/model/judge.ts";
import { STALL_TABLE } from "../core/model/policy.ts";
import { DEFAULT_ASKING } from "../core/model/question.ts";
import { NO_TRACE } from "../core/model/session.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Turns a line of version n into one of version n + 1, before anything looks at its fields. What the
 * older orch did not know of is said to be so, never guessed.
 */
export const UPGRADES: Readonly<Record<number, (line: Fields) => Fields>> = {
  1: fromFirst,
  2: fromSecond,
  3: fromThird,
  4: fromFourth,
};

/** Version 1 knew of no planning sessions, traces, integrity, base runs, scores and judges. */
function fromFirst(line: Fields): Fields {
  switch (line["type"]) {
    case "task-defined":
      return changed(line, "task", (task) => ({
        uncertainty: DEFAULT_UNCERTAINTY,
        judge: DEFAULT_JUDGE,
        ...task,
        stall: { ...STALL_TABLE, ...fields(task["stall"]) },
        steps: each(task["steps"], (step) =>
          changed(step, "gates", (gates) => ({
            ...gates,
            gates: each(gates["gates"], (gate) => ({ failedRetries: 0, ...gate })),
          })),
        ),
      }));
    case "attempt-started":
      return { role: "work", ...line };
    case "session-started":
      return changed(line, "abilities", (abilities) => ({ tellsSteps: false, ...abilities }));
    case "session-ended":
      return { trace: NO_TRACE, plan: NOT_ASKED, ...line };
    case "gate-ended":
      return changed(line, "result", judgedGate);
    case "decided":
      return changed(changed(line, "evidence", judgedEvidence), "explanation", (told) => ({
        score: { total: 0, asksFrom: null, replansFrom: null, skipsFrom: null, parts: [] },
        ...told,
      }));
    default:
      return line;
  }
}

/** Version 2 knew of no deadlines, no plans to confirm, and no limits to extend. */
function fromSecond(line: Fields): Fields {
  switch (line["type"]) {
    case "task-defined":
      return changed(line, "task", (task) => ({
        ...task,
        steps: each(task["steps"], (step) => ({
          confirms: false,
          asking: DEFAULT_ASKING,
          ...step,
        })),
      }));
    case "session-ended":
      return changed(line, "ending", askedWithoutDeadline);
    case "question-asked":
      return changed(line, "question", (question) => ({
        whenExpired: "wait",
        budget: null,
        ...question,
      }));
    case "decided":
      return changed(
        changed(line, "evidence", (evidence) => changed(evidence, "ending", askedWithoutDeadline)),
        "decision",
        (decision) => changed(decision, "ask", withoutDeadline),
      );
    default:
      return line;
  }
}

/** Version 3 wrote no words where a notice had arrived. */
function fromThird(line: Fields): Fields {
  const isArrival = line["type"] === "notified" && line["trouble"] === "";
  return isArrival ? { ...line, trouble: null } : line;
}

/**
 * Version 4 read the texts again whenever it folded or decided. What its decision found is said in
 * its explanation; the rest is not on record, and a replay reads the texts again.
 */
function fromFourth(line: Fields): Fields {
  if (line["type"] === "gate-ended" || line["type"] === "base-checked")
    return changed(line, "result", withoutFaults);
  if (line["type"] === "task-defined")
    return changed(line, "task", (task) => ({
      ...task,
      stall: { ...STALL_TABLE, ...fields(task["stall"]) },
    }));
  if (line["type"] !== "decided") return line;
  const fp = fields(line["explanation"])["fingerprint"];
  const { rule } = fields(line["decision"]);
  const known = fields(line["evidence"]);
  const evidence = {
    ...known,
    gates: each(known["gates"], withoutFaults),
    baseline: each(known["baseline"], withoutFaults),
  };
  const readings = {
    failure: typeof fp === "string" ? { fp, ...failingChecks(evidence["gates"]) } : null,
    failedBefore: rule === "gate-red-before" || rule === "failed-before",
    crash: null,
    closing: null,
    doubts: [],
  };
  return { ...line, evidence: { ...evidence, readings }, tally: null };
}

/** What failed was told apart by the findings alone. */
function withoutFaults(result: Fields): Fields {
  return { faults: null, ...result };
}

function failingChecks(gates: unknown): {
  readonly failing: readonly string[];
  readonly failingCount: number;
} {
  const found = (Array.isArray(gates) ? gates : []).map(fields).flatMap((gate) => {
    const verdict = fields(gate["verdict"]);
    if (gate["required"] !== true || verdict["kind"] !== "failed") return [];
    const findings = Array.isArray(verdict["findings"]) ? verdict["findings"].map(fields) : [];
    const names = findings.map(({ check }) =>
      check === gate["name"] ? String(check) : `${String(gate["name"])}: ${String(check)}`,
    );
    const counted = Number(fields(gate["counts"])["failed"] ?? 0);
    return [{ names, count: Math.max(counted, names.length, 1) }];
  });
  return {
    failing: [...new Set(found.flatMap(({ names }) => names))].sort(),
    failingCount: found.reduce((sum, { count }) => sum + count, 0),
  };
}

function askedWithoutDeadline(ending: Fields): Fields {
  return changed(ending, "asked", withoutDeadline);
}

function withoutDeadline(asked: Fields): Fields {
  return { expiresInMs: null, ...asked };
}

const NOT_ASKED = { kind: "not-asked" } as const;

function judgedGate(result: Fields): Fields {
  return { flaky: false, flakyFindings: [], ...result };
}

function judgedEvidence(evidence: Fields): Fields {
  return {
    trace: NO_TRACE,
    plan: NOT_ASKED,
    integrity: { kind: "not-checked", why: "the orch that wrote this did not look" },
    baseline: [],
    judge: NOT_ASKED,
    judgeTokens: {},
    ...evidence,
    gates: each(evidence["gates"], judgedGate),
    at: { zone: "UTC", ...fields(evidence["at"]) },
  };
}

function changed(line: Fields, name: string, change: (value: Fields) => Fields): Fields {
  const value = line[name];
  return isObject(value) ? { ...line, [name]: change(value) } : line;
}

function each(value: unknown, change: (one: Fields) => Fields): unknown {
  return Array.isArray(value) ? value.map((one) => (isObject(one) ? change(one) : one)) : value;
}

function fields(value: unknown): Fields {
  return isObject(value) ? value : {};
}
