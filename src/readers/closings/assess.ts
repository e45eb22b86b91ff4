// Do a session's last words need a person, where it left nothing else, and from which level on?

import { clip } from "../../core/model/excerpt.ts";
import type { Level } from "../../core/model/level.ts";
import { actInProse, personNeeded } from "./person-needed.ts";
import { proseOf } from "./prose.ts";
import { levelOf, questionOf } from "./questions.ts";

export interface Closing {
  readonly text: string;
  /** All required gates passed: much that sounds like trouble then describes the work. */
  readonly proven: boolean;
  readonly level: Level;
}

export interface ClosingVerdict {
  /** At the input's level. */
  readonly needsHuman: boolean;
  /** The lowest level at which a pause is right; null: at none. */
  readonly minLevel: Level | null;
  readonly rule: ClosingRuleId;
  /** The decisive words first, as the agent wrote them; then the row of a table that read them. */
  readonly evidence: readonly string[];
}

/** In their order of precedence: among reasons that hold from the same level on, the first counts. */
export const CLOSING_RULES = {
  "prose-irreversible": "the text asks permission for what cannot be undone",
  "prose-blocker": "the text names something only a person can clear",
  "prose-refusal": "the text says no in a way that nothing milder explains",
  "prose-question": "the text asks what only a person can answer",
  "prose-silent": "nothing in the text is for a person",
} as const;

export type ClosingRuleId = keyof typeof CLOSING_RULES;

export function assessClosing({ text, proven, level }: Closing): ClosingVerdict {
  const first = reasonIn(text, proven);
  return {
    needsHuman: first !== null && level >= first.from,
    minLevel: first?.from ?? null,
    rule: first?.rule ?? "prose-silent",
    evidence: (first?.details ?? []).map((one) => clip(one, DETAIL_CHARS_MAX)),
  };
}

const DETAIL_CHARS_MAX = 500;
/** From this level on a person would rather be asked once too often than see a run go nowhere. */
const REFUSAL_FROM = 3;

interface Reason {
  readonly rule: ClosingRuleId;
  /** The lowest level at which it pauses. */
  readonly from: Level;
  readonly details: readonly string[];
}

function reasonIn(text: string, proven: boolean): Reason | null {
  const prose = proseOf(text);
  const act = actInProse(prose);
  if (act !== null) return { rule: "prose-irreversible", from: 1, details: [act] };
  const need = personNeeded(prose, proven);
  const asked = questionOf(prose);
  const question: Reason | null =
    asked === null
      ? null
      : {
          rule: "prose-question",
          from: levelOf(asked.impact),
          details: [asked.question, asked.row],
        };
  if (need === null) return question;
  const blocker: Reason = {
    rule: need.certain ? "prose-blocker" : "prose-refusal",
    from: need.certain ? 1 : REFUSAL_FROM,
    details: [need.words, need.row],
  };
  return question !== null && question.from < blocker.from ? question : blocker;
}
