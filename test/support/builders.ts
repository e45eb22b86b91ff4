// Calm defaults for the core's types, so that each test shows only what matters to it.

import { NOT_COACHED } from "../../src/core/model/coach.ts";
import type { Decision, Explanation } from "../../src/core/model/decision.ts";
import type {
  AttemptRole,
  DriverAbilities,
  Recorded,
  RunEvent,
} from "../../src/core/model/event.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import { readEvidence } from "../../src/readers/read-evidence.ts";
import { idOf } from "../../src/core/model/ids.ts";
import type { QuestionId, RunId, SessionToken, StepId, TaskId } from "../../src/core/model/ids.ts";
import {
  DEFAULT_LIMITS,
  DEFAULT_PROOF,
  DEFAULT_RESET_POLICY,
  DEFAULT_RUN_LIMITS,
  STALL_TABLE,
} from "../../src/core/model/policy.ts";
import type { Answer, Question } from "../../src/core/model/question.ts";
import { fold } from "../../src/core/run/reduce.ts";
import type { AgentReport } from "../../src/core/model/report.ts";
import { NO_TRACE, type Usage } from "../../src/core/model/session.ts";
import { NO_OVERRIDES, type StepSettings } from "../../src/core/model/settings.ts";
import type { RunState, TaskState } from "../../src/core/model/state.ts";
import type { CommandGate, Step, Task } from "../../src/core/model/task.ts";
import type { AddedTasks } from "../../src/engine/ports.ts";
import type { LoggedChecks, MeasuredOn, Measurement } from "../../src/core/model/measurement.ts";
import type { GateResult } from "../../src/core/model/verdict.ts";
import { DEFAULT_UNCERTAINTY } from "../../src/core/model/signals.ts";

export const RUN = idOf<RunId>("20261120-121436-add-login-k3f9");
const STARTED_AT_MS = Date.UTC(2026, 10, 20, 12, 14, 36);

export function commandGate(name: string, over: Partial<CommandGate> = {}): CommandGate {
  return {
    kind: "command",
    name,
    required: true,
    run: `npm ${name}`,
    expect: "pass",
    timeoutMs: 60_000,
    retries: 0,
    failedRetries: 0,
    parse: "auto",
    report: null,
    proves: "auto",
    ...over,
  };
}

export function step(over: Partial<Step> = {}): Step {
  return {
    id: idOf<StepId>("implement"),
    prompt: { kind: "self" },
    agent: "claude-code",
    fallbacks: [],
    coach: null,
    model: "opus",
    gates: {
      kind: "gates",
      gates: [commandGate("test")],
    },
    level: 2,
    confirms: false,
    asking: { expiresInMs: null },
    allowWrite: null,
    limits: DEFAULT_LIMITS,
    ...over,
  };
}

/** A step as a config has it, which names nothing. */
export function stepSettings(over: Partial<StepSettings> = {}): StepSettings {
  return {
    id: idOf<StepId>("one"),
    prompt: { kind: "self" },
    agent: null,
    model: null,
    gates: null,
    level: null,
    allowWrite: null,
    attempts: null,
    coach: null,
    confirm: null,
    ...over,
  };
}

export function task(id = "add-login", over: Partial<Task> = {}): Task {
  return {
    id: idOf<TaskId>(id),
    title: "Add login",
    body: "What must be true when this is done.",
    source: { kind: "file", path: `tasks/${id}.md` },
    pipeline: "default",
    steps: [step()],
    stall: STALL_TABLE,
    reset: DEFAULT_RESET_POLICY,
    proof: DEFAULT_PROOF,
    uncertainty: DEFAULT_UNCERTAINTY,
    dependsOn: [],
    scope: [],
    contest: null,
    allow: [],
    context: [],
    ...over,
  };
}

export function report(over: Partial<AgentReport> = {}): AgentReport {
  return {
    status: "completed",
    summary: "Login works.",
    review: null,
    blockers: [],
    progress: null,
    assumptions: [],
    questions: [],
    criteria: [],
    findings: [],
    changedChecks: [],
    approachesTried: [],
    artifacts: [],
    confidence: null,
    nextSteps: null,
    ...over,
  };
}

export function usage(costUsd: number | null = 0.42): Usage {
  return {
    byModel: { opus: { input: 1_200, output: 800, cacheRead: 9_000, cacheWrite: 300 } },
    costUsd,
    turns: 7,
  };
}

export const PASSED: GateResult = {
  name: "test",
  required: true,
  verdict: { kind: "passed" },
  counts: { runner: "vitest", passed: 12, failed: 0, skipped: 0 },
  elapsedMs: 3_000,
  tookMs: 3_000,
  excerpt: "",
  flaky: false,
  flakyFindings: [],
  faults: null,
};

export const FAILED: GateResult = {
  ...PASSED,
  verdict: {
    kind: "failed",
    findings: [{ check: "login > rejects a wrong password", message: "expected 401, got 200" }],
  },
  counts: { runner: "vitest", passed: 11, failed: 1, skipped: 0 },
};

/** A session that orch saw nothing of, in an attempt that was not one of planning. */
const UNSEEN = { trace: NO_TRACE, plan: { kind: "not-asked" } } as const;

/** With what the readers find in it. */
export function evidence(over: Partial<Evidence> = {}): Evidence {
  const gathered = {
    ending: { kind: "finished" },
    report: { kind: "read", report: report(), notes: [] },
    gates: [PASSED],
    gatesDeclaredNone: false,
    tree: {
      kind: "measured",
      tree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
      changed: ["src/login.ts"],
      changedCount: 1,
      sinceBaseCount: 1,
      outside: [],
      outOfScope: [],
    },
    ...UNSEEN,
    integrity: { kind: "checked", alarms: [], notes: [], tests: [] },
    baseline: [],
    comparisons: [],
    originals: { kind: "not-needed" },
    unheld: [],
    failAnyway: [],
    control: { kind: "not-known" },
    onlyNamed: false,
    inTree: false,
    elsewhere: [],
    unheeding: [],
    stale: null,
    wanted: [],
    reasons: [],
    coach: NOT_COACHED,
    usage: usage(),
    at: { nowMs: STARTED_AT_MS, zone: "UTC", dice: 0.5 },
    ...over,
  } satisfies Omit<Evidence, "readings">;
  return { readings: readEvidence(gathered), ...gathered };
}

export const ADVANCE: Decision = {
  kind: "continue",
  rule: "gate-green",
  how: { kind: "advance", verified: true, grade: "proven", unproven: null, changed: [] },
};

export const FEEDBACK: Decision = {
  kind: "continue",
  rule: "gate-red",
  how: { kind: "feedback", feedback: "login > rejects a wrong password: expected 401, got 200" },
};

export function explanation(over: Partial<Explanation> = {}): Explanation {
  return {
    rule: "gate-green",
    evidence: ["Gate test passed: 12 of 12 checks."],
    close: [{ rule: "gate-red", missing: "a failed required gate" }],
    fingerprint: null,
    score: { total: 0, asksFrom: 8, replansFrom: null, skipsFrom: null, parts: [] },
    ...over,
  };
}

export function question(over: Partial<Question> = {}): Question {
  return {
    id: idOf<QuestionId>("q1"),
    task: idOf<TaskId>("add-login"),
    step: idOf<StepId>("implement"),
    attempt: 1,
    kind: "question",
    question: "Which session store should be used?",
    options: ["redis", "memory"],
    default: "redis",
    impact: "major",
    context: ["Sessions must survive a restart."],
    askedAt: "2026-11-20T12:18:00.000Z",
    expiresAt: null,
    toolUseId: null,
    budget: null,
    ...over,
  };
}

export function answer(over: Partial<Answer> = {}): Answer {
  return {
    id: idOf<QuestionId>("q1"),
    action: "answer",
    text: "redis",
    by: "prompt",
    at: "2026-11-20T12:20:00.000Z",
    ...over,
  };
}

/** Events as lines of the log, ten seconds apart. */
export function recorded(events: readonly RunEvent[]): readonly Recorded[] {
  return events.map((event, index) => ({
    seq: index + 1,
    epoch: 1,
    at: new Date(STARTED_AT_MS + index * 10_000).toISOString(),
    event,
  }));
}

export function stateOf(events: readonly RunEvent[]): RunState {
  return fold(recorded(events));
}

export const BASE = "1f0c9a8b7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a";

export const started: Of<"run-started"> = {
  type: "run-started",
  run: RUN,
  source: { kind: "file", path: "tasks/add-login.md" },
  isolation: "worktree",
  autoCommit: true,
  limits: DEFAULT_RUN_LIMITS,
  parallel: 1,
  landing: "leave",
  base: { commit: BASE, branch: "main", withChanges: false, into: `orch/${RUN}` },
  flags: NO_OVERRIDES,
  pinned: { sha256: "", paths: [] },
  orch: "0.1.0",
  node: "v20.20.0",
};

export function runStarted(tasks: readonly Task[] = [task()]): readonly RunEvent[] {
  return [started, ...tasks.map((one) => taskDefined(one))];
}

/** As a person's command line read it, or as another task wrote it. */
export function taskDefined(one: Task, by: TaskId | null = null): RunEvent {
  return { type: "task-defined", task: one, by, notHeeded: [] };
}

export function taskStarted(id = "add-login"): RunEvent {
  return {
    type: "task-started",
    task: idOf<TaskId>(id),
    workspace: {
      kind: "worktree",
      root: `/state/orch/${id}/project`,
      gitDir: `/srv/project/.orch/runs/${RUN}/trees/${id}`,
      branch: `orch/${id}`,
      base: BASE,
      portBase: 10_000,
    },
  };
}

interface AttemptOver {
  readonly task?: string;
  readonly n?: number;
  readonly plan?: number;
  readonly role?: AttemptRole;
  readonly gates?: readonly GateResult[];
  readonly decision?: Decision;
  readonly explanation?: Explanation;
  readonly report?: AgentReport;
  readonly evidence?: Partial<Evidence>;
}

export function at(n = 1, id = "add-login") {
  return { task: idOf<TaskId>(id), step: idOf<StepId>("implement"), attempt: n };
}

type Of<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;

export function sessionEnded(over: Partial<Of<"session-ended">> = {}): Of<"session-ended"> {
  const n = over.attempt ?? 1;
  return {
    ...at(n),
    type: "session-ended",
    token: tokenOf(n),
    ending: { kind: "finished" },
    report: { kind: "read", report: report(), notes: [] },
    usage: usage(),
    sessionId: `session-${n}`,
    totals: null,
    agentVersion: "2.1.0",
    unasked: [],
    ...UNSEEN,
    elapsedMs: 60_000,
    ...over,
  };
}

export function decided(
  decision: Decision,
  seen: Partial<Evidence> = {},
  over: Partial<Of<"decided">> = {},
): Of<"decided"> {
  const explained = explanation({ rule: decision.rule });
  const record = { evidence: evidence(seen), decision, explanation: explained, tally: null };
  return { ...at(over.attempt), type: "decided", ...record, ...over };
}

/** The first task of a run whose log goes on with these events. */
export function taskAfter(events: readonly RunEvent[], of = task()): TaskState {
  return firstTask(stateOf([...runStarted([of]), taskStarted(), ...events]));
}

export function firstTask({ tasks: [first] }: RunState): TaskState {
  if (first === undefined) throw new Error("the run has a task");
  return first;
}

/** All events of one attempt, from its start until it is settled. */
export function attempt(over: AttemptOver = {}): readonly RunEvent[] {
  const n = over.n ?? 1;
  const place = at(n, over.task);
  const gates = over.gates ?? [PASSED];
  const reading = { kind: "read" as const, report: over.report ?? report(), notes: [] };
  const decision = over.decision ?? ADVANCE;
  const ending = over.evidence?.ending ?? ({ kind: "finished" } as const);
  const seen = { gates, report: reading, ...over.evidence };
  const explained = over.explanation === undefined ? {} : { explanation: over.explanation };
  const commit = isAdvance(decision) ? "c0ffee0123456789" : null;
  return [
    ...attemptBegun({ ...over, n }),
    sessionEnded({ ...place, report: reading, ending }),
    ...gates.map((result) => measured("work", result, place)),
    decided(decision, seen, { ...place, ...explained }),
    { ...place, type: "attempt-settled", checkpoint: null, commit },
  ];
}

/** Nothing is known of what was measured, and no check by name. */
export const UNNAMED = {
  spec: "",
  taken: null,
  checks: { kind: "none", by: "" },
  stale: null,
} as const;

/** As a state holds it. */
export function unnamed(result: GateResult): Measurement {
  return { ...result, ...UNNAMED };
}

export function measured(
  of: MeasuredOn,
  result: GateResult,
  place: ReturnType<typeof at> = at(of === "base" ? 0 : 1),
  checks: LoggedChecks = UNNAMED.checks,
): RunEvent {
  return { type: "measured", ...place, of, result, ...UNNAMED, checks, notes: [], from: null };
}

function isAdvance(decision: Decision): boolean {
  return decision.kind === "continue" && decision.how.kind === "advance";
}

/** What a driver can do that can do everything. */
export const ABILITIES: DriverAbilities = {
  resumes: true,
  tellsSteps: true,
  asks: true,
  tellsCost: true,
};

/** The attempt's first events: its session runs. */
export function attemptBegun(over: AttemptOver = {}): readonly RunEvent[] {
  const n = over.n ?? 1;
  const place = at(n, over.task);
  const { role = "work", plan = 1 } = over;
  return [
    { ...place, type: "attempt-started", role, plan, checkpoint: null },
    {
      ...place,
      type: "session-started",
      reserved: { costUsd: null, tokens: null, timeMs: null },
      token: tokenOf(n),
      start: { kind: "fresh" },
      agent: "claude-code",
      driver: "claude-code",
      model: "opus",
      abilities: ABILITIES,
    },
  ];
}

export function pauseFor(ask: Question): Decision {
  const { kind, question: text, options, default: preset, impact, context, toolUseId } = ask;
  const content = { kind, question: text, options, default: preset, impact, context, toolUseId };
  return {
    kind: "pause",
    rule: kind === "question" ? "agent-asked" : "hard-blocker-declared",
    ask: content,
  };
}

function tokenOf(n: number): SessionToken {
  return idOf<SessionToken>(`token-${n}`);
}

/** What stands in a folder besides what is known. */
export function newTasks(folder: readonly Task[], earlier: readonly TaskId[]): AddedTasks {
  const added = folder.filter(({ id }) => !earlier.includes(id));
  return { tasks: added.map((one) => ({ task: one, notHeeded: [] })), unusable: [] };
}
