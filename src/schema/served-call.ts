// With what may another agent call the tools of `orch mcp --serve`?

import { z } from "zod";

import { ANSWER_ACTIONS } from "../core/model/question.ts";
import { level, line, name } from "./fields.ts";
import { parseWith } from "./key-problems.ts";

/** Ids are compared with those there are, and become no path. */
const id = line.max(200).optional();
const run = id.describe("A part of its id; else the unfinished run, or the newest.");
const words = line.optional().describe("A number picks an option; with an action, its words.");

export const SERVED_CALLS = {
  look: z.strictObject({ run, task: id }),
  answer: z.strictObject({
    run,
    question: id,
    text: words,
    action: z.enum(ANSWER_ACTIONS).exclude(["expire"]).optional(),
  }),
  start_run: z.strictObject({
    task: line.describe("A task file or a folder of them, or the task in words."),
    threshold: level.optional().describe("0 never asks a person … 5 asks most readily."),
    agent: name.optional(),
  }),
};

export function inputSchemaOf(call: keyof typeof SERVED_CALLS): object {
  return z.toJSONSchema(SERVED_CALLS[call], { io: "input" });
}

/** Throws what is wrong with it, in words for the caller. */
export function servedCall<T>(call: z.ZodType<T>, raw: unknown): T {
  const read = parseWith(call, raw);
  if (!read.ok) throw new Error(read.problems.join("; "));
  return read.value;
}
