// Which second model may be asked, and how is it reached?

import { z } from "zod";

import { DEFAULT_JUDGE } from "../core/judge.ts";
import type { JudgeChoice } from "../core/settings.ts";
import { count, duration, model } from "./fields.ts";
import { milliseconds } from "./limit-choice.ts";

const CONFIDENCE = "expected a number from 0.5 to 1";
const TIMEOUT_LEAST_MS = 1_000;
const TIMEOUT_MOST_MS = 10 * 60_000;

export const judgeShape = z.strictObject({
  enabled: z.boolean().optional(),
  model: model.optional(),
  apiKeyEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: "expected the name of an environment variable" })
    .optional(),
  baseUrl: z.url({ protocol: /^https?$/, error: "expected an http or https address" }).optional(),
  confidence: z
    .number({ error: CONFIDENCE })
    .min(0.5, { error: CONFIDENCE })
    .max(1, { error: CONFIDENCE })
    .optional(),
  fromAttempt: count(1).optional(),
  timeout: duration.optional(),
});

export function judgeOf(written: z.infer<typeof judgeShape> | undefined): JudgeChoice {
  const standard = DEFAULT_JUDGE;
  const timeoutMs = milliseconds(written?.timeout) ?? standard.timeoutMs;
  return {
    settings: {
      ...standard,
      enabled: written?.enabled ?? standard.enabled,
      model: written?.model ?? standard.model,
      confidenceMin: written?.confidence ?? standard.confidenceMin,
      fromAttempt: written?.fromAttempt ?? standard.fromAttempt,
      timeoutMs: Math.min(TIMEOUT_MOST_MS, Math.max(TIMEOUT_LEAST_MS, timeoutMs)),
    },
    keyVariable: written?.apiKeyEnv ?? "ANTHROPIC_API_KEY",
    baseUrl: written?.baseUrl ?? null,
  };
}
