// How does any program that reads a prompt and leaves a report become an agent?

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { nameAt, numberAt, type JsonObject } from "../core/model/json.ts";
import { NO_USAGE, tokensBy, type SessionEvent } from "../core/model/session.ts";
import type { AgentSpec } from "../core/model/settings.ts";
import { addTokens } from "../core/run/budget.ts";
import type { StreamAgent, StreamProgram, StreamSession } from "./stream-agent.ts";

type CommandSpec = Extract<AgentSpec, { driver: "command" }>;

/**
 * The program gets the prompt on standard input, or as the file that ORCH_PROMPT names. What it
 * prints is what it said, unless it prints events. It asks with `orch ask`, or with the tool server
 * that the file in ORCH_MCP names.
 */
export const COMMAND: StreamAgent<CommandSpec> = {
  name: "command",
  abilities: { resumes: false, tellsSteps: false, asks: false, tellsCost: false },
  conversation: /^/,
  open,
};

const NO_CALL_MS = 2_000;

function open({ spec, request, model, effort, env }: StreamSession<CommandSpec>): StreamProgram {
  const [file, ...args] = spec.command;
  const { attemptDir, token, prompt } = request;
  const path = spec.promptVia === "file" ? join(attemptDir, `prompt-${token}.txt`) : null;
  if (path !== null) writeFileSync(path, prompt, { mode: 0o600 });
  const startedMs = performance.now();
  let { byModel } = NO_USAGE;
  return {
    file,
    args,
    env: {
      ...env,
      ...(path === null ? {} : { ORCH_PROMPT: path }),
      ...(model === null ? {} : { ORCH_MODEL: model }),
      ...(effort === null ? {} : { ORCH_EFFORT: effort }),
    },
    input: path === null ? prompt : null,
    needs: { read: [...args, ...(path === null ? [] : [path])] },
    isPlain: spec.prints === "text",
    take: (line) => {
      if (nameAt(line, "type") === "usage") {
        byModel = addTokens(byModel, useIn(line));
        request.onUsage({ ...NO_USAGE, byModel });
      }
      return eventIn(line);
    },
    end: ({ exitCode }) => {
      if (path !== null) rmSync(path, { force: true });
      const isQuick = performance.now() - startedMs < NO_CALL_MS;
      // What no program does in that time: it made no call to a model.
      const turns = isQuick && (exitCode ?? 0) !== 0 ? 0 : null;
      return { usage: { ...NO_USAGE, byModel, turns } };
    },
  };
}

/** What a line of its events tells; none: it tells of something else, or not in full. */
function eventIn(line: JsonObject): readonly SessionEvent[] {
  const [text, id] = [nameAt(line, "text"), nameAt(line, "id")];
  const type = nameAt(line, "type");
  switch (type) {
    case "text":
    case "thinking":
    case "note":
      return text === "" ? [] : [{ type, text }];
    case "tool-call":
      return [{ type, id, tool: nameAt(line, "tool") || "tool", input: nameAt(line, "input") }];
    case "tool-result":
      return [{ type, id, isError: line["isError"] === true, output: nameAt(line, "output") }];
    default:
      return [];
  }
}

/** Of one answer of its model. */
function useIn(line: JsonObject) {
  const tokens = tokensBy((kind) => Math.max(0, Math.trunc(numberAt(line, kind) ?? 0)));
  return { [nameAt(line, "model") || "unknown"]: tokens };
}
