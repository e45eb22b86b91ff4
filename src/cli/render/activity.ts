// What does an agent do, in a person's words?

import { excerpt, inert } from "../../core/model/excerpt.ts";
import { isObject, textAt } from "../../core/model/json.ts";
import type { SessionEvent, ToolEvent } from "../../core/model/session-event.ts";

type ToolCall = Extract<ToolEvent, { type: "tool-call" }>;

const CHARS_MAX = 160;

/** "edits src/add.js", "runs npm test", or what it says; "" where there is nothing to see. */
export function activityWords(event: SessionEvent, root: string | null): string {
  switch (event.type) {
    case "text":
    case "condensation":
    case "note":
      return excerpt(event.text, CHARS_MAX);
    case "thinking":
      return "thinks";
    case "tool-call":
      return callWords(event, root);
    case "tool-result":
      return event.isError ? excerpt(`a tool failed: ${event.output}`, CHARS_MAX) : "";
    case "retry":
      return excerpt(`the provider is tried again: ${event.detail}`, CHARS_MAX);
    default:
      return event satisfies never;
  }
}

/** The file that a call only reads; null: it does something else. */
export function fileRead(event: SessionEvent): string | null {
  if (event.type !== "tool-call" || verbFor(event.tool) !== "reads") return null;
  return subjectOf(event.input);
}

/** Agents name their tools differently, and nearly all of them by what they do. */
const VERBS = [
  [/^(?:read|view|open|cat)/i, "reads"],
  [/^(?:edit|multi_?edit|str_?replace|apply_?patch|patch|update|notebook_?edit)/i, "edits"],
  [/^(?:write|create)/i, "writes"],
  [/^(?:bash|shell|exec|execute|run|terminal|command)/i, "runs"],
  [/^(?:grep|glob|search|find|ls|list)/i, "searches"],
  [/^web_?search/i, "searches the web for"],
  [/^(?:web_?fetch|fetch|browse)/i, "fetches"],
] as const;

function verbFor(tool: string): string | null {
  return VERBS.find(([name]) => name.test(tool))?.[1] ?? null;
}

function callWords({ tool, input }: ToolCall, root: string | null): string {
  const verb = verbFor(tool);
  const subject = subjectOf(input);
  if (verb === null || subject === null)
    return excerpt(`${verb ?? `uses ${toolName(tool)}`} ${subject ?? ""}`.trim(), CHARS_MAX);
  const isInside = root !== null && subject.startsWith(`${root}/`);
  return excerpt(`${verb} ${isInside ? subject.slice(root.length + 1) : subject}`, CHARS_MAX);
}

/** Of a tool of a server, its own name: "mcp__orch__ask_human". */
function toolName(tool: string): string {
  return inert(tool.split("__").at(-1) ?? tool).replaceAll("_", " ");
}

const SUBJECTS = [
  "file_path",
  "notebook_path",
  "path",
  "filePath",
  "file",
  "command",
  "cmd",
  "query",
  "pattern",
  "url",
  "description",
  "question",
] as const;

/** What a call is about: an agent that gives no object says it in words. */
function subjectOf(input: string): string | null {
  const given = parsed(input);
  if (!isObject(given)) return typeof given === "string" && given !== "" ? given : null;
  for (const name of SUBJECTS) {
    const text = textAt(given, name);
    if (text !== null && text !== "") return text;
  }
  return null;
}

function parsed(input: string): unknown {
  if (!input.trimStart().startsWith("{")) return input;
  try {
    return JSON.parse(input);
  } catch {
    return cutShort(input);
  }
}

/** What stands at the beginning of a call that was cut: the subject as a rule, before long contents. */
function cutShort(input: string): unknown {
  const [, name = "", text = ""] = /"([a-z_]{1,20})": ?"([^"\\]{1,200})/i.exec(input) ?? [];
  return { [name]: text };
}
