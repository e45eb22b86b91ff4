// How can an agent with MCP tools put a question to a person, and leave its report?

import type { Readable, Writable } from "node:stream";

import { excerpt } from "../core/model/excerpt.ts";
import { objectAt, textAt } from "../core/model/json.ts";
import { askOrch } from "./ask.ts";
import { sideOf, type OrchSide } from "./channel.ts";
import { serveRpc, type AnswerCall, type RpcCall } from "./json-rpc.ts";
import { leaveReport } from "./report.ts";
import { ASK_HUMAN, ASK_HUMAN_IN_ORDER, REPORT } from "./tools.ts";

export interface McpOptions {
  /** The session's control folder, by which orch is reached. */
  readonly folder: string;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
  /** How often a call that waits says so; `PROGRESS_MS` unless a test is in a hurry. */
  readonly progressMs?: number;
}

const PROGRESS_MS = 5_000;
/** In all of them what is used here is the same. Of another one the client is told the first. */
const PROTOCOLS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"] as const;

/** Serves until the agent closes the connection. Never rejects. */
export function serveMcp(options: McpOptions): Promise<void> {
  const { folder, version, progressMs = PROGRESS_MS } = options;
  return serveRpc(options, answerMcp(sideOf(folder), version, progressMs));
}

/**
 * So little of the protocol is said here instead of by its library, whose start takes as long as
 * that of Node.js, while an agent waits for it.
 */
export function answerMcp(
  orch: OrchSide,
  version: string,
  progressMs: number = PROGRESS_MS,
): AnswerCall {
  return async (call) => {
    switch (call.method) {
      case "initialize": {
        const wanted = textAt(call.params, "protocolVersion");
        const protocolVersion = PROTOCOLS.find((one) => one === wanted) ?? PROTOCOLS[0];
        const serverInfo = { name: "orch", version };
        return { protocolVersion, capabilities: { tools: {} }, serverInfo };
      }
      case "ping":
        return {};
      case "tools/list":
        return { tools: toolsFor(orch) };
      case "tools/call":
        try {
          return await answerCall({ ...call, orch, progressMs });
        } catch (error) {
          // A full disk must not take the tool away from the agent for the rest of the session.
          return failure(error instanceof Error ? error.message : String(error));
        }
      default:
        return null;
    }
  };
}

/** Where nobody is to be asked there is no such tool. */
function toolsFor({ asks }: OrchSide): readonly object[] {
  if (asks === "none") return [REPORT];
  return [asks === "hold" ? ASK_HUMAN : ASK_HUMAN_IN_ORDER, REPORT];
}

interface ToolCall extends RpcCall {
  readonly orch: OrchSide;
  readonly progressMs: number;
}

async function answerCall(call: ToolCall): Promise<object> {
  const { orch, params, signal } = call;
  const name = textAt(params, "name") ?? "";
  switch (name) {
    case ASK_HUMAN.name:
      return ask(call);
    case REPORT.name: {
      const { path, text } = await leaveReport(orch, params["arguments"], signal);
      return path === null ? failure(text) : said(text);
    }
    default:
      return failure(`There is no tool ${excerpt(name, 100)}.`);
  }
}

/** The call stays open until orch has an answer, or says that there will be none. */
async function ask(call: ToolCall): Promise<object> {
  const { orch, params, signal } = call;
  const quiet = tellProgress(call);
  try {
    const id = textAt(objectAt(params, "_meta") ?? {}, "claudecode/toolUseId") ?? "";
    const asked = { question: params["arguments"], holdMs: null, call: id };
    const { kind, text } = await askOrch(orch.call, asked, signal);
    return ["busy", "wordless", "closed"].includes(kind) ? failure(text) : said(text);
  } finally {
    quiet();
  }
}

/** Some agents cancel a call that is silent for long. */
function tellProgress({ params, notify, progressMs }: ToolCall): () => void {
  const progressToken = objectAt(params, "_meta")?.["progressToken"];
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const message = "waiting for a person";
    notify("notifications/progress", { progressToken, progress, message });
  }, progressMs);
  return () => clearInterval(timer);
}

function said(text: string): { readonly content: readonly object[] } {
  return { content: [{ type: "text", text }] };
}

function failure(text: string): object {
  return { ...said(text), isError: true };
}
