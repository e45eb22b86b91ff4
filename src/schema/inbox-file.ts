// What may a file in the inbox ask of a run?

import { z } from "zod";

import { type InboxRequest, ANSWER_ACTIONS, REMARK_CHARS_MAX } from "../core/model/question.ts";
import { idOf, isSafeId, type QuestionId, type TaskId } from "../core/model/ids.ts";
import { isObject } from "../core/model/json.ts";
import { parseWith } from "./key-problems.ts";
import { parsed, type Parsed } from "./parsed.ts";

const TEXT_CHARS_MAX = 100_000;
const BY_CHARS_MAX = 200;

/** What a person may say from afar; "expire" is orch's own. */
const actionFromAfar = z.enum(ANSWER_ACTIONS).exclude(["expire"]);

const version = z.literal(1).optional();
const by = z.string().max(BY_CHARS_MAX).default("inbox");

/** What an answer file holds. `kind` may be left out by people who write one by hand. */
export const answerFileSchema = z.object({
  version,
  kind: z.literal("answer").default("answer"),
  /** The question's id. */
  id: z.string().refine(isSafeId, "not a question's id"),
  /** Fitted to the question's kind by the run; "expire" is the run's own. */
  action: actionFromAfar.default("answer"),
  text: z.string().max(TEXT_CHARS_MAX).default(""),
  by,
});

const cancelFileSchema = z.object({ version, kind: z.literal("cancel"), by });

const tellFileSchema = z.object({
  version,
  kind: z.literal("tell"),
  task: z.string().refine(isSafeId, "not a task's id"),
  text: z
    .string()
    .trim()
    .min(1, "there are no words")
    .max(REMARK_CHARS_MAX, `more than ${REMARK_CHARS_MAX} characters`),
  by,
});

/** What a file says; when it was left, its file tells. */
type LeftRequest =
  | Extract<InboxRequest, { kind: "cancel" | "tell" }>
  | Omit<Extract<InboxRequest, { kind: "answer" }>, "leftAtMs">;

/** `id` is the request's own: it is made of its file. */
export function parseInboxFile(id: string, raw: unknown): Parsed<LeftRequest> {
  const kind = isObject(raw) ? raw["kind"] : null;
  const others = kind === "tell" ? tellFileSchema : answerFileSchema;
  const shape = kind === "cancel" ? cancelFileSchema : others;
  const read = parseWith<z.infer<typeof cancelFileSchema | typeof others>>(shape, raw);
  if (!read.ok) return read;
  if (read.value.kind === "tell") {
    const { task, text, by: author } = read.value;
    return parsed({ kind: "tell", id, remark: { task: idOf<TaskId>(task), text, by: author } });
  }
  if (read.value.kind === "cancel") return parsed({ kind: "cancel", id, by: read.value.by });
  const { id: question, action, text, by: author } = read.value;
  const answer = { question: idOf<QuestionId>(question), action, text, by: author };
  return parsed({ kind: "answer", id, answer });
}

/** A request as its file holds it. */
export function inboxFile(request: LeftRequest): Readonly<Record<string, unknown>> {
  if (request.kind === "cancel") return { version: 1, kind: "cancel", by: request.by };
  if (request.kind === "tell") return { version: 1, kind: "tell", ...request.remark };
  const { question, action, text, by: author } = request.answer;
  return { version: 1, kind: "answer", id: question, action, text, by: author };
}
