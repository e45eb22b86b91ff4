// What would a model answer? A Messages API server on loopback that plays a script.
//
// In a test: `startMessagesServer([...])`. By itself, for demonstrations:
//   node test/support/messages-server.mjs script.json [port]
// where script.json holds the list of turns; types and meaning are in messages-server.d.mts.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename } from "node:path";

const BODY_BYTES_MAX = 64 * 1024 * 1024;
const SCRIPT_IS_OVER = {
  status: 400,
  type: "invalid_request_error",
  message: "the script is over",
};

export async function startMessagesServer(turns = [], port = 0) {
  const queue = [...turns];
  const requests = [];
  const waiting = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request, response) {
    const path = new URL(request.url ?? "/", "http://loopback").pathname;
    if (request.method !== "POST") return json(response, 404, { error: "not here" });
    const body = JSON.parse(await read(request));
    if (path.endsWith("/count_tokens")) return json(response, 200, { input_tokens: 1 });
    if (path !== "/v1/messages") return json(response, 404, { error: "not here" });
    if (isSideCall(body)) {
      return play({ text: "<summary>What happened before.</summary>" }, body, response);
    }
    requests.push({ headers: request.headers, body });
    for (const tell of waiting.splice(0)) tell();
    const next = queue[0]?.repeat === true ? queue[0] : queue.shift();
    const turn = typeof next === "function" ? next(body) : (next ?? SCRIPT_IS_OVER);
    return play(turn, body, response);
  }

  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    add: (...more) => void queue.push(...more),
    replace: (...others) => void queue.splice(0, queue.length, ...others),
    async reached(count) {
      while (requests.length < count) await new Promise((resolve) => waiting.push(resolve));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

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
  const wantsSummary = asked.includes("CRITICAL: Respond with TEXT ONLY");
  return !Array.isArray(body.tools) || body.tools.length === 0 || wantsSummary;
}

function textOf(content) {
  if (typeof content === "string") return content;
  return (content ?? []).map((block) => block.text ?? "").join("\n");
}

async function read(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error("a request this large is not expected");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function json(response, status, value, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(value));
}

function play(turn, body, response) {
  if (turn.hang === true) return;
  if (turn.drop === true) return void response.destroy();
  const headers = { "request-id": id("req"), ...turn.headers };
  if (turn.status !== undefined) {
    const error = { type: turn.type ?? "api_error", message: turn.message ?? "scripted fault" };
    return json(response, turn.status, { type: "error", error }, headers);
  }
  const message = messageOf(turn, body.model);
  if (body.stream !== true) return json(response, 200, message, headers);
  response.writeHead(200, { "content-type": "text/event-stream", ...headers });
  for (const event of eventsOf(message, turn.cut === true)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  if (turn.cut === true) setImmediate(() => response.destroy());
  else response.end();
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
      id: call.id ?? id("toolu"),
      name: call.name,
      input: call.input,
    })),
  ];
  return {
    id: id("msg"),
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

function halves(text) {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

let counter = 0;

function id(kind) {
  counter += 1;
  return `${kind}_${String(counter).padStart(4, "0")}scripted`;
}

// By its name: bundled, it has the same address as what it is bundled into.
if (basename(process.argv[1] ?? "") === "messages-server.mjs") {
  const [script, port] = process.argv.slice(2);
  if (script === undefined) throw new Error("usage: messages-server.mjs script.json [port]");
  const server = await startMessagesServer(
    JSON.parse(readFileSync(script, "utf8")),
    Number(port ?? 0),
  );
  console.log(server.url);
}
