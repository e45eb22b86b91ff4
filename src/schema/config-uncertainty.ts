// Which weights and thresholds of the uncertainty score does a config set?

import { z } from "zod";

import {
  DEFAULT_UNCERTAINTY,
  HESITATION_WEIGHT_MAX,
  SIGNALS,
  type SignalId,
  type UncertaintyPolicy,
} from "../core/model/signals.ts";

const WEIGHT_MAX = 100;

const weight = (most: number) =>
  z
    .number({ error: `expected a number from 0 to ${most}` })
    .min(0, { error: `expected a number from 0 to ${most}` })
    .max(most, { error: `expected a number from 0 to ${most}` })
    .optional();

const threshold = z
  .number({ error: "expected a number above 0" })
  .gt(0, { error: "expected a number above 0" })
  .max(1_000, { error: "expected at most 1000" })
  .optional();

export const uncertaintyShape = z.strictObject({
  enabled: z.boolean().optional(),
  threshold,
  autoSkipThreshold: threshold,
  interactive: z.boolean().optional(),
  weights: z
    .strictObject({
      declared_open_question_major: weight(WEIGHT_MAX),
      declared_open_question_minor: weight(WEIGHT_MAX),
      declared_low_confidence: weight(WEIGHT_MAX),
      ambiguous_target: weight(WEIGHT_MAX),
      missing_files: weight(WEIGHT_MAX),
      conflicting_signals: weight(WEIGHT_MAX),
      verification_inconclusive: weight(WEIGHT_MAX),
      verification_inconclusive_again: weight(WEIGHT_MAX),
      timeout_unclear: weight(WEIGHT_MAX),
      no_tool_calls: weight(WEIGHT_MAX),
      repeated_failure: weight(WEIGHT_MAX),
      no_progress: weight(WEIGHT_MAX),
      integrity_alarm: weight(WEIGHT_MAX),
      // Words in prose decide nothing by themselves, whoever would like them to.
      hesitation_words: weight(HESITATION_WEIGHT_MAX),
    } satisfies Record<SignalId, z.ZodType>)
    .optional(),
});

export function uncertaintyOf(
  written: z.infer<typeof uncertaintyShape> | undefined,
): UncertaintyPolicy {
  const standard = DEFAULT_UNCERTAINTY;
  const weights = { ...standard.weights };
  for (const signal of signalIds())
    weights[signal] = written?.weights?.[signal] ?? standard.weights[signal];
  return {
    enabled: written?.enabled ?? standard.enabled,
    threshold: written?.threshold ?? standard.threshold,
    autoSkipThreshold: written?.autoSkipThreshold ?? standard.autoSkipThreshold,
    interactive: written?.interactive ?? standard.interactive,
    weights,
  };
}

function signalIds(): readonly SignalId[] {
  const ids: SignalId[] = [];
  for (const id in SIGNALS) if (isSignal(id)) ids.push(id);
  return ids;
}

function isSignal(text: string): text is SignalId {
  return Object.hasOwn(SIGNALS, text);
}
