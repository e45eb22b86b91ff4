// Makes any fake agent speak Claude Code's stream: `node --import speak-claude.mjs agent.mjs …`.
// Greets orch, gives the agent its prompt, wraps each printed line, and ends a clean exit with a result.
// The line "used 100" tells of so many tokens.
// With `speak-claude.mjs?early` the agent does not wait for the greeting.
import { PassThrough } from "node:stream";

import { greetOrch } from "./claude-control.mjs";

const write = process.stdout.write.bind(process.stdout);
const say = (event) => write(`${JSON.stringify(event)}\n`);

const given = new PassThrough();
const greet = async () => {
  const { prompt } = await greetOrch();
  say({
    type: "system",
    subtype: "init",
    claude_code_version: "2.1.329",
    tools: ["mcp__orch__ask_human"],
    mcp_servers: [{ name: "orch", status: "connected" }],
  });
  given.end(prompt);
};
const greeted = greet();
Object.defineProperty(process, "stdin", { value: given });
if (!import.meta.url.endsWith("?early")) await greeted;

let carried = "";
process.stdout.write = (chunk, ...rest) => {
  const lines = (carried + Buffer.from(chunk).toString("utf8")).split("\n");
  carried = lines.pop();
  const wrapped = lines.map((text) => {
    const usage = text.startsWith("used ") ? { input_tokens: Number(text.slice(5)) } : undefined;
    const message = { id: "msg_1", model: "fake", content: [{ type: "text", text }], usage };
    return `${JSON.stringify({ type: "assistant", parent_tool_use_id: null, message })}\n`;
  });
  return write(wrapped.join(""), ...rest);
};
process.on("exit", (code) => {
  if (code === 0) say({ type: "result", subtype: "success", is_error: false, result: "done" });
});
