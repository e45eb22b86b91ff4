// What would a model answer? A Messages API server on loopback that plays a script.
//
// In a test: `startMessagesServer([...])`. By itself, for demonstrations:
//   node test/support/messages-server.mjs script.json [port]
// where script.json holds the list of turns; types and meaning are in messages-server.d.mts.
import { halves, newId, playFromShell, startScriptedModel } from "./scripted-model.mjs";

export function startMessagesServer(turns = [], port = 0) {
  return startScriptedModel(MESSAGES, turns, port);
}

const MESSAGES = {
  path: "/v1/messages",
  aside: (path) => (path.endsWith("/count_tokens") ? { input_tokens: 1 } : null),
  sideTurn: (body) =>
    isSideCall(body) ? { text: "<summary>What happened before.</summary>" } : null,
  refusal: ({ type = "api_error", message = "scripted fault" }) => ({
    type: "error",
    error: { type, message },
  }),
  whole: (turn, body) => messageOf(turn, body.model),
  events: (turn, body) => eventsOf(messageOf(turn, body.model), turn.cut === true),
};

/** Contents of the tool results in a request's last message of the user, by call id. */
export function toolResults(body) {
  const content = body.messages.findLast((message) => message.role === "user")?.content;
  const blocks = (Array.isArray(content) ? content : []).filter(
    (one) => one.type === "tool_result",
  );
  return blocks.map((block) => ({
    id: block.tool_use_id,
    isError: block.is_error === true,
    text: textOf(block.content),
  }));
}

/** Headers of a subscription whose five-hour window is used up until then (epoch seconds). */
export function usedUpUntil(reset) {
  return {
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": String(reset),
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
    "anthropic-ratelimit-unified-5h-status": "rejected",
    "anthropic-ratelimit-unified-5h-reset": String(reset),
    "anthropic-ratelimit-unified-5h-utilization": "1",
    "anthropic-ratelimit-unified-7d-status": "allowed",
    "anthropic-ratelimit-unified-7d-reset": String(reset + 86_400),
    "anthropic-ratelimit-unified-7d-utilization": "0.5",
    "anthropic-ratelimit-unified-overage-status": "rejected",
  };
}

/** Titles, hooks with prompts and summaries of a full context are no part of the script. */
function isSideCall(body) {
  const asked = JSON.stringify(body.messages.findLast((message) => message.role === "user") ?? "");
  const wantsSummary = /CRITICAL: Respond with TEXT ONLY|\[SUGGESTION MODE/.test(asked);
  return !Array.isArray(body.tools) || body.tools.length === 0 || wantsSummary;
}

function textOf(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map((block) => block.text ?? "").join("\n");
}

function messageOf(turn, model) {
  const tools = turn.tools ?? [];
  const content = [
    ...(turn.thinking === undefined
      ? []
      : [{ type: "thinking", thinking: turn.thinking, signature: "c2ln" }]),
    ...(turn.text === undefined ? [] : [{ type: "text", text: turn.text }]),
    ...tools.map((call) => ({
      type: "tool_use",
      id: call.id ?? newId("toolu"),
      name: call.name,
      input: call.input,
    })),
  ];
  return {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: turn.stopReason ?? (tools.length > 0 ? "tool_use" : "end_turn"),
    stop_sequence: null,
    usage: {
      input_tokens: turn.usage?.input ?? 100,
      output_tokens: turn.usage?.output ?? 20,
      cache_read_input_tokens: turn.usage?.cacheRead ?? 0,
      cache_creation_input_tokens: turn.usage?.cacheWrite ?? 0,
    },
  };
}

/** The message as the events of a stream; cut: it breaks off in the middle of the last block. */
function* eventsOf(message, cut) {
  const usage = { ...message.usage, output_tokens: 1 };
  yield {
    type: "message_start",
    message: { ...message, content: [], stop_reason: null, usage },
  };
  for (const [index, block] of message.content.entries()) {
    const isLast = index === message.content.length - 1;
    yield* blockEvents(index, block, cut && isLast);
    if (cut && isLast) return;
  }
  yield {
    type: "message_delta",
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: message.usage,
  };
  yield { type: "message_stop" };
}

function* blockEvents(index, block, cut) {
  const { empty, deltas } = piecesOf(block);
  yield { type: "content_block_start", index, content_block: empty };
  for (const delta of cut ? deltas.slice(0, 1) : deltas) {
    yield { type: "content_block_delta", index, delta };
  }
  if (!cut) yield { type: "content_block_stop", index };
}

function piecesOf(block) {
  switch (block.type) {
    case "thinking":
      return {
        empty: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          { type: "thinking_delta", thinking: block.thinking },
          { type: "signature_delta", signature: block.signature },
        ],
      };
    case "text":
      return {
        empty: { type: "text", text: "" },
        deltas: halves(block.text).map((text) => ({ type: "text_delta", text })),
      };
    default:
      return {
        empty: { ...block, input: {} },
        deltas: halves(JSON.stringify(block.input)).map((partial_json) => ({
          type: "input_json_delta",
          partial_json,
        })),
      };
  }
}

await playFromShell("messages-server.mjs", startMessagesServer);
