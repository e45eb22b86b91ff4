// What would a model answer? A server of the Chat Completions API on loopback that plays a script.
//
// The same turns as for messages-server.mjs; a tool's `input` becomes the arguments of a function call.
//   node test/support/chat-server.mjs script.json [port]
import { halves, newId, playFromShell, startScriptedModel } from "./scripted-model.mjs";

export function startChatServer(turns = [], port = 0) {
  return startScriptedModel(CHAT, turns, port);
}

const CHAT = {
  path: "/v1/chat/completions",
  aside: () => null,
  // Titles and summaries are no part of the script.
  sideTurn: (body) => ((body.tools ?? []).length === 0 ? { text: "A title" } : null),
  refusal: ({ status, type = "server_error", message = "scripted fault" }) => ({
    error: { code: `${status}`, message, type, param: null },
  }),
  whole: (turn, { model }) => ({
    ...head(model, "chat.completion"),
    choices: [{ index: 0, message: { role: "assistant", ...messageOf(turn) }, ...finishOf(turn) }],
    usage: usageOf(turn),
  }),
  events: (turn, body) => eventsOf(turn, body),
};

function head(model, object) {
  return { id: newId("chatcmpl"), object, created: 1, model };
}

function messageOf({ text = null, tools = [] }) {
  return tools.length === 0 ? { content: text } : { content: text, tool_calls: tools.map(callOf) };
}

function callOf({ name, input }, index) {
  const call = { name, arguments: JSON.stringify(input) };
  return { index, id: newId("call"), type: "function", function: call };
}

function finishOf({ tools = [] }) {
  return { finish_reason: tools.length > 0 ? "tool_calls" : "stop" };
}

function usageOf({ usage = {} }) {
  const { input = 100, output = 20, cacheRead = 0 } = usage;
  return {
    prompt_tokens: input + cacheRead,
    completion_tokens: output,
    total_tokens: input + cacheRead + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  };
}

/** Cut: the stream breaks off before the last part. */
function* eventsOf(turn, { model }) {
  const one = head(model, "chat.completion.chunk");
  const chunk = (delta, more = { finish_reason: null }) => ({
    ...one,
    choices: [{ index: 0, delta, ...more }],
  });
  yield chunk({ role: "assistant", content: "" });
  for (const half of turn.text === undefined ? [] : halves(turn.text))
    yield chunk({ content: half });
  if (turn.cut === true) return;
  for (const [index, tool] of (turn.tools ?? []).entries())
    yield chunk({ tool_calls: [callOf(tool, index)] });
  yield chunk({}, finishOf(turn));
  yield { ...one, choices: [], usage: usageOf(turn) };
}

await playFromShell("chat-server.mjs", startChatServer);
