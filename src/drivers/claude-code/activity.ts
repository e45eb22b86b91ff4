// What is the agent doing right now, in orch's words?

import { clip } from "../../core/model/excerpt.ts";
import type { SessionEvent } from "../../core/model/session.ts";
import {
  isObject,
  listAt,
  nameAt,
  numberAt,
  objectAt,
  textAt,
  type JsonObject,
} from "../../core/model/json.ts";

const NOTE_CHARS_MAX = 500;

/** The watchable part of one event; most kinds are of no interest to a person. */
export function activityIn(event: JsonObject): readonly SessionEvent[] {
  switch (nameAt(event, "type")) {
    case "assistant":
      return blocksOf(event).flatMap((block) => assistantBlock(block, event));
    case "user":
      return blocksOf(event).flatMap((block) => userBlock(block, event));
    case "system":
      return systemNote(event);
    case "rate_limit_event":
      return limitNote(objectAt(event, "rate_limit_info"));
    default:
      return [];
  }
}

function blocksOf(event: JsonObject): readonly JsonObject[] {
  const message = objectAt(event, "message");
  return message === null ? [] : listAt(message, "content").filter(isObject);
}

/** Sub-agents are seen by what they do; their words are for their caller. */
function assistantBlock(block: JsonObject, event: JsonObject): readonly SessionEvent[] {
  // A failed request is told in the program's own words, as if the agent had said them.
  if (textAt(event, "error") !== null) return note(textAt(block, "text"));
  const type = nameAt(block, "type");
  if (type === "tool_use") {
    const [id, tool] = [textAt(block, "id") ?? "", textAt(block, "name") ?? "?"];
    return [{ type: "tool-call", id, tool, input: jsonOf(block["input"]) }];
  }
  const text = type === "text" || type === "thinking" ? nameAt(block, type) : "";
  if (text === "" || textAt(event, "parent_tool_use_id") !== null) return [];
  return [{ type: type === "text" ? "text" : "thinking", text }];
}

function userBlock(block: JsonObject, event: JsonObject): readonly SessionEvent[] {
  if (nameAt(block, "type") === "tool_result") {
    const isError = block["is_error"] === true;
    const output = outputOf(block["content"]);
    return [{ type: "tool-result", id: nameAt(block, "tool_use_id"), isError, output }];
  }
  // Put in by the program itself: what a hook said, a nudge, the summary of a compaction.
  return event["isSynthetic"] === true ? note(textAt(block, "text")) : [];
}

function systemNote(event: JsonObject): readonly SessionEvent[] {
  switch (nameAt(event, "subtype")) {
    case "api_retry": {
      const status = numberAt(event, "error_status");
      const cause = textAt(event, "error") ?? "unknown error";
      const tries = `${numberAt(event, "attempt") ?? "?"} of ${numberAt(event, "max_retries") ?? "?"}`;
      const detail = `${cause}${status === null ? "" : ` (${status})`}, retry ${tries}`;
      return [{ type: "retry", detail }];
    }
    case "compact_boundary":
      return [{ type: "condensation", text: "the context was full and has been summarised" }];
    case "model_fallback":
      return note(textAt(event, "content"));
    case "permission_denied":
      return note(`${textAt(event, "tool_name") ?? "a tool"} was denied`);
    default:
      return [];
  }
}

function limitNote(limit: JsonObject | null): readonly SessionEvent[] {
  if (limit === null) return [];
  const window = textAt(limit, "rateLimitType") ?? "plan";
  const status = nameAt(limit, "status");
  if (status === "allowed_warning") return note(`the ${window} limit is near`);
  return status === "rejected" ? note(`the ${window} limit is used up`) : [];
}

function note(text: string | null): readonly SessionEvent[] {
  return text === null ? [] : [{ type: "note", text: clip(text, NOTE_CHARS_MAX) }];
}

/** A tool's output is plain text, or a list of blocks of which the text ones are shown. */
function outputOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : jsonOf(content);
  return content
    .filter(isObject)
    .map((block) => textAt(block, "text") ?? `[${textAt(block, "type") ?? "unknown"}]`)
    .join("\n");
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
