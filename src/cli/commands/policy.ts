// By which values are attempts decided here, and where is each of them set?

import { environmentLevel, LEVEL_VARIABLE } from "../../adapters/environment.ts";
import { loadConfig } from "../../adapters/project/config-loader.ts";
import { policyRows, type Layer, BUILT_IN, type PolicyRow } from "../../schema/policy-keys.ts";
import { printResult, type CliIo, type Style } from "../io.ts";
import type { Command } from "../command-line/options.ts";
import { inert } from "../../core/model/excerpt.ts";
import { isObject } from "../../core/model/json.ts";
import { extensionWords } from "../../core/run/extension.ts";
import { paint, paragraph, table, type Tone } from "../layout.ts";

/** Reads the config as a run would, and runs nothing. */
export const policyCommand: Command = async (_args, given, io) => {
  const shown = await policyShown(io);
  printResult(io, given, shown, (style) => renderPolicy(shown, style));
  return 0;
};

async function policyShown(io: CliIo) {
  const { name, raw, settings } = await loadConfig(io.cwd);
  const level = environmentLevel(io.env);
  const above: Layer = {
    name: LEVEL_VARIABLE,
    document: level === null ? {} : { interactionThreshold: level },
  };
  return {
    /** As a person in the working folder would name it. */
    config: name,
    /** Alarms, and what cannot be undone, that go without asking a person; as written. */
    allow: settings.allowedActions,
    values: policyRows({ name, document: isObject(raw) ? raw : {} }, above),
  };
}

function renderPolicy(shown: Awaited<ReturnType<typeof policyShown>>, style: Style): string {
  const { config, allow, values } = shown;
  const line = (text: string, tone: Tone | null): string =>
    paragraph(style, inert(text), { tone, hanging: "  " });
  const rowsOf = (group: string) =>
    values
      .filter(({ key }) => groupOf(key) === group)
      .map((row) => {
        const tone = row.source === BUILT_IN ? "quiet" : null;
        return [row.key, valueWords(row), paint(style, tone, inert(row.source))];
      });
  const groups = [...new Set(values.map(({ key }) => groupOf(key)))];
  return [
    line("policy of this repository", "strong"),
    line(config, "quiet"),
    ...allow.map((what) => line(`the config allows ${what}`, null)),
    ...groups.flatMap((group) => ["", ...table(style, rowsOf(group))]),
  ].join("\n");
}

function groupOf(key: string): string {
  return key.split(".", 1).join("");
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
