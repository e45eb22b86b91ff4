// How does any program that reads a prompt and leaves a report become an agent?

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { AgentSpec } from "../core/model/settings.ts";
import type { DriverAbilities } from "../core/model/event.ts";
import { NO_USAGE, silentEnd, type SessionEnding } from "../core/model/session.ts";
import type { AgentDriver, SessionRequest } from "../engine/ports.ts";
import { withQuestionChannel, writeToolServers } from "./question-channel.ts";
import type { OwnProgram, QuestionChannel } from "./question-channel.ts";
import { driverOf, endingOf, runSession, sessionEnvironment } from "./session-run.ts";
import type { DriverDeps } from "./session-run.ts";

type CommandSpec = Extract<AgentSpec, { driver: "command" }>;

const ABILITIES: DriverAbilities = {
  resumes: false,
  tellsSteps: false,
  asks: false,
  tellsCost: false,
};

export type CommandDeps = DriverDeps & OwnProgram;

/**
 * The program gets the prompt on standard input, or as the file that ORCH_PROMPT names. What it
 * prints is what it said: nothing in it is read as anything else. It asks with `orch ask`, or with
 * the tool server that the file in ORCH_MCP names.
 */
export function createCommandDriver(spec: CommandSpec, deps: CommandDeps): AgentDriver {
  return driverOf({ name: "command", abilities: ABILITIES }, async (request, signal) => {
    const promptPath =
      spec.promptVia === "file" ? join(request.attemptDir, `prompt-${request.token}.txt`) : null;
    try {
      if (promptPath !== null) writeFileSync(promptPath, request.prompt, { mode: 0o600 });
      return await withQuestionChannel(
        { request, program: deps, redact: deps.redact, asks: "hold" },
        async (channel) => {
          const startedMs = performance.now();
          const ending = await runCommand({ spec, deps, promptPath, channel }, request, signal);
          const isQuick = performance.now() - startedMs < NO_CALL_MS;
          const hasFailed = ending.kind === "crashed" && (ending.exitCode ?? 0) !== 0;
          // What no program does in that time: it made no call to a model.
          const turns = isQuick && hasFailed ? 0 : null;
          return { ...silentEnd(ending), usage: { ...NO_USAGE, turns } };
        },
      );
    } finally {
      if (promptPath !== null) removeQuietly(promptPath);
    }
  });
}

const NO_CALL_MS = 2_000;

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder became unwritable; the session's ending is worth more than a tidy folder.
  }
}

interface Prepared {
  readonly spec: CommandSpec;
  readonly deps: CommandDeps;
  /** null: the prompt goes to standard input. */
  readonly promptPath: string | null;
  readonly channel: QuestionChannel;
}

async function runCommand(
  { spec, deps, promptPath, channel }: Prepared,
  request: SessionRequest,
  signal: AbortSignal,
): Promise<SessionEnding> {
  const [file, ...args] = spec.command;
  const model = request.model ?? spec.model;
  const env = {
    ...channel.environment(sessionEnvironment(request, deps.env(request.cwd), spec.env)),
    ORCH_MCP: writeToolServers(channel.folder, deps),
    ...(promptPath === null ? {} : { ORCH_PROMPT: promptPath }),
    ...(model === null ? {} : { ORCH_MODEL: model }),
  };
  const needs = { read: [...args, ...(promptPath === null ? [] : [promptPath])] };
  const input = promptPath === null ? request.prompt : null;
  const { end, errorTail } = await runSession(
    { request, deps, program: { file, args, env, input, needs, isPlain: true } },
    (emit) => {
      const say = (text: string): void => emit({ type: "text", text });
      return { onJson: (_value, text) => say(text), onText: say };
    },
    signal,
  );
  return endingOf(end, null, errorTail);
}
