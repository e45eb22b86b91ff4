// What does a task file ask for, and under which conditions?

import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";

import { isObject } from "../core/model/json.ts";
import { excerpt } from "../core/model/excerpt.ts";
import { levelFrom } from "../core/model/policy.ts";
import type { TaskSettings } from "../core/model/settings.ts";
import { bestOf, candidatesOf, glob, level, line, list, listOf, model, name } from "./fields.ts";
import { checkWith } from "./key-problems.ts";
import { budgetOfTask } from "./config-policy.ts";
import { limitChoice } from "./policy-keys.ts";
import { parseAllow, ALARMS } from "../core/model/alarm.ts";
import { actionsIn, IRREVERSIBLE_ACTIONS } from "../core/model/irreversible.ts";
import { parsed, problem, unparsed, type Checked, withoutByteOrderMark } from "./parsed.ts";
import { suggestName } from "./suggest.ts";

export const TASK_BYTES_MAX = 256 * 1024;
const FRONT_MATTER_CHARS_MAX = 16 * 1024;
const TITLE_CHARS_MAX = 200;

export interface TaskFile {
  /** First heading, else first line, else null. */
  readonly title: string | null;
  /** Without front matter. */
  readonly body: string;
  readonly settings: TaskSettings;
  /** The front matter as it stands. */
  readonly fields: unknown;
}

const GATES_WORDS = 'expected "none" or a list of gate names like [test, lint]';

const ALLOWABLE = [...Object.keys(ALARMS), ...IRREVERSIBLE_ACTIONS];

/** Which alarm of the integrity rules is none, and for which files; or an act that needs no yes. */
const allowance = z.string().superRefine((text, context) => {
  const wrong = parseAllow(text);
  if (actionsIn([text]).length > 0 || typeof wrong !== "string") return;
  const kind = (text.split(":", 1)[0] ?? "").trim();
  const meant = ALLOWABLE.includes(kind) ? "" : ` (${suggestName(kind, ALLOWABLE)})`;
  context.addIssue({ code: "custom", message: wrong + meant });
});

/** Of a machine of a fleet: a word, or key=value. */
export const label = z.string().regex(/^[\w.-]+(?:=[\w.-]+)?$/, {
  error: "expected a label of a worker: a word, or key=value",
});

export const frontMatterSchema = z
  .strictObject({
    pipeline: name.optional(),
    interactionThreshold: level.optional(),
    agent: z.union([name, list(name).min(1)]).optional(),
    model: model.optional(),
    bestOf: bestOf.optional(),
    gates: z
      .union([z.literal("none"), list(name).min(1, { error: GATES_WORDS })], { error: GATES_WORDS })
      .optional(),
    scope: list(glob).optional(),
    dependsOn: list(line).optional(),
    needs: list(label).optional(),
    budget: budgetOfTask.optional(),
    allow: list(allowance).optional(),
    proof: z.enum(["proven", "nothing-broke"]).optional(),
  })
  .meta({ title: "Front matter of a task file of orch" });

type FrontMatterShape = z.infer<typeof frontMatterSchema>;

/** Reads a task file's text; `file` is how problems name it. */
export function parseTaskFile(text: string, file: string): Checked<TaskFile> {
  const bytes = Buffer.byteLength(text, "utf8");
  const tooLong = `the task is ${bytes} bytes long, at most ${TASK_BYTES_MAX} are read`;
  if (bytes > TASK_BYTES_MAX) return unparsed(problem(file, tooLong));
  if (text.includes("\0"))
    return unparsed(problem(file, "expected Markdown, found binary content"));
  const front = parseFrontMatter(text, file);
  if (!front.ok) return front;
  const { fields, body } = front.value;
  const shape = checkWith(frontMatterSchema, fields, file);
  if (!shape.ok) return shape;
  if (body.trim() === "")
    return unparsed(problem(file, "the task has no text", "say what must be true when it is done"));
  const settings = settingsOf(shape.value);
  return parsed({ title: titleOf(body), body: body.trim(), settings, fields });
}

/** Splits a file and reads its YAML. `file` is how problems name it. */
export function parseFrontMatter(
  text: string,
  file: string,
): Checked<{ readonly fields: unknown; readonly body: string }> {
  const source = withoutByteOrderMark(text).replace(/\r\n?/g, "\n");
  const lines = source.split("\n");
  if (lines[0]?.trimEnd() !== "---") return parsed({ fields: {}, body: source });
  const end = lines.findIndex((line, index) => index > 0 && /^---\s*$/.test(line));
  if (end < 0) {
    const message = "the front matter that starts here has no closing line";
    return unparsed(problem(`${file}:1`, message, 'end it with a line of "---"'));
  }
  // The first line stays, as an empty one: so the YAML's lines are those of the file.
  const fields = readYaml(["", ...lines.slice(1, end)].join("\n"), file);
  if (!fields.ok) return fields;
  return parsed({ fields: fields.value, body: lines.slice(end + 1).join("\n") });
}

function readYaml(yaml: string, file: string): Checked<unknown> {
  const refuse = (line: number, message: string) => unparsed(problem(`${file}:${line}`, message));
  if (yaml.length > FRONT_MATTER_CHARS_MAX)
    return refuse(1, `the front matter is longer than ${FRONT_MATTER_CHARS_MAX} characters`);
  const lineCounter = new LineCounter();
  const quiet = { prettyErrors: false, logLevel: "silent" } as const;
  try {
    const document = parseDocument(yaml, { lineCounter, schema: "core", ...quiet });
    const [first] = document.errors;
    if (first !== undefined)
      return refuse(lineCounter.linePos(first.pos[0]).line, `not valid YAML: ${first.message}`);
    // Front matter has no use for aliases; a few are harmless, many are an attack.
    const fields: unknown = document.toJS({ maxAliasCount: 10 }) ?? {};
    if (isObject(fields)) return parsed(fields);
    return refuse(2, 'expected lines like "key: value" between the two "---"');
  } catch (error) {
    // Also a RangeError, where something is nested deeper than the parser's stack.
    return refuse(1, `the front matter cannot be read: ${String(error)}`);
  }
}

/** First heading outside code, else the first line with words in it. */
export function titleOf(body: string): string | null {
  const lines = body.replace(FENCED, "").split("\n");
  const heading = lines
    .map((each) => /^ {0,3}#{1,6}\s(.*)/.exec(each)?.[1]?.trim() ?? "")
    .map((each) => each.replace(/(?<!#)#+$/, "").trim())
    .find((each) => each !== "");
  const title = heading ?? lines.find((each) => /[\p{L}\p{N}]/u.test(each));
  return title === undefined ? null : excerpt(title, TITLE_CHARS_MAX);
}

/** Code in a fence, which ends with the text where nothing closes it. */
const FENCED = /^ {0,3}(`{3,}|~{3,})[^]*?(?:\n {0,3}\1.*|(?![^]))/gm;

function settingsOf(shape: FrontMatterShape): TaskSettings {
  return {
    pipeline: shape.pipeline ?? null,
    level: levelFrom(shape.interactionThreshold ?? Number.NaN),
    agent: listOf(shape.agent),
    model: shape.model ?? null,
    bestOf: candidatesOf(shape.bestOf),
    gates: gatesOf(shape.gates),
    scope: shape.scope ?? [],
    dependsOn: shape.dependsOn ?? [],
    needs: shape.needs ?? [],
    limits: limitChoice({ budget: shape.budget }),
    allow: shape.allow ?? [],
    enough: shape.proof ?? "proven",
  };
}

function gatesOf(gates: FrontMatterShape["gates"]): TaskSettings["gates"] {
  if (gates === undefined) return null;
  return gates === "none" ? { kind: "none" } : { kind: "these", gates };
}
