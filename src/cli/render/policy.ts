// By which values are attempts decided, and which layer sets each?

import { inert } from "../../core/model/excerpt.ts";
import { extensionWords } from "../../core/run/extension.ts";
import { BUILT_IN, type PolicyRow } from "../../schema/policy-rows.ts";
import type { Style } from "../io.ts";
import { dotted, paint, paragraph, table, type Tone } from "../layout.ts";

export interface PolicyShown {
  /** As a person in the working folder would name it. */
  readonly config: string;
  /** null: no task was named. */
  readonly task: { readonly id: string; readonly file: string } | null;
  /** Alarms, and what cannot be undone, that go without asking a person; as written. */
  readonly allow: readonly { readonly what: string; readonly by: "task" | "config" }[];
  readonly pipeline: string;
  readonly steps: readonly string[];
  readonly values: readonly PolicyRow[];
}

export function renderPolicy(shown: PolicyShown, style: Style): string {
  const { config, task, allow, pipeline, steps, values } = shown;
  const facts = dotted([config, `pipeline ${pipeline} (${steps.join(", ")})`]);
  const whose = task === null ? "policy of this repository" : `policy of task ${task.id}`;
  const line = (text: string, tone: Tone | null): string =>
    paragraph(style, inert(text), { tone, hanging: "  " });
  const rowsOf = (group: string) =>
    values
      .filter(({ key }) => groupOf(key) === group)
      .map((row) => {
        const tone = row.source === BUILT_IN ? "quiet" : null;
        return [nameOf(row), valueWords(row), paint(style, tone, inert(row.source))];
      });
  const groups = [...new Set(values.map(({ key }) => groupOf(key)))];
  return [
    line(whose, "strong"),
    line(facts, "quiet"),
    ...allow.map(({ what, by }) => line(`the ${by} allows ${what}`, null)),
    ...groups.flatMap((group) => ["", ...table(style, rowsOf(group))]),
  ].join("\n");
}

function groupOf(key: string): string {
  return key.split(".", 1).join("");
}

function nameOf({ key, step }: PolicyRow): string {
  return step === null ? key : `${key} (${step})`;
}

/** Times as the config writes them, 5_000_000 as "5,000,000", whatever the machine's language. */
function valueWords({ value, unit, none }: PolicyRow): string {
  if (value === null) return none;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return typeof value === "string" ? value : JSON.stringify(value);
  if (unit === "usd") return `$${value}`;
  if (unit === "time") return extensionWords("time", value);
  return String(value).replace(/^\d+/, (whole) => whole.replace(/\B(?=(?:\d{3}){1,9}$)/g, ","));
}
