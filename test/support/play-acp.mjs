// Stands in for an agent that speaks the Agent Client Protocol, as a plan says:
//   node play-acp.mjs '{"answers": {"initialize": {…}}, "turns": [[{…}, …], …]}'
// `answers`: results or errors by method, instead of the usual ones. `turns`: what it sends in each turn,
// the last of it the answer; a request among it waits for its reply. What it was sent it leaves in `seen.json`.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { before = "", answers = {}, turns = [], lingers = false } = JSON.parse(process.argv[2]);
const seen = [];
const replies = new Map();
let asked = 0;

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const USUAL = {
  initialize: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
  "session/new": { sessionId: "s1" },
};

async function play(id) {
  for (const one of turns.shift() ?? [{ result: { stopReason: "end_turn" } }]) {
    if ("result" in one || "error" in one) send({ id, ...one });
    else if (one.method === "session/request_permission") {
      const number = `ask-${(asked += 1)}`;
      send({ id: number, ...one });
      await new Promise((resolve) => replies.set(number, resolve));
    } else if ("text" in one) process.stdout.write(one.text);
    else if ("exit" in one) process.exit(one.exit);
    else send(one);
  }
}

process.stdout.write(before);
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  seen.push(message);
  writeFileSync("seen.json", JSON.stringify(seen));
  const { id, method } = message;
  if (method === undefined) replies.get(id)?.();
  else if (method === "session/prompt") void play(id);
  else if (id !== undefined) {
    const { [method]: answer = { result: USUAL[method] ?? {} } } = answers;
    for (const one of answer.first ?? []) send(one);
    send({ id, ...("error" in answer ? { error: answer.error } : { result: answer.result }) });
  }
});
if (lingers) setInterval(() => {}, 60_000);
