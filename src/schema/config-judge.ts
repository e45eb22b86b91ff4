// Which second model may be asked, and how is it reached?

import { z } from "zod";

import { DEFAULT_JUDGE } from "../core/model/judge.ts";
import type { JudgeChoice } from "../core/model/settings.ts";
import { isOutside } from "./duration.ts";
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
  timeout: duration
    .refine((text) => !isOutside(text, TIMEOUT_LEAST_MS, TIMEOUT_MOST_MS), {
      error: "expected a time from 1s to 10m",
    })
    .optional(),
});

export function judgeOf(written: z.infer<typeof judgeShape> | undefined): JudgeChoice {
  const standard = DEFAULT_JUDGE;
  return {
    settings: {
      ...standard,
      enabled: written?.enabled ?? standard.enabled,
      model: written?.model ?? standard.model,
      confidenceMin: written?.confidence ?? standard.confidenceMin,
      fromAttempt: written?.fromAttempt ?? standard.fromAttempt,
      timeoutMs: milliseconds(written?.timeout) ?? standard.timeoutMs,
    },
    keyVariable: written?.apiKeyEnv ?? "ANTHROPIC_API_KEY",
    baseUrl: written?.baseUrl ?? null,
  };
}
