// Entry of the process that an agent's hooks start: `node hook.cjs <name> <control folder>`.

import { callOrch } from "./mcp/channel.ts";

const INPUT_BYTES_MAX = 1024 * 1024;
/** Below the time after which the agent's program ends a hook, and goes on as if there were none. */
const REPLY_MS_MAX = 20_000;

/** Where orch cannot be reached, most hooks have no word. These decide what cannot be taken back. */
const DECIDES: readonly string[] = ["act", "ask"];
const UNREACHED = JSON.stringify({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "deny",
    permissionDecisionReason:
      "orch, which decides on this call, cannot be reached. Leave it undone, and end your turn.",
  },
});

async function main(name = "", folder = ""): Promise<void> {
  const input = await readInput();
  const reply = await callOrch(
    folder,
    { verb: "hook", name, input },
    AbortSignal.timeout(REPLY_MS_MAX),
  );
  process.stdout.write(reply ?? (DECIDES.includes(name) ? UNREACHED : ""));
}

/** What the agent says about the occasion; null: more than orch would read. */
async function readInput(): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > INPUT_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

void main(...process.argv.slice(2));
