// What would a model answer? A server of OpenAI's Responses API on loopback that plays a script.
//
// The same turns as for messages-server.mjs; a tool's `input` becomes the arguments of a function call.
//   node test/support/responses-server.mjs script.json [port]
import { halves, newId, playFromShell, startScriptedModel } from "./scripted-model.mjs";

export function startResponsesServer(turns = [], port = 0) {
  return startScriptedModel(RESPONSES, turns, port);
}

const RESPONSES = {
  path: "/v1/responses",
  aside: () => null,
  sideTurn: () => null,
  refusal: ({ type = "server_error", code = null, message = "scripted fault", ...turn }) => ({
    error: { type, code, message, ...turn.details },
  }),
  whole: (turn, body) => responseOf(turn, body.model),
  events: (turn, body) => eventsOf(responseOf(turn, body.model), turn.cut === true),
};

function responseOf(turn, model) {
  const { input = 100, output = 20, cacheRead = 0 } = turn.usage ?? {};
  const items = [
    ...(turn.thinking === undefined ? [] : [reasoning(turn.thinking)]),
    ...(turn.text === undefined ? [] : [message(turn.text)]),
    ...(turn.tools ?? []).map(call),
  ];
  return {
    id: newId("resp"),
    object: "response",
    status: "completed",
    model,
    output: items,
    usage: {
      input_tokens: input + cacheRead,
      input_tokens_details: { cached_tokens: cacheRead },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + cacheRead + output,
    },
  };
}

function reasoning(text) {
  return { type: "reasoning", id: newId("rs"), summary: [{ type: "summary_text", text }] };
}

function message(text) {
  const content = [{ type: "output_text", text, annotations: [] }];
  return { type: "message", id: newId("msg"), role: "assistant", status: "completed", content };
}

/** Text as input is for a tool that takes no JSON, as `apply_patch` does. */
function call({ id, namespace, name, input }) {
  const named = namespace === undefined ? { name } : { name, namespace };
  const call_id = id ?? newId("call");
  if (typeof input === "string")
    return { type: "custom_tool_call", id: newId("ctc"), call_id, ...named, input };
  const words = JSON.stringify(input);
  return { type: "function_call", id: newId("fc"), call_id, ...named, arguments: words };
}

/** Cut: the stream breaks off in the middle of the last item. */
function* eventsOf(response, cut) {
  yield { type: "response.created", response: { ...response, status: "in_progress", output: [] } };
  for (const [index, item] of response.output.entries()) {
    const isCut = cut && index === response.output.length - 1;
    yield { type: "response.output_item.added", output_index: index, item: begun(item) };
    if (item.type === "message") {
      const [first, second] = halves(item.content[0].text);
      for (const delta of isCut ? [first] : [first, second])
        yield {
          type: "response.output_text.delta",
          item_id: item.id,
          output_index: index,
          content_index: 0,
          delta,
        };
    }
    if (isCut) return;
    yield { type: "response.output_item.done", output_index: index, item };
  }
  if (!cut) yield { type: "response.completed", response };
}

function begun(item) {
  if (item.type === "message") return { ...item, status: "in_progress", content: [] };
  return item.type === "function_call" ? { ...item, arguments: "" } : item;
}

await playFromShell("responses-server.mjs", startResponsesServer);
