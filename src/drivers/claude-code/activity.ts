// What is the agent doing right now, in orch's words?

import { clip } from "../../core/model/excerpt.ts";
import type { SessionEvent } from "../../core/model/session-event.ts";
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
      // A failed request is told in the program's own words, as if the agent had said them.
      return isFailure(event)
        ? blocksOf(event).flatMap((block) => note(textAt(block, "text")))
        : blocksOf(event).flatMap((block) => assistantBlock(block, isSubAgent(event)));
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

function isFailure(event: JsonObject): boolean {
  return textAt(event, "error") !== null;
}

function isSubAgent(event: JsonObject): boolean {
  return textAt(event, "parent_tool_use_id") !== null;
}

/** Sub-agents are seen by what they do; their words are for their caller. */
function assistantBlock(block: JsonObject, bySubAgent: boolean): readonly SessionEvent[] {
  switch (nameAt(block, "type")) {
    case "text":
      return bySubAgent ? [] : spoken("text", textAt(block, "text"));
    case "thinking":
      return bySubAgent ? [] : spoken("thinking", textAt(block, "thinking"));
    case "tool_use":
      return [
        {
          type: "tool-call",
          id: textAt(block, "id") ?? "",
          tool: textAt(block, "name") ?? "?",
          input: jsonOf(block["input"]),
        },
      ];
    default:
      return [];
  }
}

function userBlock(block: JsonObject, event: JsonObject): readonly SessionEvent[] {
  switch (nameAt(block, "type")) {
    case "tool_result":
      return [
        {
          type: "tool-result",
          id: textAt(block, "tool_use_id") ?? "",
          isError: block["is_error"] === true,
          output: outputOf(block["content"]),
        },
      ];
    case "text":
      // Put in by the program itself: what a hook said, a nudge, the summary of a compaction.
      return event["isSynthetic"] === true ? note(textAt(block, "text")) : [];
    default:
      return [];
  }
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
  switch (nameAt(limit, "status")) {
    case "allowed_warning":
      return note(`the ${window} limit is near`);
    case "rejected":
      return note(`the ${window} limit is used up`);
    default:
      return [];
  }
}

function spoken(type: "text" | "thinking", text: string | null): readonly SessionEvent[] {
  return text === null || text === "" ? [] : [{ type, text }];
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
