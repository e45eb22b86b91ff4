// What would a model answer? A server of the Gemini API on loopback that plays a script.
//
// The same turns as for messages-server.mjs; a tool's `input` becomes the arguments of a function call.
//   node test/support/gemini-server.mjs script.json [port]
import { halves, playFromShell, startScriptedModel } from "./scripted-model.mjs";

export function startGeminiServer(turns = [], port = 0) {
  return startScriptedModel(GEMINI, turns, port);
}

const GEMINI = {
  path: /^\/v1(?:beta)?\/models\/[^/]+:(?:stream)?[gG]enerateContent$/,
  streams: (path) => path.endsWith(":streamGenerateContent"),
  aside: (path) => (path.endsWith(":countTokens") ? { totalTokens: 1 } : null),
  // Titles, summaries and the choice of a model are no part of the script.
  sideTurn: (body) => ((body.tools ?? []).length === 0 ? { text: "{}" } : null),
  refusal: ({ status, type = "INTERNAL", message = "scripted fault" }) => ({
    error: { code: status, message, status: type },
  }),
  whole: (turn) => ({ ...part(partsOf(turn)), ...lastOf(turn) }),
  events: (turn) => eventsOf(turn),
};

function partsOf(turn) {
  const { thinking, text, tools = [] } = turn;
  return [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
    ...(text === undefined ? [] : halves(text).map((half) => ({ text: half }))),
    ...tools.map(({ name, input }) => ({ functionCall: { name, args: input } })),
  ];
}

function part(parts, finish = {}) {
  return { candidates: [{ index: 0, content: { role: "model", parts }, ...finish }] };
}

function lastOf({ usage = {} }) {
  const { input = 100, output = 20, cacheRead = 0 } = usage;
  return {
    usageMetadata: {
      promptTokenCount: input + cacheRead,
      cachedContentTokenCount: cacheRead,
      candidatesTokenCount: output,
      totalTokenCount: input + cacheRead + output,
    },
  };
}

/** Cut: the stream breaks off before the last part. */
function* eventsOf(turn) {
  const parts = partsOf(turn);
  for (const one of turn.cut === true ? parts.slice(0, -1) : parts) yield part([one]);
  if (turn.cut !== true)
    yield { ...part([{ text: "" }], { finishReason: "STOP" }), ...lastOf(turn) };
}

await playFromShell("gemini-server.mjs", startGeminiServer);
