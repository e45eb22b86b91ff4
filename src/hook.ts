// Entry of the process that an agent's hooks start: `node hook.cjs <name> <control folder>`.

import { answerHook } from "./drivers/claude-code/hooks.ts";

const INPUT_BYTES_MAX = 8 * 1024 * 1024;

async function main(name = "", folder = ""): Promise<void> {
  process.stdout.write(answerHook(name, folder, await readInput()));
}

/** What the agent says about the occasion; unreadable input is no input. */
async function readInput(): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > INPUT_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return null; // Started by hand, or half an input.
  }
}

void main(...process.argv.slice(2));
