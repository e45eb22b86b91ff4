// How can an agent with MCP tools put a question to a person, and leave its report?

import type { Readable, Writable } from "node:stream";

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolRequest,
  type CallToolResult,
  type ServerNotification,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";

import { excerpt } from "../core/model/excerpt.ts";
import { askOrch } from "./ask.ts";
import { readChannel } from "./channel.ts";
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

/** Far above what a report may have, so that one that is too long is told its size. */
const MESSAGE_BYTES_MAX = 4 * 1024 * 1024;
const PROGRESS_MS = 5_000;

interface Call {
  readonly folder: string;
  readonly params: CallToolRequest["params"];
  /** Aborts when the agent takes the call back, or goes. */
  readonly signal: AbortSignal;
  readonly notify: (notification: ServerNotification) => Promise<void>;
  readonly progressMs: number;
}

/** Serves until the agent closes the connection. Never rejects. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { folder, version, input, output, progressMs = PROGRESS_MS } = options;
  const server = new Server({ name: "orch", version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsFor(folder) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const notify = extra.sendNotification;
    try {
      return await answerCall({ folder, params, signal: extra.signal, notify, progressMs });
    } catch (error) {
      // A full disk must not take the tool away from the agent for the rest of the session.
      return failure(error instanceof Error ? error.message : String(error));
    }
  });
  const closed = new Promise<void>((resolve) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- A plain callback; there is no event to add.
    server.onclose = resolve;
    input.once("end", resolve).once("close", resolve);
    output.once("error", () => resolve());
  });
  await server.connect(
    new StdioServerTransport(input, output, { maxBufferSize: MESSAGE_BYTES_MAX }),
  );
  await closed;
  await server.close();
}

/** Where nobody is to be asked there is no such tool. */
function toolsFor(folder: string): Tool[] {
  const asks = readChannel(folder)?.asks ?? "none";
  if (asks === "none") return [REPORT];
  return [asks === "hold" ? ASK_HUMAN : ASK_HUMAN_IN_ORDER, REPORT];
}

async function answerCall(call: Call): Promise<CallToolResult> {
  const { folder, params, signal } = call;
  switch (params.name) {
    case ASK_HUMAN.name:
      return ask(call);
    case REPORT.name: {
      const { path, text } = await leaveReport(folder, params.arguments, signal);
      return path === null ? failure(text) : said(text);
    }
    default:
      return failure(`There is no tool ${excerpt(params.name, 100)}.`);
  }
}

/** The call stays open until orch has an answer, or says that there will be none. */
async function ask(call: Call): Promise<CallToolResult> {
  const { folder, params, signal } = call;
  const id = params._meta?.["claudecode/toolUseId"];
  const quiet = tellProgress(call);
  try {
    const asked = {
      question: params.arguments,
      holdMs: null,
      call: typeof id === "string" ? id : "",
    };
    const { kind, text } = await askOrch(folder, asked, signal);
    return ["busy", "wordless", "closed"].includes(kind) ? failure(text) : said(text);
  } finally {
    quiet();
  }
}

/** Some agents cancel a call that is silent for long. */
function tellProgress({ params, notify, progressMs }: Call): () => void {
  const progressToken = params._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const message = "waiting for a person";
    const told = notify({
      method: "notifications/progress",
      params: { progressToken, progress, message },
    });
    told.catch(() => {}); // The agent is gone; the connection's end is told elsewhere.
  }, progressMs);
  return () => clearInterval(timer);
}

function said(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function failure(text: string): CallToolResult {
  return { ...said(text), isError: true };
}
