// Which keys may a config file have, and what may stand behind each?

import { z } from "zod";
import { IRREVERSIBLE_ACTIONS } from "../core/model/irreversible.ts";
import {
  budgetShape,
  costUsd,
  count,
  duration,
  glob,
  level,
  line,
  list,
  model,
  name,
  pathInside,
} from "./fields.ts";
import { uncertaintyShape } from "./config-uncertainty.ts";
import { judgeShape } from "./config-judge.ts";
import { notifyShape } from "./config-notify.ts";
import { questionsShape } from "./config-questions.ts";

/** One object rather than a union: a typo in a gate is then named instead of "no variant fits". */
const gateShape = {
  run: line.optional(),
  fileExists: pathInside.optional(),
  expect: z.enum(["pass", "fail"]).optional(),
  timeout: duration.optional(),
  required: z.boolean().optional(),
  parse: z.enum(["auto", "none", "vitest", "jest", "node-test", "pytest", "tap"]).optional(),
  retries: count(0).optional(),
};

const NO_GATE = 'expected "none" or gates by name, like { test: { run: "npm test" } }';
const gates = z.union([z.literal("none"), z.record(name, z.strictObject(gateShape))], {
  error: NO_GATE,
});

const STEP_GATES =
  'expected "none", or a list of gate names and gates like { name: "red", run: "npm test" }';
const stepGates = z.union(
  [
    z.literal("none"),
    list(z.union([name, z.strictObject({ name, ...gateShape })], { error: STEP_GATES })).min(1, {
      error: 'an empty list proves nothing; say "none" where that is meant',
    }),
  ],
  { error: STEP_GATES },
);

const step = z.strictObject({
  name,
  prompt: name,
  agent: name.optional(),
  model: model.optional(),
  gates: stepGates.optional(),
  fileAccess: z.strictObject({ allowWrite: list(glob) }).optional(),
  attempts: count(1).optional(),
  interactionThreshold: level.optional(),
  confirm: z.boolean().optional(),
});

/** No program can be started with such a value: for the system a NUL ends it. */
const variable = z
  .string()
  .refine((text) => !text.includes("\0"), { error: "expected text without NUL characters" });

const agent = z.strictObject({
  driver: z.enum(["claude-code", "command", "script"]),
  command: z
    .union([line, list(line).min(1, { error: "expected a program" })], {
      error: "expected a command line, or a list of a program and its arguments",
    })
    .optional(),
  promptVia: z.enum(["stdin", "file"]).optional(),
  script: line.optional(),
  model: model.optional(),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), variable).optional(),
});

const stallCount = count(1).optional();

export const configSchema = z
  .strictObject({
    agent: name.optional(),
    agents: z.record(name, agent).optional(),
    model: model.optional(),
    taskFolder: pathInside.optional(),
    pipelines: z
      .record(name, list(step).min(1, { error: "expected at least one step" }))
      .optional(),
    defaultPipeline: name.optional(),
    gates: gates.optional(),
    interactionThreshold: level.optional(),
    replans: count(0).optional(),
    budget: z
      .strictObject({
        ...budgetShape,
        run: z
          .strictObject({
            costUsd: costUsd.optional(),
            time: duration.optional(),
            questions: count(0).optional(),
          })
          .optional(),
      })
      .optional(),
    stall: z
      .strictObject({
        sameFailure: z
          .strictObject({ demand: stallCount, replan: stallCount, stall: stallCount })
          .optional(),
        unknownGate: z.strictObject({ demand: stallCount, stall: stallCount }).optional(),
        noChange: z.strictObject({ stall: stallCount }).optional(),
        timedOut: z.strictObject({ replan: stallCount }).optional(),
        stateReturns: z.strictObject({ stall: stallCount }).optional(),
        sameFingerprintEver: stallCount,
      })
      .optional(),
    uncertainty: uncertaintyShape.optional(),
    judge: judgeShape.optional(),
    questions: questionsShape.optional(),
    irreversible: z.strictObject({ allow: list(z.enum(IRREVERSIBLE_ACTIONS)) }).optional(),
    notify: notifyShape.optional(),
    git: z
      .strictObject({
        isolation: z.enum(["branch", "none"]).optional(),
        autoCommit: z.boolean().optional(),
        branchPrefix: z
          .string()
          .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*[/-]$/, {
            error: 'expected the beginning of a branch name that ends in "/" or "-", like "orch/"',
          })
          .max(60)
          .refine(isRefPrefix, {
            error: 'git allows no ".." in the name of a branch, and no part that ends in ".lock"',
          })
          .optional(),
      })
      .optional(),
    waitForRateLimitReset: z
      .union([z.boolean(), z.strictObject({ maxWait: duration })], {
        error: 'expected true, false, or { maxWait: "6h" }',
      })
      .optional(),
    timeouts: z
      .strictObject({ idle: duration.optional(), session: duration.optional() })
      .optional(),
  })
  .meta({ title: "Configuration of orch (.orchestrator.config.js)" });

/** What the pattern leaves open of git's rules for a ref, as `git check-ref-format` has them. */
function isRefPrefix(prefix: string): boolean {
  const whole = prefix.split("/").slice(0, -1);
  return !prefix.includes("..") && !whole.some((part) => part.endsWith(".lock"));
}

/** What is left of a config once its shape is known to be right. */
export type ConfigShape = z.infer<typeof configSchema>;
export type GateShape = z.infer<z.ZodObject<typeof gateShape>>;
export type StepShape = z.infer<typeof step>;
export type AgentShape = z.infer<typeof agent>;
