// Which agents can a config name, and what does each driver need to know about its own?

interface Named {
  /** The name that tasks and steps use. */
  readonly name: string;
  /** Used where neither task nor step names one; null: the program's own default. */
  readonly model: string | null;
  /** Added to the agent's environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** One entry of the config's `agents`, resolved: every path absolute, every default applied. */
export type AgentSpec =
  | (Named & {
      readonly driver: "claude-code";
      /** Program with leading arguments; null: `claude` from PATH. */
      readonly command: readonly string[] | null;
    })
  | (Named & {
      readonly driver: "command";
      /** Program with arguments; a config's single string has become `["/bin/sh", "-c", line]`. */
      readonly command: readonly [string, ...string[]];
      /** How the prompt reaches it: on standard input, or as the file that ORCH_PROMPT names. */
      readonly promptVia: "stdin" | "file";
    });
