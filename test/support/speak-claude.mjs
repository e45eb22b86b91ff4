// Makes any fake agent speak Claude Code's stream: `node --import speak-claude.mjs agent.mjs …`.
// Runs the session's first hook, wraps each printed line, and ends a clean exit with a result.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const write = process.stdout.write.bind(process.stdout);
const say = (event) => write(`${JSON.stringify(event)}\n`);

const option = process.argv.find((arg) => arg.startsWith("--settings="));
const settings = JSON.parse(readFileSync(option.slice("--settings=".length), "utf8"));
for (const { command } of settings.hooks.SessionStart.flatMap((group) => group.hooks)) {
  spawnSync("/bin/sh", ["-c", command], { input: "{}" });
}
say({
  type: "system",
  subtype: "init",
  claude_code_version: "2.1.329",
  tools: ["mcp__orch__ask_human"],
  mcp_servers: [{ name: "orch", status: "connected" }],
});

let carried = "";
process.stdout.write = (chunk, ...rest) => {
  const lines = (carried + Buffer.from(chunk).toString("utf8")).split("\n");
  carried = lines.pop();
  const wrapped = lines.map((text) => {
    const message = { id: "msg_1", model: "fake", content: [{ type: "text", text }] };
    return `${JSON.stringify({ type: "assistant", parent_tool_use_id: null, message })}\n`;
  });
  return write(wrapped.join(""), ...rest);
};
process.on("exit", (code) => {
  if (code === 0) say({ type: "result", subtype: "success", is_error: false, result: "done" });
});
