// How does a config name an agent that plays a script?

import { join } from "node:path";

const PLAYER = join(import.meta.dirname, "../fake-agent/agent.mjs");
const CLAUDE = join(import.meta.dirname, "speak-claude.mjs");

/** One entry of `agents`, as JavaScript; the script lies beside the config. */
export function scriptedAgent(script = "script.json", more = ""): string {
  return `{ driver: "command", command: [process.execPath, ${player(script)}], ${more} }`;
}

/** The same behind the driver of Claude Code, which tells of steps and tokens, and resumes. */
export function claudeLikeAgent(): string {
  const words = `process.execPath, "--import", ${JSON.stringify(CLAUDE)}, ${player("script.json")}`;
  return `{ driver: "claude-code", command: [${words}] }`;
}

function player(script: string): string {
  return `${JSON.stringify(PLAYER)}, import.meta.dirname + "/${script}"`;
}
