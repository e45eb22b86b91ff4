// Which tools does orch offer to agents, and what does each take?

import { IMPACTS } from "../core/model/report.ts";

/**
 * Neither tool touches the work: one speaks to a person, the other leaves the agent's own word to
 * orch, at a place that is orch's. Agents that would have to ask for permission call them at once.
 */
const HINTS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean" } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const TEXTS = { type: "array", items: TEXT } as const;
const IMPACT = { ...TEXT, enum: [...IMPACTS] };

export const ASK_HUMAN = onOffer({
  name: "ask_human",
  title: "Ask a person",
  description:
    "Asks a person one question and gives the answer; it may take a while. For choices that change " +
    "what is built and that neither the task nor the code settles. Not for permission, and not " +
    "for what you can find out yourself.",
  inputSchema: {
    type: "object",
    properties: {
      question: { ...TEXT, description: "The question, understandable on its own." },
      options: { ...TEXTS, description: "Possible answers." },
      default: { ...TEXT, description: "What you would do without an answer." },
      impact: {
        ...IMPACT,
        description:
          "blocking: cannot go on. contradiction: the task contradicts itself. major: behaviour, " +
          "data or interfaces, costly to reverse. minor: visible but reversible. taste: naming.",
      },
      context: { ...TEXT, description: "What the person needs to know to answer." },
      expires_in: {
        ...TEXT,
        description: 'How long the question makes sense, like "2h"; leave it out for no limit.',
      },
    },
    required: ["question"],
  },
});

/**
 * Where the agent's program puts questions off. It is told which tools it may call, so the hint is
 * not needed there; and it runs the read-only calls of one answer side by side, while of two
 * questions the first is to be the one that is put.
 */
export const ASK_HUMAN_IN_ORDER = {
  ...ASK_HUMAN,
  annotations: { ...HINTS, readOnlyHint: false },
};

/** The published schema of reports, in the few words of JSON Schema that every agent understands. */
export const REPORT = onOffer({
  name: "report",
  title: "Leave the report",
  description:
    "Checks your report and leaves it where it belongs. Call it once, when you are done or cannot " +
    "go on; what is wrong with it is told at once, and nothing is left until it is right.",
  inputSchema: {
    type: "object",
    properties: {
      version: { type: "integer", enum: [1] },
      status: { ...TEXT, enum: ["completed", "partial", "failed", "blocked"] },
      summary: { ...TEXT, description: "In a few sentences: what was done, and what is left." },
      requires_user_review: FLAG,
      review_reason: { ...TEXT, description: "Required when requires_user_review is true." },
      blockers: list({ type: TEXT, message: TEXT, recoverable: FLAG, recommendation: TEXT }, [
        "type",
        "message",
      ]),
      partial_progress: object({
        stage: TEXT,
        details: TEXT,
        phases_completed: COUNT,
        phases_total: COUNT,
        handoff_path: TEXT,
      }),
      assumptions: list({ decision: TEXT, reason: TEXT }, ["decision"]),
      changed_checks: list({ check: TEXT, reason: TEXT }, ["check", "reason"]),
      questions: list({ question: TEXT, options: TEXTS, default: TEXT, impact: IMPACT }, [
        "question",
      ]),
      quality_gates: object({
        all_passed: FLAG,
        tests_passed: COUNT,
        tests_failed: COUNT,
        coverage: { type: "number", minimum: 0, maximum: 100 },
      }),
      criteria: list({ text: TEXT, met: FLAG }, ["text"]),
      approaches_tried: TEXTS,
      artifacts: list({ path: TEXT, summary: TEXT }, ["path"]),
      confidence: { type: "number", minimum: 0, maximum: 1 },
      next_steps: TEXT,
    },
    required: ["status", "summary"],
  },
});

interface Offered {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { type: "object"; properties: Record<string, object>; required: string[] };
}

/** Some agents list a tool by its name alone until it is looked up, unless told otherwise. */
function onOffer(tool: Offered) {
  return { ...tool, annotations: HINTS, _meta: { "anthropic/alwaysLoad": true } };
}

function object(properties: object): { type: "object"; properties: object } {
  return { type: "object", properties };
}

function list(properties: object, required: readonly string[]): object {
  return { type: "array", items: { ...object(properties), required: [...required] } };
}
