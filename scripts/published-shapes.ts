// What do the documents look like that other programs read from orch, or write for it?

import { z } from "zod";

import { BLOCKERS } from "../src/core/model/report.ts";
import { CAUSES } from "../src/core/run/outcome.ts";
import { ANSWER_ACTIONS } from "../src/core/model/question.ts";
import type * as asked from "../src/core/model/question.ts";
import type { Recorded } from "../src/core/model/event.ts";
import type {
  GateProof,
  GateVerdict,
  RunResult,
  SpentView,
  TaskResult,
} from "../src/core/views/run-view.ts";
import { LINE_VERSION } from "../src/schema/event-line.ts";
import { EVENT_SHAPES } from "../generated/event-shapes.ts";
import type { Shape } from "../src/schema/shape.ts";

/** The keys of T, each once and none besides: a new field of T is a compile error here. */
type ShapeOf<T> = { readonly [K in keyof T]-?: z.ZodType };

const text = z.string();
const time = z.string().meta({ format: "date-time" });
const count = z.int().min(0);
const impact = z.enum(["blocking", "contradiction", "major", "minor", "taste"]);

/** The report as the contract asks for it. The parser takes more than this, with notes. */
export const reportSchema = z
  .looseObject({
    version: z.literal(1).optional(),
    status: z.enum(["completed", "partial", "failed", "blocked"]),
    summary: text.min(1),
    requires_user_review: z.boolean().optional(),
    review_reason: text
      .optional()
      .meta({ description: "Required when requires_user_review is true." }),
    blockers: z
      .array(
        z.looseObject({
          type: text.meta({ examples: Object.keys(BLOCKERS) }),
          message: text,
          recoverable: z.boolean().optional(),
          recommendation: text.optional(),
        }),
      )
      .optional(),
    partial_progress: z
      .looseObject({
        stage: text.optional(),
        details: text.optional(),
        phases_completed: count.optional(),
        phases_total: count.optional(),
        handoff_path: text.optional(),
      })
      .optional(),
    assumptions: z.array(z.looseObject({ decision: text, reason: text.optional() })).optional(),
    changed_checks: z.array(z.looseObject({ check: text, reason: text })).optional(),
    questions: z
      .array(
        z.looseObject({
          question: text,
          options: z.array(text).optional(),
          default: text.optional(),
          impact: impact.optional(),
        }),
      )
      .optional(),
    criteria: z.array(z.looseObject({ text, met: z.boolean().nullable().optional() })).optional(),
    approaches_tried: z.array(text).optional(),
    artifacts: z.array(z.looseObject({ path: text, summary: text.optional() })).optional(),
    confidence: z.number().min(0).max(1).optional(),
    next_steps: text.optional(),
  })
  .meta({ title: "An agent's report ($ORCH_REPORT)" });

const questionShape = {
  id: text,
  task: text,
  step: text,
  attempt: count,
  kind: z.enum(["question", "blocker", "guidance", "plan", "budget"]),
  question: text,
  options: z.array(text),
  default: text.nullable(),
  impact,
  context: z.array(text),
  askedAt: time,
  expiresAt: time.nullable(),
  toolUseId: text.nullable(),
  budget: z
    .looseObject({
      limit: z.enum(["cost", "tokens", "time", "sessions", "run cost", "run time"]),
      used: z.number(),
      most: z.number(),
      more: z.number(),
    } as const satisfies ShapeOf<asked.BudgetAsked>)
    .nullable(),
} as const satisfies ShapeOf<asked.Question>;

const answerShape = {
  id: text,
  action: z.enum(ANSWER_ACTIONS),
  text,
  by: text,
  at: time,
} as const satisfies ShapeOf<asked.Answer>;

const question = z.looseObject(questionShape);
const answer = z.looseObject(answerShape);

export const questionSchema = z
  .looseObject({ version: z.literal(1), ...questionShape, answer: answer.nullable() })
  .meta({ title: "A question of a run (questions/<id>.json)" });

const interactionShape = { question, answer } as const satisfies ShapeOf<asked.Interaction>;
const remark = z.looseObject({ text, by: text, at: time });
const remarkShape = { question: z.null(), answer: remark } as const satisfies ShapeOf<asked.Remark>;

const PLAIN = {
  text,
  number: z.number(),
  flag: z.boolean(),
} as const satisfies Record<Extract<Shape, string>, z.ZodType>;

const envelopeShape = {
  v: z.literal(LINE_VERSION),
  seq: z.int().min(1),
  epoch: z.int().min(1),
  at: time,
  run: text,
  /** In the log alone: `--json` is not read back. */
  crc: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .optional(),
} as const satisfies ShapeOf<Omit<Recorded, "event">> & {
  readonly v: z.ZodType;
  readonly crc: z.ZodType;
  readonly run: z.ZodType;
};

/** One line of events.jsonl, and one line of --json before the last. */
export const eventSchema = z
  .union(
    Object.entries(EVENT_SHAPES).map(([type, fields]) =>
      z
        .looseObject({
          ...envelopeShape,
          type: z.literal(type),
          ...Object.fromEntries(
            Object.entries(fields).map(([name, shape]) => [name, fieldSchema(shape)]),
          ),
        })
        .meta({ title: type }),
    ),
  )
  .meta({ title: "An event of a run (a line of events.jsonl)" });

const tokensShape = { input: count, output: count, cacheRead: count, cacheWrite: count };
const spentShape = {
  sessions: count,
  costUsd: z.number().nullable(),
  costUnknown: z.boolean(),
  tokensByModel: z.record(text, z.looseObject(tokensShape)),
  workMs: z.number(),
  gatesMs: z.number(),
  pausedMs: z.number(),
  elapsedMs: z.number(),
} as const satisfies ShapeOf<SpentView>;

const PHASES =
  "pending running waiting_for_input waiting_for_reset done stalled blocked skipped outdone interrupted";
const phase = z.enum(PHASES.split(" "));

const saidShape = {
  verdict: z.enum(["passed", "failed", "unknown"]),
  counts: z.looseObject({ runner: text, passed: count, failed: count, skipped: count }).nullable(),
} as const satisfies ShapeOf<GateVerdict>;

const grade = z.enum(["proven", "nothing-broke", "proven-checks-changed", "not-verified"]);

const taskShape = {
  id: text,
  title: text,
  file: text.nullable(),
  pipeline: text,
  dependsOn: z.array(text),
  phase,
  doing: text,
  step: text.nullable(),
  attempt: count.nullable(),
  plan: count,
  replans: count,
  handoffs: count,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
  end: z.enum(["done", "stalled", "blocked", "skipped", "over-budget", "outdone"]).nullable(),
  verified: z.boolean(),
  reason: text.nullable(),
  gatesFailing: z.boolean(),
  retryAtMs: z.number().nullable(),
  attempts: count,
  spent: z.looseObject(spentShape),
  branch: text.nullable(),
  base: text.nullable(),
  committed: z.boolean(),
  merged: text.nullable(),
  rescues: z.array(text),
  pendingQuestion: question.nullable(),
  interactionHistory: z.array(
    z.union([z.looseObject(interactionShape), z.looseObject(remarkShape)]),
  ),
  proof: z.array(
    z.looseObject({
      gate: text,
      before: z.looseObject(saidShape).nullable(),
      now: z.looseObject(saidShape),
    } as const satisfies ShapeOf<GateProof>),
  ),
  refusedClaims: count,
  permissions: z.array(z.looseObject({ act: text, allowed: z.boolean(), by: text })),
  acceptedBy: z.string().nullable(),
  grade: grade.nullable(),
  changedChecks: z.array(
    z.looseObject({
      gate: text,
      check: text,
      how: z.enum(["gone", "replaced", "skipped", "fails-as-it-was", "turned-elsewhere"]),
      reason: text.nullable(),
    }),
  ),
  unproven: text.nullable(),
  criteria: z.array(
    z.looseObject({ text, met: z.boolean().nullable(), evidence: text.nullable() }),
  ),
  ranking: z.array(z.looseObject({ task: text, agent: text, grade: grade.nullable() })),
  by: text.nullable(),
  notHeeded: z.array(text),
  refused: z.array(text),
  unusable: z.array(text),
  crossings: z.array(z.looseObject({ by: text, into: text, paths: z.array(text) })),
  outOfScope: z.array(z.looseObject({ path: text, reason: text.nullable() })),
  cause: z.enum(Object.keys(CAUSES)).nullable(),
  advice: text.nullable(),
  notes: z.array(
    z.looseObject({
      kind: text,
      path: text.nullable(),
      detail: text,
      line: z.int().nullable(),
    }),
  ),
  assumptions: z.array(z.looseObject({ decision: text, reason: text.nullable() })),
  unasked: z.array(z.looseObject({ question: text, impact, why: text, answer: text })),
  directory: text,
} as const satisfies ShapeOf<TaskResult>;

const resultShape = {
  type: z.literal("result"),
  version: z.literal(1),
  run: text,
  title: text,
  phase,
  counts: z.partialRecord(phase, count),
  pendingQuestion: question.nullable(),
  base: z
    .looseObject({ commit: text, branch: text.nullable(), withChanges: z.boolean() })
    .nullable(),
  into: text.nullable(),
  landing: z
    .looseObject({ how: text, branch: text, result: z.looseObject({ kind: text }).nullable() })
    .nullable(),
  isolation: z.enum(["worktree", "none"]),
  autoCommit: z.boolean(),
  finished: z.boolean(),
  exitCode: z.int(),
  outcome: text,
  startedAt: time,
  updatedAt: time,
  source: z.looseObject({ kind: z.enum(["file", "folder", "files", "words"]) }),
  spent: z.looseObject(spentShape),
  tasks: z.array(z.looseObject(taskShape)),
  directory: text,
} as const satisfies ShapeOf<RunResult>;

export const resultSchema = z
  .looseObject(resultShape)
  .meta({ title: "How a run came out (result.json, and the last line of --json)" });

/** As far as the field itself: what stands in it is orch's own affair. */
function fieldSchema(shape: Shape): z.ZodType {
  if (typeof shape === "string") return PLAIN[shape];
  if ("orNull" in shape) return fieldSchema(shape.orNull).nullable();
  if ("oneOf" in shape) return z.literal([...shape.oneOf]);
  if ("list" in shape) return z.array(z.unknown());
  if ("by" in shape) return z.looseObject({ [shape.by]: z.enum(Object.keys(shape.of)) });
  return z.looseObject({});
}
