// Which JSON Schemas does orch publish, so that editors and other programs can check its documents?

import { z } from "zod";
import { configSchema } from "./config-shape.ts";
import { answerFileSchema } from "./inbox-file.ts";
import { eventSchema, questionSchema, reportSchema, resultSchema } from "./published-shapes.ts";
import { frontMatterSchema } from "./task-file.ts";

/** File name in `schemas/` and its content, ready to be written. */
export function jsonSchemas(): Readonly<Record<string, string>> {
  const entries = Object.entries(DOCUMENTS).map(([name, schema]) => [
    `${name}.schema.json`,
    `${JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), null, 2)}\n`,
  ]);
  return Object.fromEntries(entries);
}

const DOCUMENTS = {
  config: configSchema,
  "task-front-matter": frontMatterSchema,
  report: reportSchema,
  question: questionSchema,
  answer: answerFileSchema.meta({ title: "An answer left in the inbox (inbox/<id>.json)" }),
  event: eventSchema,
  result: resultSchema,
} as const;
