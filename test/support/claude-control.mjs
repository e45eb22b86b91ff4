// Claude Code's side of what it and orch say to each other on its standard streams.
import { createInterface } from "node:readline";

const write = process.stdout.write.bind(process.stdout);
const say = (message) => write(`${JSON.stringify(message)}\n`);

/**
 * Greets orch, takes the prompt, and has its hook called; without a prompt, the hook of a call that waits
 * for an answer. Standard input is let go of then.
 */
export async function greetOrch({ takesPrompt = true, callsHooks = true } = {}) {
  const input = process.stdin;
  const lines = createInterface({ input })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? "{}");
  const { request_id, request } = await next();
  const response = { commands: [], hooks_applied: true };
  say({ type: "control_response", response: { subtype: "success", request_id, response } });
  const prompt = takesPrompt ? (await next()).message.content : "";
  if (callsHooks) {
    const [callback_id, given] = takesPrompt
      ? ["prompt", { prompt }]
      : ["ask", { tool_use_id: "toolu_1", tool_input: { question: "?" } }];
    const call = { subtype: "hook_callback", callback_id, input: given };
    say({ type: "control_request", request_id: "hook-1", request: call });
    await next();
  }
  input.destroy();
  return { prompt, initialize: request };
}
