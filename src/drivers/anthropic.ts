// How does orch's own agent carry out a session, on nothing but a key of the Messages API?

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { excerpt } from "../core/model/excerpt.ts";
import { NO_USAGE, type SessionEnding, type SessionEvent } from "../core/model/session.ts";
import type { AgentSpec } from "../core/model/settings.ts";
import { addTokens } from "../core/run/budget.ts";
import type { SessionRequest } from "../engine/ports.ts";
import { toolSpecs } from "../mcp/server.ts";
import { VERSION } from "../version.ts";
import type { AgentLine, AgentOptions } from "./anthropic/options.ts";
import { commandMsMax, systemPrompt } from "./claude-code/arguments.ts";
import { faultEnding } from "./ending.ts";
import { askingOf } from "./question-channel.ts";
import { UUID } from "./session-run.ts";
import type { StreamAgent, StreamProgram, StreamSession } from "./stream-agent.ts";

type AnthropicSpec = Extract<AgentSpec, { driver: "anthropic" }>;
type AnthropicSession = StreamSession<AnthropicSpec>;

const DEFAULT_MODEL = "claude-sonnet-5-5";
/** They go to the agent alone: every command of the model can read the environment. */
const SECRETS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS"];

const TOOLS = `- Files: read, write, edit and search; for everything else, bash. Paths are relative to the working tree.
- Look before you change something, and run the project's own checks before you say that you are done.
`;

/**
 * The agent is a program of its own, under the same guard and sandbox as any other: `agent/agent.ts`, with
 * what runs it.
 */
export function anthropicBy(agent: readonly [string, ...string[]]): StreamAgent<AnthropicSpec> {
  return {
    name: "anthropic",
    abilities: { resumes: true, tellsSteps: true, asks: true, tellsCost: false },
    conversation: UUID,
    open: (session) => open(agent, session),
  };
}

function open(
  [file, ...args]: readonly [string, ...string[]],
  session: AnthropicSession,
): StreamProgram | SessionEnding {
  const { request, channel } = session;
  const { start, attemptDir, token } = request;
  const conversation = start.kind === "fresh" ? token : start.sessionId;
  // Beside the attempts of the task, any of which may take it up again.
  const folder = join(dirname(attemptDir), "conversations");
  const transcript = join(folder, `${conversation}.jsonl`);
  const detail = `there is no conversation ${excerpt(conversation, 80)}`;
  if (start.kind !== "fresh" && !existsSync(transcript))
    return { kind: "not-started", reason: "conversation-unknown", detail };
  const all = Object.entries(session.env);
  const env = Object.fromEntries(all.filter(([name]) => !SECRETS.includes(name)));
  const secrets = Object.fromEntries(all.filter(([name]) => SECRETS.includes(name)));
  if (Object.values(secrets).join("") === "")
    return faultEnding("authentication", "ANTHROPIC_API_KEY is not set");
  const outputs = join(attemptDir, `commands-${token}`);
  for (const path of [folder, outputs]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const orchTools = toolSpecs(channel.asks ? "hold" : "none");
  const rest = { secrets, transcript, outputs, channel: channel.folder, orchTools };
  const reader = createReader(request);
  return {
    file,
    args,
    env,
    input: JSON.stringify(optionsFor(session, rest)),
    needs: { read: args, write: [folder, outputs] },
    take: reader.take,
    end: () => {
      // Nobody has redacted them.
      rmSync(outputs, { recursive: true, force: true });
      const sessionId = existsSync(transcript) ? conversation : null;
      return { ...reader.end(), sessionId, agentVersion: VERSION };
    },
  };
}

function optionsFor(
  { spec, request, model, effort }: AnthropicSession,
  rest: Pick<AgentOptions, "secrets" | "transcript" | "outputs" | "channel" | "orchTools">,
): AgentOptions {
  const { start, limits, cwd, reportPath, fence, allowedActions, level } = request;
  const same = { ...rest, cwd, reportPath, fence, allowedActions, turns: limits.turns };
  return {
    ...same,
    model: model ?? DEFAULT_MODEL,
    effort,
    system: systemPrompt(level) + TOOLS,
    prompt: start.kind === "deliver" ? start.answer : request.prompt,
    contextTokens: spec.contextTokens,
    commandMsMax: commandMsMax(limits.idleMs),
    asking: askingOf(request),
  };
}

/** What one process prints, as events; and what it adds up to. */
function createReader(request: Pick<SessionRequest, "onUsage">) {
  let usage = { ...NO_USAGE, turns: 0 };
  let ending: SessionEnding | null = null;
  const take = (given: object): readonly SessionEvent[] => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The agent's program is orch's own.
    const line = given as AgentLine;
    if (line.type !== "end" && line.type !== "usage") return [line];
    if (line.type === "end") ending = line.ending;
    else {
      const byModel = addTokens(usage.byModel, { [line.model]: line.tokens });
      usage = { ...usage, byModel, turns: usage.turns + 1 };
      request.onUsage(usage);
    }
    return [];
  };
  return { take, end: () => ({ usage, ...(ending !== null && { ending }) }) };
}
