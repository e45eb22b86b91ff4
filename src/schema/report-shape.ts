// Which fields has an agent's report, and under which names are they found?

import { z } from "zod";

import { isBlockerType, IMPACTS, SEVERITIES } from "../core/model/report.ts";
import type { DeclaredQuestion, Impact } from "../core/model/report.ts";
import { excerpt } from "../core/model/excerpt.ts";
import { pathInside } from "./fields.ts";
import {
  canonical,
  count,
  entry,
  flag,
  line,
  LINE_CHARS_MAX,
  list,
  neededLine,
  orNull,
  text,
} from "./tolerant.ts";

export const SUMMARY_CHARS_MAX = 4_000;
/** A plan is handed to the next step this way. */
const NEXT_STEPS_CHARS_MAX = 16_000;
const PATH_CHARS_MAX = 500;
const TYPE_CHARS_MAX = 60;

/** A report cannot name files outside the tree. */
const path = text(PATH_CHARS_MAX).pipe(pathInside);

const words = entry(
  { label: z.union([neededLine, z.number().transform(String)], { error: "expected some text" }) },
  { label: ["text", "approach", "description"] },
).transform(({ label }) => label);

const blocker = entry(
  {
    message: orNull(line),
    type: orNull(text(TYPE_CHARS_MAX)),
    recoverable: orNull(flag),
    recommendation: orNull(line),
  },
  {
    message: ["description", "details", "error", "reason"],
    type: ["kind", "category", "code"],
    recommendation: ["suggestion"],
  },
)
  .refine(({ message, type }) => (message ?? type) !== null, {
    error: "expected a blocker with type and message",
  })
  .transform(({ message, type, ...rest }) => {
    // Known types in any spelling; others as the agent wrote them, so that the list can grow.
    const folded = canonical(type);
    const blockerType = isBlockerType(folded) ? folded : (type?.toLowerCase() ?? "unspecified");
    return { type: blockerType, message: message ?? "", ...rest };
  });

export const QUESTION_SYNONYMS = { question: ["text"] };
export const questionShape = {
  question: neededLine,
  options: list(words),
  default: orNull(line),
  impact: orNull(z.preprocess(canonical, z.enum(IMPACTS))),
};

/** Where the impact is not stated: with a default the agent could go on by it; without one it cannot. */
export function withImpact(
  question: Omit<DeclaredQuestion, "impact"> & { readonly impact: Impact | null },
): DeclaredQuestion {
  return {
    ...question,
    impact: question.impact ?? (question.default === null ? "blocking" : "major"),
  };
}

const progress = z.object({
  stage: orNull(line),
  details: orNull(text(SUMMARY_CHARS_MAX)),
  phasesCompleted: orNull(count),
  phasesTotal: orNull(count),
  handoffPath: orNull(path),
});

const REASON = { reason: ["rationale", "why"] };

/** Of the fields of a report; its status is read apart. */
export const REPORT_SYNONYMS = {
  blockers: ["blocker"],
  partialProgress: ["progress"],
  questions: ["openQuestions"],
  criteria: ["acceptanceCriteria"],
};

export const reportSchema = z
  .object({
    summary: orNull(text(SUMMARY_CHARS_MAX)),
    requiresUserReview: orNull(flag),
    reviewReason: orNull(line),
    blockers: list(blocker),
    errors: list(blocker),
    partialProgress: orNull(progress),
    assumptions: list(
      entry(
        { decision: neededLine, reason: orNull(line) },
        { decision: ["assumption", "text"], ...REASON },
      ),
    ),
    questions: list(entry(questionShape, QUESTION_SYNONYMS).transform(withImpact)),
    criteria: list(
      entry(
        { text: neededLine, met: orNull(flag), evidence: orNull(line) },
        { text: ["criterion", "name"], evidence: ["reason"] },
      ),
    ),
    findings: list(
      entry(
        {
          // A finding is worth more than the word for it: what is not known blocks.
          severity: z.preprocess(canonical, z.enum(SEVERITIES)).catch("major"),
          file: orNull(path).catch(null),
          reason: neededLine,
        },
        { file: ["path"], reason: ["text", "message", "description"] },
      ),
    ),
    approachesTried: list(words),
    artifacts: list(entry({ path, summary: orNull(line) }, { summary: ["description"] })),
    // Without a reason, which is no single word, one says nothing. Both stand in lists of lines.
    changedChecks: list(
      entry(
        { check: neededLine, reason: neededLine.refine((why) => /\S\s+\S|\p{Lo}{4}/u.test(why)) },
        { check: ["name", "path", "file", "label"], ...REASON },
      ).transform(({ check, reason }) => ({
        check: excerpt(check, LINE_CHARS_MAX),
        reason: excerpt(reason, LINE_CHARS_MAX),
      })),
    ),
    confidence: orNull(z.number().min(0).max(1)),
    nextSteps: orNull(
      z.union([
        text(NEXT_STEPS_CHARS_MAX),
        z.array(words).transform((all) => all.join("\n").slice(0, NEXT_STEPS_CHARS_MAX)),
      ]),
    ),
  })
  .transform(
    ({ summary, requiresUserReview, reviewReason, errors, partialProgress, ...words }) => ({
      ...words,
      summary: summary ?? "",
      review: requiresUserReview === true ? { reason: reviewReason } : null,
      blockers: [...words.blockers, ...errors],
      progress: partialProgress,
    }),
  );
