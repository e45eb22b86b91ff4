// What is one step inside a session, for somebody who looks for loops?

/** With a person in the conversation, what they say makes everything before it count no more. */
export type Mode = "headless" | "interactive";

export type Step =
  | {
      readonly kind: "tool";
      readonly tool: string;
      /** As `toolArguments` writes them: equal arguments are equal texts. */
      readonly args: string;
      /** null: it was never seen. */
      readonly result: { readonly text: string; readonly isError: boolean } | null;
    }
  /** A whole message of the agent. */
  | { readonly kind: "message"; readonly text: string }
  /** A piece of a message that is still being written, cut anywhere. */
  | { readonly kind: "text"; readonly text: string }
  /** What was being written is complete; any step but another piece says so too. */
  | { readonly kind: "message-end" }
  | { readonly kind: "user-message" }
  /** The conversation was shortened to fit the model. */
  | { readonly kind: "condensation" };

/** How often is too often (policy section 5). */
export const LOOP_LIMITS = {
  "same-call": 4,
  "failing-call": 3,
  cycle: 3,
  monologue: 3,
  condensation: 10,
  chanting: 8,
} as const;

export type LoopRuleId = keyof typeof LOOP_LIMITS;

export interface LoopFinding {
  readonly rule: LoopRuleId;
  /** One line for a person. */
  readonly evidence: string;
  /** Steps that belong to the loop so far, as far back as is remembered; for chanting, passages. */
  readonly length: number;
}

/** The longest cycle that is looked for, in calls. */
export const CYCLE_CALLS_MAX = 5;
