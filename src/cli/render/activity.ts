// What an agent does, and how its session ended, in a person's words.

import { excerpt, inert } from "../../core/model/excerpt.ts";
import { jsonIn } from "../../core/model/json.ts";
import type { SessionEvent, ToolEvent, SessionEnding } from "../../core/model/session.ts";
import { endingDetail } from "../../core/views/projection-attempt.ts";

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

/** Agents name their tools differently, and nearly all of them by what they do. */
const VERBS = [
  ["read view open cat", "reads"],
  ["edit multiedit strreplace applypatch patch update notebookedit", "edits"],
  ["write create", "writes"],
  ["bash shell exec run terminal command", "runs"],
  ["grep glob search find ls list", "searches"],
  ["websearch", "searches the web for"],
  ["webfetch fetch browse", "fetches"],
] as const;

function verbFor(tool: string): string | null {
  const name = tool.replaceAll("_", "").toLowerCase();
  return (
    VERBS.find(([words]) => words.split(" ").some((word) => name.startsWith(word)))?.[1] ?? null
  );
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

/** What a call is about: the first of these that it gives. A long call is cut, and no JSON any more. */
const SUBJECT =
  /"(?:file_?path|notebook_path|path|file|command|cmd|query|pattern|url|description|question)": ?"((?:[^"\\]|\\.){1,200})/i;

function subjectOf(input: string): string | null {
  if (!input.trimStart().startsWith("{")) return input === "" ? null : input;
  const written = SUBJECT.exec(input)?.[1] ?? "";
  const text = jsonIn(`"${written}"`);
  return typeof text === "string" && text !== "" ? text : null;
}

export function endingWords(ending: SessionEnding): string {
  const detail = ending.kind === "asked" ? "" : endingDetail(ending);
  return `${ENDINGS[ending.kind]}${detail === "" ? "" : ` (${detail})`}`;
}

const ENDINGS: Readonly<Record<SessionEnding["kind"], string>> = {
  finished: "the agent finished",
  asked: "the agent stopped to ask",
  limit: "stopped at a limit",
  fault: "the provider failed",
  crashed: "the agent died",
  "timed-out": "ran out of time and was ended",
  looped: "looped and was ended",
  interrupted: "interrupted",
  "not-started": "the agent could not be started",
  lost: "lost: orch died during the session",
};
