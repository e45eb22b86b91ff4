// Makes any fake agent speak Codex's stream: `node --import speak-codex.mjs agent.mjs …`.
// Each printed line is a message of the agent, and a clean exit completes its turn.
const write = process.stdout.write.bind(process.stdout);
const say = (event) => write(`${JSON.stringify(event)}\n`);
const usage = { input_tokens: 100, cached_input_tokens: 0, output_tokens: 20 };

say({ type: "thread.started", thread_id: "01a21fd3-12cb-7531-9dc3-791eb17c27b6" });
say({ type: "turn.started" });
let [carried, count] = ["", 0];
process.stdout.write = (chunk, ...rest) => {
  const lines = (carried + Buffer.from(chunk).toString("utf8")).split("\n");
  carried = lines.pop();
  const wrapped = lines.map((line) => {
    count += 1;
    const item = { id: `item_${count}`, type: "agent_message", text: line };
    return `${JSON.stringify({ type: "item.completed", item })}\n`;
  });
  return write(wrapped.join(""), ...rest);
};
process.on("exit", (code) => {
  if (code === 0) say({ type: "turn.completed", usage });
});
