// What may a file in the inbox ask of a run?

import { z } from "zod";

import type { InboxAnswer, InboxRequest } from "../core/model/event.ts";
import { idOf, isSafeId, type QuestionId } from "../core/model/ids.ts";
import { ANSWER_ACTIONS } from "../core/model/question.ts";
import { parsed, parseWith, type Parsed } from "./parsed.ts";

const TEXT_CHARS_MAX = 100_000;
const BY_CHARS_MAX = 200;

/** What a person may say from afar; "expire" is orch's own. */
export const actionFromAfar = z.enum(ANSWER_ACTIONS).exclude(["expire"]);

/** What an answer file holds. `kind` may be left out by people who write one by hand. */
export const answerFileSchema = z.object({
  version: z.literal(1).optional(),
  kind: z.literal("answer").default("answer"),
  /** The question's id. */
  id: z.string().refine(isSafeId, "not a question's id"),
  /** Fitted to the question's kind by the run; "expire" is the run's own. */
  action: actionFromAfar.default("answer"),
  text: z.string().max(TEXT_CHARS_MAX).default(""),
  by: z.string().max(BY_CHARS_MAX).default("inbox"),
});

/** What a file says; when it was left, its file tells. `id` is the request's own, made of its file. */
export function parseInboxFile(id: string, raw: unknown): Parsed<Omit<InboxRequest, "leftAtMs">> {
  const read = parseWith<z.infer<typeof answerFileSchema>>(answerFileSchema, raw);
  if (!read.ok) return read;
  const { id: question, action, text, by } = read.value;
  return parsed({ id, answer: { question: idOf<QuestionId>(question), action, text, by } });
}

/** An answer as its file holds it. */
export function inboxFile({ question, action, text, by }: InboxAnswer) {
  return { version: 1, kind: "answer", id: question, action, text, by };
}
