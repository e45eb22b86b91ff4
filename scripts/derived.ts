// Which files are made of the schemas, and what stands in them?

import { z } from "zod";

import { DEFAULT_UNCERTAINTY, type SignalId } from "../src/core/model/signals.ts";
import { configSchema } from "../src/schema/config-shape.ts";
import { answerFileSchema } from "../src/schema/inbox-file.ts";
import { elementsOf, factsOf, keysIn, variantsOf, type KeyFacts } from "../src/schema/key.ts";
import { eventSchema, questionSchema, reportSchema, resultSchema } from "./published-shapes.ts";
import { frontMatterSchema } from "../src/schema/task-file.ts";
import { literal } from "./literal.ts";
import { SECRET_NAMES, SECRET_SHAPES } from "../src/adapters/secret-table.ts";
import { declarations } from "./declarations.ts";

/** Path and content of each; `read` gives those that are made only in part. */
export function derivedFiles(read: (path: string) => string): Readonly<Record<string, string>> {
  const schemas = Object.entries(DOCUMENTS).map(([name, schema]) => [
    `schemas/${name}.schema.json`,
    `${JSON.stringify(jsonSchema(schema), null, 2)}\n`,
  ]);
  return {
    ...Object.fromEntries(schemas),
    "schemas/config.d.ts": declarations(JSON.parse(JSON.stringify(jsonSchema(configSchema)))),
    "docs/config.md": withTables(read("docs/config.md")),
    "docs/files.md": withSecrets(read("docs/files.md")),
  };
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

function jsonSchema(schema: z.ZodType) {
  return z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema: node }) => {
      const facts = zodSchema instanceof z.ZodType ? factsOf(zodSchema) : null;
      if (facts === null) return;
      node.description = plain(facts.about);
      if (facts.fallback !== undefined) node.default = JSON.parse(JSON.stringify(facts.fallback));
    },
  });
}

/** Without links and without marks. */
function plain(markdown: string): string {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
}

/** When each signal counts, for whoever sets its weight; on the screen its cause stands with a detail. */
const SIGNAL_CONDITIONS: Readonly<Record<SignalId, string>> = {
  declared_open_question_major:
    "the agent lists a question that changes behaviour, data, interface or security",
  declared_open_question_minor: "the agent lists another question",
  declared_low_confidence: "the agent states a confidence below 0.5",
  ambiguous_target: "a name in the task fits two or more files",
  missing_files: "the task names an input that does not exist",
  conflicting_signals: "the report says completed and a gate failed, or failed and all passed",
  verification_inconclusive: "a gate gave no verdict",
  verification_inconclusive_again: "a gate gave no verdict twice or more in a row",
  timeout_unclear: "a session timed out and left nothing",
  no_tool_calls: "two sessions in a row without a tool call or a changed file",
  repeated_failure: "the same failure was seen three times",
  no_progress: "three attempts in a row without progress",
  integrity_alarm: "the work raised an alarm: its proof was weakened",
};

const TABLE = /(<!-- keys(?: of ([\w.]+))? -->\n)[^]*?(<!-- end of keys -->)/g;

/** The tables of docs/config.md, each between its two marks. */
function withTables(page: string): string {
  const sections = [...page.matchAll(TABLE)].map(([, , section = ""]) => section);
  return page.replace(TABLE, (_all, before: string, section: string | undefined, after: string) => {
    const rows = rowsOf(configSchema, (section ?? "").split(".").filter(Boolean), sections);
    const head = ["", "| key | default | meaning |", "|---|---|---|"];
    return `${before}${[...head, ...rows, "", ""].join("\n")}${after}`;
  });
}

/** What docs/files.md says is redacted. */
function withSecrets(page: string): string {
  const rows = [
    ["a value of 8 characters or more, of a variable", SECRET_NAMES],
    ["a key, by its shape", SECRET_SHAPES],
  ] as const;
  const listed = rows.map(([what, all]) => `| ${what} | ${Object.keys(all).join("; ")} |`);
  const table = ["", "| what | which |", "|---|---|", ...listed, "", ""].join("\n");
  return page.replace(
    /(<!-- secrets -->\n)[^]*?(<!-- end of secrets -->)/,
    (_all, before: string, after: string) => `${before}${table}${after}`,
  );
}

function rowsOf(
  schema: z.ZodType,
  [part, ...rest]: readonly string[],
  sections: readonly string[],
): readonly string[] {
  if (part === undefined) return rowsBelow(schema, "", sections);
  if (part === "weights") {
    const weights = new Map(Object.entries(DEFAULT_UNCERTAINTY.weights));
    return Object.entries(SIGNAL_CONDITIONS).map(([id, words]) =>
      row(
        `weights.${id}`,
        `\`${weights.get(id)}\``,
        `${words[0]?.toUpperCase()}${words.slice(1)}.`,
      ),
    );
  }
  const inner = keysIn(schema).find(([name]) => name === part)?.[1];
  return inner === undefined ? [] : rowsOf(contentOf(inner), rest, sections);
}

/** What a section has of its own; names that users choose are left out. */
function rowsBelow(
  schema: z.ZodType,
  path: string,
  sections: readonly string[],
): readonly string[] {
  return keysIn(schema).flatMap(([name, inner]) => {
    const key = path === "" ? name : `${path}.${name}`;
    const facts = factsOf(inner);
    if (name === "weights") return [];
    const below = sections.includes(key) ? [] : rowsBelow(contentOf(inner), key, sections);
    if (facts === null) return below;
    return [row(key, defaultCell(facts), facts.about), ...below];
  });
}

/** Of a record or a list what is in it, however deep. */
function contentOf(schema: z.ZodType): z.ZodType {
  const inner = variantsOf(schema).flatMap(elementsOf)[0];
  return inner === undefined ? schema : contentOf(inner);
}

function row(key: string, standard: string, about: string): string {
  return `| \`${key}\` | ${[standard, about].map((cell) => (cell === "" ? "" : `${cell} `)).join("| ")}|`;
}

function defaultCell({ otherwise, fallback }: KeyFacts): string {
  return otherwise ?? (fallback === undefined ? "" : `\`${literal(fallback)}\``);
}
