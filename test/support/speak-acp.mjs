// Makes any fake agent speak the Agent Client Protocol: `node --import speak-acp.mjs agent.mjs …`.
// Opens a conversation, gives the agent its prompt, makes each printed line a message, and ends its turn
// where it exits cleanly. With `speak-acp.mjs?early` the agent does not wait for the prompt.
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";

const write = process.stdout.write.bind(process.stdout);
const send = (message) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const tell = (update) => send({ method: "session/update", params: { sessionId: "s1", update } });

const { stdin: input } = process;
const given = new PassThrough();
let turn;
const prompted = new Promise((resolve) => {
  createInterface({ input }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize")
      send({ id, result: { protocolVersion: 1, agentInfo: { name: "fake", version: "1" } } });
    if (method === "session/new") send({ id, result: { sessionId: "s1" } });
    if (method !== "session/prompt") return;
    turn = id;
    given.end(params.prompt[0].text);
    // Its end is the agent's, and not that of its input.
    input.unref();
    resolve();
  });
});
Object.defineProperty(process, "stdin", { value: given });
if (!import.meta.url.endsWith("?early")) await prompted;

let [carried, count] = ["", 0];
process.stdout.write = (chunk) => {
  const lines = (carried + Buffer.from(chunk).toString("utf8")).split("\n");
  carried = lines.pop();
  for (const text of lines) {
    const messageId = String((count += 1));
    const content = { type: "text", text };
    tell({ sessionUpdate: "agent_message_chunk", messageId, content });
    // A text is whole where another message follows.
    tell({
      sessionUpdate: "tool_call",
      toolCallId: messageId,
      status: "in_progress",
      kind: "other",
    });
  }
  return true;
};
process.on("exit", (code) => {
  if (code === 0) send({ id: turn, result: { stopReason: "end_turn" } });
});
