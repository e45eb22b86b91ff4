// How does orch's own agent carry out a session, on nothing but a key of the Messages API?

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { excerpt } from "../core/model/excerpt.ts";
import { NO_USAGE, silentEnd } from "../core/model/session.ts";
import type { SessionEnd, SessionEnding, SessionEvent } from "../core/model/session.ts";
import type { AgentSpec } from "../core/model/settings.ts";
import { addTokens } from "../core/run/budget.ts";
import type { AgentDriver, SessionRequest } from "../engine/ports.ts";
import { toolSpecs } from "../mcp/server.ts";
import { VERSION } from "../version.ts";
import { faultEnding, type AgentLine, type AgentOptions } from "./anthropic/options.ts";
import { systemPrompt } from "./claude-code/arguments.ts";
import { askingOf, withQuestionChannel, type OwnProgram } from "./question-channel.ts";
import { driverOf, endingOf, runSession, sessionEnvironment, UUID } from "./session-run.ts";
import type { DriverDeps } from "./session-run.ts";

export interface AnthropicDeps extends DriverDeps, OwnProgram {
  /** The agent's program, `anthropic/agent.ts`, with what runs it. */
  readonly agent: readonly [string, ...string[]];
}

const ABILITIES = { resumes: true, tellsSteps: true, asks: true, tellsCost: false };
const DEFAULT_MODEL = "claude-sonnet-5-5";
const COMMAND_MS_MAX = 600_000;
/** They go to the agent alone: every command of the model can read the environment. */
const SECRETS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS"];

const TOOLS = `- Files: read, write, edit and search; for everything else, bash. Paths are relative to the working tree.
- Look before you change something, and run the project's own checks before you say that you are done.
`;

interface Session {
  readonly spec: Extract<AgentSpec, { driver: "anthropic" }>;
  readonly deps: AnthropicDeps;
  readonly request: SessionRequest;
}

/** The agent is a program of its own, under the same guard and sandbox as any other. */
export function createAnthropic(spec: Session["spec"], deps: AnthropicDeps): AgentDriver {
  return driverOf({ name: "anthropic", abilities: ABILITIES }, (request, signal) =>
    runAgent({ spec, deps, request }, signal),
  );
}

async function runAgent(session: Session, signal: AbortSignal): Promise<SessionEnd> {
  const { deps, request, spec } = session;
  const { start, attemptDir, token } = request;
  const conversation = start.kind === "fresh" ? token : start.sessionId;
  // Beside the attempts of the task, any of which may take it up again.
  const folder = join(dirname(attemptDir), "conversations");
  const transcript = join(folder, `${conversation}.jsonl`);
  const detail = `there is no conversation ${excerpt(conversation, 80)}`;
  if (!UUID.test(conversation) || (start.kind !== "fresh" && !existsSync(transcript)))
    return silentEnd({ kind: "not-started", reason: "conversation-unknown", detail });
  const all = Object.entries(sessionEnvironment(request, deps.env(request.cwd), spec.env));
  const env = Object.fromEntries(all.filter(([name]) => !SECRETS.includes(name)));
  const secrets = Object.fromEntries(all.filter(([name]) => SECRETS.includes(name)));
  if (Object.values(secrets).join("") === "")
    return silentEnd(faultEnding("authentication", "ANTHROPIC_API_KEY is not set"));
  const outputs = join(attemptDir, `commands-${token}`);
  for (const path of [folder, outputs]) mkdirSync(path, { recursive: true, mode: 0o700 });
  const { redact } = deps;
  return withQuestionChannel({ request, program: deps, redact, asks: "hold" }, async (channel) => {
    const tools = toolSpecs(channel.asks ? "hold" : "none");
    const rest = { secrets, transcript, outputs, channel: channel.folder, orchTools: tools };
    const input = JSON.stringify(optionsFor(session, rest));
    const [file, ...args] = deps.agent;
    const needs = { read: args, write: [folder, outputs] };
    const program = { file, args, env: channel.environment(env), input, needs };
    const reader = createReader(request);
    const { end, errorTail } = await runSession({ request, deps, program }, reader.listen, signal);
    // Nobody has redacted them.
    rmSync(outputs, { recursive: true, force: true });
    const ending = endingOf(end, reader.ending(), errorTail);
    const sessionId = existsSync(transcript) ? conversation : null;
    return { ...silentEnd(ending, sessionId), usage: reader.usage(), agentVersion: VERSION };
  });
}

function optionsFor(
  { spec, request }: Session,
  rest: Pick<AgentOptions, "secrets" | "transcript" | "outputs" | "channel" | "orchTools">,
): AgentOptions {
  const { start, limits, cwd, reportPath, fence, allowedActions, model, level } = request;
  const same = { ...rest, cwd, reportPath, fence, allowedActions, turns: limits.turns };
  return {
    ...same,
    model: model ?? spec.model ?? DEFAULT_MODEL,
    system: systemPrompt(level) + TOOLS,
    prompt: start.kind === "deliver" ? start.answer : request.prompt,
    contextTokens: spec.contextTokens,
    // A command that runs in silence must be cut off before the whole session is taken for dead.
    commandMsMax: Math.min(COMMAND_MS_MAX, limits.idleMs * 0.8),
    asking: askingOf(request),
  };
}

/** What one process prints, as events; and what it adds up to. */
function createReader(request: Pick<SessionRequest, "onUsage">) {
  let usage = { ...NO_USAGE, turns: 0 };
  let ending: SessionEnding | null = null;
  const take = (line: AgentLine, emit: (event: SessionEvent) => void): void => {
    if (line.type === "end") ending = line.ending;
    else if (line.type !== "usage") emit(line);
    else {
      const byModel = addTokens(usage.byModel, { [line.model]: line.tokens });
      usage = { ...usage, byModel, turns: usage.turns + 1 };
      request.onUsage(usage);
    }
  };
  const listen = (emit: (event: SessionEvent) => void) => ({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The agent's program is orch's own.
    onJson: (value: object) => take(value as AgentLine, emit),
    onText: (text: string) => emit({ type: "text", text }),
  });
  return { listen, ending: () => ending, usage: () => usage };
}
