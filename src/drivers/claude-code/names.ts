// What are the tools and files called that orch and Claude Code share?

export const ASK_SERVER = "orch";
export const ASK_TOOL = "mcp__orch__ask_human";
/** Claude Code's own, which it does not offer where nobody sits at it; agents call it all the same. */
export const OWN_ASK_TOOL = "AskUserQuestion";
export const REPORT_TOOL = "mcp__orch__report";
export const SHELL_TOOL = "Bash";
/** What writes a file that its input names, as a pattern for hooks. */
export const WRITE_TOOLS = "Write|Edit|MultiEdit|NotebookEdit";
