// What has been tried for a task so far, at one of three distances?

import type { Mode, Step } from "./step.ts";

/** One session and what was said about its work. */
export interface Turn {
  /** The sum of the required gates. */
  readonly gate: "passed" | "failed" | "unknown";
  readonly verdict: "accepted" | "sent-back";
  /** What the next session is told. */
  readonly feedback: string;
  readonly worker: "ended" | "failed";
  /** What the session did, or why it failed. */
  readonly summary: string;
  /** Whether the working tree changed; null: not measured. */
  readonly hasChanged: boolean | null;
  /** null: nobody counted. */
  readonly criteria: { readonly verified: number; readonly total: number } | null;
}

/** One plan that replaced an earlier one. */
export interface Plan {
  readonly text: string;
  /** null: nobody said. */
  readonly isSatisfied: boolean | null;
}

export type TaskHistory =
  | { readonly kind: "steps"; readonly mode: Mode; readonly steps: readonly Step[] }
  | { readonly kind: "turns"; readonly turns: readonly Turn[] }
  | { readonly kind: "replans"; readonly plans: readonly Plan[] };
