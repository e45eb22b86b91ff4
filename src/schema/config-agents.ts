// Which agents may a config name, and what does each driver need?

import { z } from "zod";

import { CODEX_SANDBOXES, type AgentSpec } from "../core/model/settings.ts";
import { assertNever } from "../core/model/assert.ts";
import { KNOWN_AGENTS } from "../core/model/known-agents.ts";
import { count, line, list, listOf, model, variableName, withoutNul } from "./fields.ts";
import { key, keyWith, needed } from "./key.ts";

const PLAIN = { model: null, env: {}, command: null };

/** The one that is used where none is named. */
export const BUILT_IN_AGENT: AgentSpec = { name: "claude-code", driver: "claude-code", ...PLAIN };

const CONTEXT_TOKENS = 200_000;

/** Always there, so that a config need not name them. */
export const BUILT_IN_AGENTS: readonly AgentSpec[] = [
  BUILT_IN_AGENT,
  { name: "codex", driver: "codex", sandbox: "workspace-write", ...PLAIN },
  { name: "anthropic", driver: "anthropic", contextTokens: CONTEXT_TOKENS, ...PLAIN },
  ...KNOWN_AGENTS.filter(({ driver }) => driver === "acp").map(
    ({ name, command: words }) =>
      ({ ...PLAIN, name, driver: "acp", command: words, toolSeconds: null }) as const,
  ),
];

const command = z.union([line, list(line).min(1, { error: "expected a program" })], {
  error: "expected a command line, or a list of a program and its arguments",
});

const shared = {
  model: key(model, "The model where neither flag, task nor step names one.", "none"),
  env: keyWith(z.record(variableName, withoutNul), {}, [
    "Added to its environment. Not a good place for secrets: the config is a file. Values whose names look secret are [redacted](files.md#redaction) like those of orch's own environment.",
  ]),
};

const driven = <T extends string, S extends z.core.$ZodLooseShape>(name: T, keys: S) =>
  z.strictObject({
    driver: needed(
      z.literal(name),
      '`"claude-code"`, `"codex"`, `"anthropic"`, `"acp"` or `"command"`.',
      "needed",
    ),
    ...keys,
    ...shared,
  });

const program = key(
  command,
  "For `claude-code` and `codex` the program, or a list of the program and its first arguments. For `acp` and `command`, where it is needed: a line for the shell, or a list of a program and its arguments.",
  "`claude` or `codex` from `PATH`",
);
const neededProgram = needed(command, "A line for the shell, or a program with its arguments.");

export const agent = z
  .discriminatedUnion(
    "driver",
    [
      driven("claude-code", { command: program }),
      driven("codex", {
        command: program,
        sandbox: keyWith(z.enum(CODEX_SANDBOXES), "workspace-write", [
          'For `codex`: what its commands may do. `"danger-full-access"`: everything that you may.',
        ]),
      }),
      driven("anthropic", {
        contextTokens: keyWith(count(20_000), CONTEXT_TOKENS, [
          "For `anthropic`: how much the model can read at once. Before that is full, the work is handed over to a fresh session.",
        ]),
      }),
      driven("acp", {
        command: neededProgram,
        toolSeconds: key(
          count(1),
          "For `acp`: how long the agent waits for the answer of a tool, in seconds. A person who needs longer answers the next session.",
          "60, or what is known of it",
        ),
      }),
      driven("command", {
        command: neededProgram,
        promptVia: keyWith(z.enum(["stdin", "file"]), "stdin", [
          'For `command`: how the prompt reaches it, `"stdin"` or `"file"`.',
        ]),
        prints: keyWith(z.enum(["text", "events"]), "text", [
          'For `command`: what it prints, words or `"events"`, [one a line](agents.md#command-agents).',
        ]),
      }),
    ],
    {
      error:
        'expected "claude-code", "codex", "anthropic", "acp" or "command", which runs any program, a scripted one too',
    },
  )
  .meta({ id: "AgentConfig" });

/** Paths are as written; they are made absolute by whoever knows the config's folder. */
export function agentSpec(name: string, written: z.infer<typeof agent>): AgentSpec {
  const named = { name, model: written.model ?? null, env: written.env };
  switch (written.driver) {
    case "claude-code":
    case "codex":
      return { ...written, ...named, command: listOf(written.command) };
    case "anthropic":
      return { ...written, ...named, command: null };
    case "acp": {
      const { toolSeconds = null } = written;
      return { ...written, ...named, command: shellWords(written.command), toolSeconds };
    }
    case "command":
      return { ...written, ...named, command: shellWords(written.command) };
    default:
      return assertNever(written, "driver");
  }
}

function shellWords(written: string | readonly string[]): readonly [string, ...string[]] {
  if (typeof written === "string") return ["/bin/sh", "-c", written];
  const [program = "", ...rest] = written;
  return [program, ...rest];
}
