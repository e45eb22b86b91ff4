// Which commands do agents call?

import { IMPACTS } from "../../core/model/report.ts";
import { AS_JSON, type CommandSpec } from "./command-spec.ts";

export const AGENT_COMMANDS: readonly CommandSpec[] = [
  {
    usage: "ask [question]",
    summary: "for agents: put a question to a person",
    more: "Prints the answer. Works only inside a session. Exit code 4: not answered yet.",
    options: [
      ["--option <text...>", "a possible answer; may be given several times"],
      ["--default <text>", "what you would do without an answer"],
      ["--impact <how>", "blocking, contradiction, major, minor or taste", { choices: IMPACTS }],
      ["--context <text>", "what the person needs to know"],
      ["--hold <time>", 'how long to wait for the answer here (default: "90s")'],
      AS_JSON,
    ],
    examples: ['orch ask "Which table?" --option sessions --option users --impact major'],
    run: async (...all) => (await import("../commands/ask.ts")).askCommand(...all),
  },
  {
    usage: "mcp [folder]",
    summary: "for agents: tools over MCP, to look at runs",
    more: "With --serve: runs, status, show, explain and questions of the project in the folder, or here. Without it ask_human and report, for an agent that orch runs.",
    options: [
      ["--serve", "serve tools that look at the runs of a project"],
      ["--allow-run", "with --serve: also start_run"],
      ["--allow-answer", "with --serve: also answer, which is for people"],
    ],
    examples: ["orch mcp --serve", "orch mcp --serve ~/shop --allow-run"],
    run: async (...all) => (await import("../commands/mcp.ts")).mcpCommand(...all),
  },
];
