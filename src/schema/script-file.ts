// What does a script file say, and what does the scripted agent say while it plays one?

import { z } from "zod";

import type { Impact } from "../core/model/report.ts";
import type { Script, ScriptSaid, ScriptSession, ScriptStep } from "../core/model/script.ts";
import type { FaultKind } from "../core/model/session.ts";
import { parsed, problemsOf, unparsed } from "./parsed.ts";
import type { Parsed } from "./parsed.ts";

/** Reads a script file's text. Strict: a misspelt step would otherwise be played as nothing. */
export function parseScript(source: string): Parsed<Script> {
  let raw: unknown;
  try {
    raw = JSON.parse(source);
  } catch (error) {
    return unparsed(error instanceof Error ? error.message : String(error));
  }
  const result = SCRIPT.safeParse(raw);
  if (result.success) return parsed(result.data);
  const [first = "not a script", ...rest] = problemsOf(result.error.issues);
  return unparsed(first, ...rest);
}

/** A line of the scripted agent; null: none of its own. */
export function parseScriptSaid(raw: unknown): ScriptSaid | null {
  const result = SAID.safeParse(raw);
  return result.success ? result.data : null;
}

const IMPACTS = [
  "blocking",
  "contradiction",
  "major",
  "minor",
  "taste",
] as const satisfies readonly Impact[];

const FAULTS = [
  "usage-limit",
  "rate-limit",
  "overloaded",
  "server-error",
  "network",
  "authentication",
  "permission",
  "billing",
  "model-not-found",
  "context-overflow",
  "refusal",
  "bad-request",
] as const satisfies readonly FaultKind[];

const PATH = z.string().min(1).max(1_000);
const COUNT = z.number().int().min(0);
const DAY_MS = 86_400_000;

const ASK = z.strictObject({
  question: z.string().min(1),
  options: z.array(z.string()).default([]),
  default: z.string().nullable().default(null),
  impact: z.enum(IMPACTS).default("major"),
  context: z.string().nullable().default(null),
  expiresInMs: z.number().int().min(1).nullable().default(null),
});

const FAULT = z.strictObject({
  kind: z.enum(FAULTS),
  httpStatus: z.number().int().nullable().default(null),
  resetAtMs: z.number().nullable().default(null),
  retryAfterMs: z.number().nullable().default(null),
  message: z.string().default("as the script says"),
});

const USAGE = z.strictObject({
  input: COUNT.default(0),
  output: COUNT.default(0),
  cacheRead: COUNT.default(0),
  cacheWrite: COUNT.default(0),
  costUsd: z.number().min(0).default(0),
  turns: COUNT.default(1),
});

const STEP: z.ZodType<ScriptStep> = z.union(
  [
    z
      .strictObject({ say: z.string() })
      .transform(({ say }): ScriptStep => ({ kind: "say", text: say })),
    z
      .strictObject({ think: z.string() })
      .transform(({ think }): ScriptStep => ({ kind: "think", text: think })),
    z
      .strictObject({ write: z.strictObject({ path: PATH, text: z.string() }) })
      .transform(({ write }): ScriptStep => ({ kind: "write", ...write })),
    z
      .strictObject({
        edit: z.strictObject({ path: PATH, find: z.string().min(1), replace: z.string() }),
      })
      .transform(({ edit }): ScriptStep => ({ kind: "edit", ...edit })),
    z
      .strictObject({ remove: PATH })
      .transform(({ remove }): ScriptStep => ({ kind: "remove", path: remove })),
    z
      .strictObject({ run: z.string().min(1) })
      .transform(({ run }): ScriptStep => ({ kind: "run", command: run })),
    z.strictObject({ ask: ASK }).transform(({ ask }): ScriptStep => ({ kind: "ask", ask })),
    z
      .strictObject({ wait: z.number().min(0).max(DAY_MS) })
      .transform(({ wait }): ScriptStep => ({ kind: "wait", waitMs: wait })),
    z
      .strictObject({ report: z.union([z.string(), z.record(z.string(), z.unknown())]) })
      .transform(({ report }): ScriptStep => ({ kind: "report", report })),
    z
      .strictObject({ usage: USAGE })
      .transform(({ usage }): ScriptStep => ({ kind: "usage", usage })),
    z
      .strictObject({ fault: FAULT })
      .transform(({ fault }): ScriptStep => ({ kind: "fault", fault })),
    z.strictObject({ hang: z.literal(true) }).transform((): ScriptStep => ({ kind: "hang" })),
    z
      .strictObject({ exit: z.number().int().min(0).max(255) })
      .transform(({ exit }): ScriptStep => ({ kind: "exit", code: exit })),
  ],
  {
    error:
      "expected one step such as say, think, write, edit, remove, run, ask, wait, report, usage, fault, hang or exit, with its value",
  },
);

const SESSION: z.ZodType<ScriptSession> = z
  .strictObject({
    task: z.string().nullable().default(null),
    step: z.string().nullable().default(null),
    attempt: z.number().int().min(1).nullable().default(null),
    nth: z.number().int().min(1).nullable().default(null),
    followUp: z
      .enum(["feedback", "write-report", "nudge", "go-on", "answer"])
      .nullable()
      .default(null),
    do: z.array(STEP).max(10_000),
  })
  .transform(({ do: steps, ...place }) => ({ ...place, steps }));

const SCRIPT: z.ZodType<Script> = z.strictObject({ sessions: z.array(SESSION).min(1).max(10_000) });

const SAID: z.ZodType<ScriptSaid> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("say"), text: z.string() }),
  z.object({ type: z.literal("think"), text: z.string() }),
  z.object({
    type: z.literal("tool-call"),
    id: z.string(),
    tool: z.string(),
    input: z.string(),
  }),
  z.object({
    type: z.literal("tool-result"),
    id: z.string(),
    isError: z.boolean(),
    output: z.string(),
  }),
  z.object({ type: z.literal("asked"), at: COUNT, asked: ASK }),
  z.object({
    type: z.literal("unasked"),
    unasked: z.object({
      question: z.string(),
      impact: z.enum(IMPACTS),
      why: z.enum(["level", "duplicate", "too-many"]),
      answer: z.string(),
    }),
  }),
  z.object({ type: z.literal("usage"), usage: USAGE }),
  z.object({ type: z.literal("fault"), fault: FAULT }),
  z.object({ type: z.literal("limit"), limit: z.enum(["turns", "cost"]) }),
]);
