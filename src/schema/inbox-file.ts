// What may a file in the inbox ask of a run?

import { z } from "zod";

import type { InboxRequest } from "../core/model/event.ts";
import { idFrom, isSafeId, type QuestionId } from "../core/model/ids.ts";
import { ANSWER_ACTIONS } from "../core/model/question.ts";
import { parsed, problemsOf, unparsed, type Parsed } from "./parsed.ts";

const TEXT_CHARS_MAX = 100_000;
const BY_CHARS_MAX = 200;

/** What a person may say from afar; "expire" is orch's own. */
export const actionFromAfar = z.enum(ANSWER_ACTIONS).exclude(["expire"]);

const by = z.string().max(BY_CHARS_MAX).default("inbox");

/** What an answer file holds. `kind` may be left out by people who write one by hand. */
export const answerFileSchema = z.object({
  version: z.literal(1).optional(),
  kind: z.literal("answer").default("answer"),
  /** The question's id. */
  id: z.string().refine(isSafeId, "not a question's id"),
  /** Fitted to the question's kind by the run; "expire" is the run's own. */
  action: actionFromAfar.default("answer"),
  text: z.string().max(TEXT_CHARS_MAX).default(""),
  by,
});

const cancelFileSchema = z.object({
  version: z.literal(1).optional(),
  kind: z.literal("cancel"),
  by,
});

/** What a file says; when it was left, its file tells. */
type LeftRequest =
  | Extract<InboxRequest, { kind: "cancel" }>
  | Omit<Extract<InboxRequest, { kind: "answer" }>, "leftAtMs">;

/** `id` is the request's own: it is made of its file. */
export function parseInboxFile(id: string, raw: unknown): Parsed<LeftRequest> {
  return isCancel(raw) ? parseCancel(id, raw) : parseAnswer(id, raw);
}

/** A request as its file holds it. */
export function inboxFile(request: LeftRequest): Readonly<Record<string, unknown>> {
  if (request.kind === "cancel") return { version: 1, kind: "cancel", by: request.by };
  const { question, action, text, by: author } = request.answer;
  return { version: 1, kind: "answer", id: question, action, text, by: author };
}

function parseCancel(id: string, raw: unknown): Parsed<LeftRequest> {
  const read = cancelFileSchema.safeParse(raw);
  if (!read.success) return { ok: false, problems: problemsOf(read.error.issues) };
  return parsed({ kind: "cancel", id, by: read.data.by });
}

function parseAnswer(id: string, raw: unknown): Parsed<LeftRequest> {
  const read = answerFileSchema.safeParse(raw);
  if (!read.success) return { ok: false, problems: problemsOf(read.error.issues) };
  const question = idFrom<QuestionId>(read.data.id);
  if (question === null) return unparsed("id: not a question's id");
  const { action, text, by: author } = read.data;
  return parsed({ kind: "answer", id, answer: { question, action, text, by: author } });
}

function isCancel(raw: unknown): boolean {
  return typeof raw === "object" && raw !== null && "kind" in raw && raw.kind === "cancel";
}
