// What can another process ask of a run?

import type { QuestionId } from "./ids.ts";
import type { Answer } from "./question.ts";

/** A request another process left in the inbox. */
export type InboxRequest =
  /** `leftAtMs`: when it was left, which is what a deadline is compared with. */
  | {
      readonly kind: "answer";
      readonly id: string;
      readonly answer: InboxAnswer;
      readonly leftAtMs: number;
    }
  | { readonly kind: "cancel"; readonly id: string; readonly by: string };

export interface InboxAnswer extends Pick<Answer, "action" | "text" | "by"> {
  readonly question: QuestionId;
}
