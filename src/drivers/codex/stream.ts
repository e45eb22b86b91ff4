// What do the lines of `codex exec --json` say, and how did the session end?

import { clip } from "../../core/model/excerpt.ts";
import { isObject, listAt, nameAt, numberAt, objectAt, textAt } from "../../core/model/json.ts";
import type { JsonObject } from "../../core/model/json.ts";
import { NO_TOKENS, NO_USAGE, type FaultKind, type TokenCounts } from "../../core/model/session.ts";
import type { SessionEnd, SessionEnding, SessionEvent } from "../../core/model/session.ts";
import { sumTokens, tokensSince } from "../../core/run/budget.ts";
import type { SessionRequest } from "../../engine/ports.ts";
import { faultRecord, faultRow, recordIn } from "../../readers/endings/faults.ts";
import { crashed, faultEnding, refused, type Lost, type StreamExit } from "../ending.ts";
import type { StreamEnd, StreamProgram, StreamSession } from "../stream-agent.ts";

const NOTE_CHARS_MAX = 2_000;

/** A command that the sandbox stopped mostly leaves no item: what is missing here may have been tried. */
export function readCodex(
  { request, model }: Pick<StreamSession, "request" | "model">,
  agentVersion: string | null,
): Pick<StreamProgram, "take" | "end"> {
  let sessionId: string | null = null;
  let tokens: TokenCounts | null = null;
  let isComplete = false;
  let failure: string | null = null;
  const begun = new Set<string>();

  const used = () => usedSince(tokens, request, model ?? "codex");
  const take = (event: JsonObject): readonly SessionEvent[] => {
    const item = objectAt(event, "item") ?? {};
    switch (nameAt(event, "type")) {
      case "thread.started":
        sessionId = textAt(event, "thread_id");
        return [];
      case "turn.started":
        [isComplete, failure] = [false, null];
        return [];
      case "turn.completed":
        [isComplete, tokens] = [true, tokensIn(event) ?? tokens];
        request.onUsage(used().usage);
        return [];
      case "turn.failed":
        failure = nameAt(objectAt(event, "error") ?? {}, "message");
        return [];
      // Also for each try of a request that failed; the last one fails the turn.
      case "error": {
        const detail = nameAt(event, "message");
        return detail.startsWith(RETRY) ? [{ type: "retry", detail }] : note(detail);
      }
      case "item.started":
        return isCall(item) && isNew(begun, item) ? [callOf(item)] : [];
      case "item.completed":
        return completed(item, begun);
      default:
        return [];
    }
  };
  const end = (exit: StreamExit): StreamEnd => {
    const stated = failure === null ? null : failed(failure, exit);
    const ending = stated ?? endingOf(exit, { isComplete, hasBegun: sessionId !== null });
    return { ending, sessionId, agentVersion, ...used() };
  };
  return { take, end };
}

/** Cached input is part of the input here, and apart from it in orch. */
function tokensIn(event: JsonObject): TokenCounts | null {
  const usage = objectAt(event, "usage");
  if (usage === null) return null;
  const count = (key: string): number => numberAt(usage, key) ?? 0;
  const cacheRead = count("cached_input_tokens");
  const cacheWrite = count("cache_write_input_tokens");
  const input = Math.max(0, count("input_tokens") - cacheRead - cacheWrite);
  return { input, output: count("output_tokens"), cacheRead, cacheWrite };
}

/**
 * From what the conversation used from its beginning; null: it did not say. Which of its models it used
 * before is not told: all its tokens are one sum.
 */
function usedSince(
  tokens: TokenCounts | null,
  { totalsBefore: before }: SessionRequest,
  model: string,
): Pick<SessionEnd, "usage" | "totals"> {
  if (tokens === null) return { usage: NO_USAGE, totals: before };
  const usedBefore = Object.values(before?.byModel ?? {}).reduce(sumTokens, NO_TOKENS);
  const used = tokensSince(tokens, usedBefore);
  return {
    usage: { ...NO_USAGE, byModel: { [model]: used } },
    totals: { byModel: { [model]: tokens }, costUsd: 0 },
  };
}

const RETRY = "Reconnecting";

function note(text: string): readonly SessionEvent[] {
  return text === "" ? [] : [{ type: "note", text: clip(text, NOTE_CHARS_MAX) }];
}

function completed(item: JsonObject, begun: Set<string>): readonly SessionEvent[] {
  const text = nameAt(item, "text");
  switch (nameAt(item, "type")) {
    case "agent_message":
      return text === "" ? [] : [{ type: "text", text }];
    case "reasoning":
      return text === "" ? [] : [{ type: "thinking", text }];
    // Warnings, in spite of the name: of a model that is not known, of hooks that are not trusted.
    case "error":
      return note(nameAt(item, "message"));
    default: {
      if (!isCall(item)) return [];
      const call = isNew(begun, item) ? [callOf(item)] : [];
      return [...call, resultOf(item)];
    }
  }
}

type Call = (item: JsonObject) => {
  readonly tool: string;
  readonly input: unknown;
  readonly output: unknown;
};

/** By the type of their item; what is not here is for the program's own screen. */
const CALLS: ReadonlyMap<string, Call> = new Map(
  Object.entries<Call>({
    command_execution: ({ command, aggregated_output }) => {
      return { tool: "shell", input: { command }, output: aggregated_output };
    },
    file_change: (item) => {
      const changes = listAt(item, "changes").filter(isObject);
      const [path, ...more] = changes.map((change) => nameAt(change, "path"));
      // What a patch holds is not told; two of them are not the same for that.
      return { tool: "edit", input: { path, more, patch: item["id"] }, output: "" };
    },
    mcp_tool_call: (item) => ({
      tool: `mcp__${nameAt(item, "server")}__${nameAt(item, "tool")}`,
      input: item["arguments"],
      output: objectAt(item, "error") ?? objectAt(item, "result"),
    }),
    web_search: ({ query }) => ({ tool: "web_search", input: { query }, output: "" }),
  }),
);

function isCall(item: JsonObject): boolean {
  return CALLS.has(nameAt(item, "type"));
}

/** True once for each id. */
function isNew(begun: Set<string>, item: JsonObject): boolean {
  const id = nameAt(item, "id");
  return !begun.has(id) && begun.add(id).has(id);
}

function callOf(item: JsonObject): SessionEvent {
  const { tool = "", input } = CALLS.get(nameAt(item, "type"))?.(item) ?? {};
  return { type: "tool-call", id: nameAt(item, "id"), tool, input: JSON.stringify(input) ?? "" };
}

function resultOf(item: JsonObject): SessionEvent {
  const output = outputOf(CALLS.get(nameAt(item, "type"))?.(item).output);
  const isError = nameAt(item, "status") === "failed";
  return { type: "tool-result", id: nameAt(item, "id"), isError, output };
}

function outputOf(output: unknown): string {
  if (typeof output === "string") return output;
  if (!isObject(output)) return "";
  const blocks = listAt(output, "content").filter(isObject);
  const words = [textAt(output, "message"), ...blocks.map((block) => textAt(block, "text"))];
  return words.filter((text) => text !== null).join("\n");
}

function endingOf(
  exit: StreamExit,
  { isComplete, hasBegun }: Readonly<Record<"isComplete" | "hasBegun", boolean>>,
): SessionEnding {
  const { exitCode, signal, detail } = exit;
  if (isComplete && exitCode === 0) return { kind: "finished" };
  if (!hasBegun && signal === null && exitCode !== 0) return refused(detail, exitCode, LOST);
  return crashed(exit, detail === "" ? "it ended without completing its turn" : detail);
}

/** Told in words alone; seen on 0.169.0. */
const LOST: Lost = [
  { says: /\bno rollout found for (?:thread|conversation)\b/, reason: "conversation-unknown" },
  { says: /\brequired MCP servers failed\b.*\borch\b/, reason: "channel-missing" },
];

/** What is told in words that nobody else uses. */
const NAMED: readonly { readonly says: RegExp; readonly kind: FaultKind }[] = [
  { says: /^Missing environment variable: /, kind: "authentication" },
  { says: /^To use Codex with your ChatGPT plan, /, kind: "billing" },
];

const STATUS = /\bstatus:? (\d{3})\b/;

/** By the HTTP status, or the body of the answer; where there is neither, the policy reads the words. */
function failed(message: string, exit: StreamExit): SessionEnding {
  const record = faultRecord(recordIn(message) ?? {});
  const status = STATUS.exec(message)?.[1];
  const httpStatus = status === undefined ? record.httpStatus : Number(status);
  const cause = NAMED.find(({ says }) => says.test(message)) ?? faultRow(httpStatus, record.name);
  if (cause === null) return crashed(exit, message);
  return faultEnding(cause.kind, message, { ...record, httpStatus });
}
