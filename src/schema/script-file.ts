// What does a script file say, and what does the scripted agent say while it plays one?

import { z } from "zod";

import type { Script, ScriptSaid, ScriptSession, ScriptStep } from "../core/model/script.ts";
import { IMPACTS } from "../core/model/report.ts";
import { FAULT_KINDS } from "../core/model/session.ts";
import { parseWith } from "./key-problems.ts";
import { parseJson, type Parsed } from "./parsed.ts";

/** Reads a script file's text. Strict: a misspelt step would otherwise be played as nothing. */
export function parseScript(source: string): Parsed<Script> {
  const raw = parseJson(source);
  return raw.ok ? parseWith(SCRIPT, raw.value) : raw;
}

/** A line of the scripted agent; null: none of its own. */
export function parseScriptSaid(raw: unknown): ScriptSaid | null {
  return SAID.safeParse(raw).data ?? null;
}

const text = z.string();
const words = text.min(1);
const path = words.max(1_000);
const count = z.int().min(0);
const fromOne = z.int().min(1);
const span = z.number().min(0).max(86_400_000);

function orNull<T extends z.ZodType>(schema: T) {
  return schema.nullable().default(null);
}

const ASK = z.strictObject({
  question: words,
  options: z.array(text).default([]),
  default: orNull(text),
  impact: z.enum(IMPACTS).default("major"),
  context: orNull(text),
  expiresInMs: orNull(fromOne),
});

const FAULT = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  httpStatus: orNull(z.int()),
  resetAtMs: orNull(z.number()),
  retryAfterMs: orNull(z.number()),
  message: text.default("as the script says"),
});

const USAGE = z.strictObject({
  input: count.default(0),
  output: count.default(0),
  cacheRead: count.default(0),
  cacheWrite: count.default(0),
  costUsd: z.number().min(0).default(0),
  turns: count.default(1),
});

/** A step is an object with one of these keys; what stands behind the key makes the step. */
const STEPS = {
  say: text.transform((said) => ({ kind: "say", text: said })),
  think: text.transform((said) => ({ kind: "think", text: said })),
  write: z.strictObject({ path, text }).transform((file) => ({ kind: "write", ...file })),
  edit: z
    .strictObject({ path, find: words, replace: text })
    .transform((change) => ({ kind: "edit", ...change })),
  remove: path.transform((file) => ({ kind: "remove", path: file })),
  run: words.transform((command) => ({ kind: "run", command })),
  ask: ASK.transform((ask) => ({ kind: "ask", ask })),
  wait: span.transform((waitMs) => ({ kind: "wait", waitMs })),
  report: text.or(z.looseObject({})).transform((report) => ({ kind: "report", report })),
  usage: USAGE.transform((usage) => ({ kind: "usage", usage })),
  fault: FAULT.transform((fault) => ({ kind: "fault", fault })),
  hang: z.literal(true).transform(() => ({ kind: "hang" })),
  exit: count.max(255).transform((code) => ({ kind: "exit", code })),
} as const satisfies { readonly [K in ScriptStep["kind"]]: z.ZodType<ScriptStep> };

const STEP: z.ZodType<ScriptStep> = z.union(
  Object.entries(STEPS).map(([kind, value]) =>
    z.strictObject({ [kind]: value }).transform((step) => step[kind] ?? z.NEVER),
  ),
  { error: `expected one step with its value: ${Object.keys(STEPS).join(", ")}` },
);

const SESSION: z.ZodType<ScriptSession> = z
  .strictObject({
    task: orNull(text),
    step: orNull(text),
    attempt: orNull(fromOne),
    nth: orNull(fromOne),
    followUp: orNull(z.enum(["feedback", "write-report", "nudge", "go-on", "answer"])),
    do: z.array(STEP).max(10_000),
  })
  .transform(({ do: steps, ...place }) => ({ ...place, steps }));

const SCRIPT: z.ZodType<Script> = z.strictObject({ sessions: z.array(SESSION).min(1).max(10_000) });

const said = <T extends string, S extends z.core.$ZodLooseShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...shape });

const SAID: z.ZodType<ScriptSaid> = z.discriminatedUnion("type", [
  said("say", { text }),
  said("think", { text }),
  said("tool-call", { id: text, tool: text, input: text }),
  said("tool-result", { id: text, isError: z.boolean(), output: text }),
  said("asked", { at: count, asked: ASK }),
  said("usage", { usage: USAGE }),
  said("fault", { fault: FAULT }),
  said("limit", { limit: z.enum(["turns", "cost"]) }),
]);
