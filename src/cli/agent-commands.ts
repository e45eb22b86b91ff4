// Which commands are there for agents rather than for people?

import type { CliIo } from "./io.ts";
import { askFlags, type Given } from "./options.ts";

/** Entries of the command table. */
export const AGENT_COMMANDS = [
  {
    usage: "ask [question]",
    summary: "for agents: put a question to a person",
    description:
      "For agents: put a question to a person and print the answer. Works inside a session only. Exit code 4: not answered yet.",
    options: [
      ["--option <text...>", "a possible answer; may be given several times"],
      ["--default <text>", "what you would do without an answer"],
      ["--impact <how>", "blocking, contradiction, major, minor or taste"],
      ["--context <text>", "what the person needs to know"],
      ["--expires-in <time>", 'how long the question makes sense, like "2h"'],
      ["--hold <time>", 'how long to wait here, like "90s", which it is by default'],
      ["--json", "print it as JSON"],
    ],
    examples: [
      'orch ask "Which table?" --option sessions --option users --default sessions --impact major',
    ],
    run: async (args: readonly string[], given: Given, io: CliIo): Promise<number> =>
      (await import("./commands/ask.ts")).askCommand(args, askFlags(given), io),
  },
  {
    usage: "mcp [folder]",
    summary: "offer ask_human and report to an agent",
    description: "Offer ask_human and report to an agent, over stdin and stdout.",
    options: [],
    examples: [],
    hidden: true,
    run: async (args: readonly string[], _given: Given, io: CliIo): Promise<number> =>
      (await import("./commands/mcp.ts")).mcpCommand(args, io),
  },
] as const;
