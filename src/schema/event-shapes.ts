// Which fields does each event have in the log, and what stands in them?

import type { EventType, RunEvent } from "../core/model/event.ts";

/** What one field may hold. Deeper than this the log is trusted: orch wrote it. */
export type FieldShape = PlainShape | { readonly orNull: PlainShape };

type PlainShape =
  | "text"
  | "number"
  | "flag"
  | "list"
  | "record"
  /** One of these words. */
  | { readonly words: Readonly<Record<string, true>> }
  /** A union: an object whose `kind` is one of these. */
  | { readonly kinds: Readonly<Record<string, true>> };

type EventOf<T extends EventType> = Extract<RunEvent, { readonly type: T }>;

/** The only shape that describes V, so that a change of RunEvent is a compile error in the table. */
type ShapeOf<V> = null extends V
  ? { readonly orNull: PlainShapeOf<NonNullable<V>> }
  : PlainShapeOf<V>;

type PlainShapeOf<V> = [V] extends [string]
  ? WordsOf<V>
  : [V] extends [number]
    ? "number"
    : [V] extends [boolean]
      ? "flag"
      : [V] extends [readonly unknown[]]
        ? "list"
        : [V] extends [{ readonly kind: infer K extends string }]
          ? { readonly kinds: { readonly [kind in K]: true } }
          : "record";

/** Any text, branded ids included, or one of a few words: only words become required keys. */
type WordsOf<V extends string> =
  Record<string, true> extends Readonly<Record<V, true>>
    ? "text"
    : { readonly words: { readonly [word in V]: true } };

type Shapes = {
  readonly [T in EventType]: {
    readonly [F in Exclude<keyof EventOf<T>, "type">]: ShapeOf<EventOf<T>[F]>;
  };
};

const AT = { task: "text", step: "text", attempt: "number" } as const;
const RECORD_OR_NULL = { orNull: "record" } as const;
const TEXT_OR_NULL = { orNull: "text" } as const;

const WORKSPACE = { kinds: { worktree: true, "in-place": true, plain: true } } as const;

export const EVENT_SHAPES = {
  "run-started": {
    run: "text",
    source: { kinds: { file: true, folder: true, words: true } },
    isolation: { words: { worktree: true, none: true } },
    autoCommit: "flag",
    limits: "record",
    parallel: "number",
    landing: { words: { leave: true, merge: true, "pull-request": true } },
    base: RECORD_OR_NULL,
    flags: "record",
    pinned: RECORD_OR_NULL,
    orch: "text",
    node: "text",
  },
  "settings-pinned": { pinned: "record", changed: "list" },
  "run-resumed": { stopped: { words: { "in-order": true, killed: true } }, orch: "text" },
  "log-repaired": { bytes: "number" },
  "task-defined": { task: "record", by: TEXT_OR_NULL, tightened: "list" },
  "task-change-refused": { task: "text", paths: "list" },
  "tasks-read": { count: "number", after: TEXT_OR_NULL },
  "tree-planned": { task: "text", workspace: WORKSPACE },
  "tree-made": { task: "text", files: "number", bytes: "number", notes: "list" },
  "task-started": {
    task: "text",
    workspace: WORKSPACE,
  },
  "task-weighed": { task: "text", signals: "list" },
  "attempt-started": {
    ...AT,
    role: { words: { work: true, plan: true } },
    plan: "number",
    checkpoint: RECORD_OR_NULL,
  },
  "session-started": {
    ...AT,
    token: "text",
    start: { kinds: { fresh: true, "follow-up": true, deliver: true } },
    agent: "text",
    driver: "text",
    model: TEXT_OR_NULL,
    abilities: "record",
    reserved: "record",
    promptChars: "number",
  },
  "session-spawned": { ...AT, token: "text", process: "record", program: "text" },
  "session-outlived": { ...AT, token: "text", programs: "list" },
  "session-progressed": { ...AT, token: "text", usage: "record", elapsedMs: "number" },
  "session-ended": {
    ...AT,
    token: "text",
    ending: {
      kinds: {
        finished: true,
        asked: true,
        limit: true,
        fault: true,
        crashed: true,
        "timed-out": true,
        looped: true,
        interrupted: true,
        "not-started": true,
        lost: true,
      },
    },
    report: {
      kinds: { read: true, "in-progress": true, missing: true, stale: true, unreadable: true },
    },
    usage: "record",
    sessionId: TEXT_OR_NULL,
    totals: RECORD_OR_NULL,
    agentVersion: TEXT_OR_NULL,
    unasked: "list",
    trace: "record",
    plan: { kinds: { "not-asked": true, missing: true, unreadable: true, written: true } },
    elapsedMs: "number",
  },
  "gate-ended": { ...AT, result: "record" },
  "base-checked": {
    ...AT,
    result: "record",
    programs: "record",
    where: { words: { copy: true, tree: true } },
  },
  decided: {
    ...AT,
    evidence: "record",
    decision: { kinds: { continue: true, replan: true, pause: true, stall: true } },
    explanation: "record",
    tally: RECORD_OR_NULL,
  },
  "rollback-started": { task: "text", to: "record" },
  "attempt-settled": { ...AT, checkpoint: RECORD_OR_NULL, commit: TEXT_OR_NULL },
  "question-asked": {
    question: {
      kinds: { question: true, blocker: true, guidance: true, plan: true, budget: true },
    },
  },
  answered: { answer: "record", inbox: TEXT_OR_NULL },
  "answer-refused": {
    question: "text",
    inbox: TEXT_OR_NULL,
    why: { words: { unknown: true, "already-answered": true, "not-allowed": true, expired: true } },
    by: "text",
  },
  notified: {
    question: TEXT_OR_NULL,
    channel: { words: { command: true, url: true } },
    trouble: TEXT_OR_NULL,
  },
  "wait-ended": { task: "text" },
  "budget-warned": { task: "text", limit: "text" },
  "orphan-ended": { token: "text", pids: "list" },
  "tree-kept": { task: "text", root: "text" },
  "tree-locked": { task: "text", why: "text" },
  "conflicts-predicted": { task: "text", conflicts: "list" },
  "scope-crossed": { ...AT, peer: "text", paths: "list" },
  "landing-started": {
    how: { words: { merge: true, "pull-request": true } },
    commit: "text",
    branch: "text",
    of: TEXT_OR_NULL,
  },
  landed: { of: TEXT_OR_NULL, result: { kinds: { landed: true, left: true } } },
  "merge-started": { task: "text", commit: "text", onto: "text" },
  "merge-gate-ended": { task: "text", result: "record" },
  "merge-ended": {
    task: "text",
    result: { kinds: { merged: true, "to-prove": true, conflict: true, red: true } },
  },
  rescued: { task: "text", ref: "text", why: "text" },
  "task-ended": {
    task: "text",
    end: {
      kinds: { done: true, stalled: true, blocked: true, skipped: true, "over-budget": true },
    },
  },
  "run-interrupted": { signal: { words: { SIGINT: true, SIGTERM: true, SIGHUP: true } } },
  "run-ended": { exitCode: "number" },
} as const satisfies Shapes;
