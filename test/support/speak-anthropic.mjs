// Makes any fake agent speak the stream of orch's own: `node --import speak-anthropic.mjs agent.mjs …`.
// Each printed line is a text of the model.
const write = process.stdout.write.bind(process.stdout);
let carried = "";
process.stdout.write = (chunk, ...rest) => {
  const lines = (carried + Buffer.from(chunk).toString("utf8")).split("\n");
  carried = lines.pop();
  const wrapped = lines.map((text) => `${JSON.stringify({ type: "text", text })}\n`);
  return write(wrapped.join(""), ...rest);
};
