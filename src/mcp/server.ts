// How can an agent with MCP tools put a question to a person?

import type { Readable, Writable } from "node:stream";

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";

import { unaskedAnswer } from "../core/asking.ts";
import { parseAskedQuestion } from "../schema/ask-file.ts";
import { noteUnasked, readAnswer, readAsking } from "./ask-files.ts";

export interface McpOptions {
  /** The session's control folder: what may be asked, and answers that have arrived. */
  readonly folder: string;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

const MESSAGE_BYTES_MAX = 1024 * 1024;

const ASK_HUMAN: Tool = {
  name: "ask_human",
  title: "Ask a person",
  description:
    "Asks a person one question and gives the answer; it may take days. For choices that change " +
    "what is built and that neither the task nor the code settles. Not for permission, and not " +
    "for what you can find out yourself.",
  inputSchema: {
    type: "object",
    properties: {
      question: { type: "string", description: "The question, understandable on its own." },
      options: { type: "array", items: { type: "string" }, description: "Possible answers." },
      default: { type: "string", description: "What you would do without an answer." },
      impact: {
        type: "string",
        enum: ["blocking", "contradiction", "major", "minor", "taste"],
        description:
          "blocking: cannot go on. contradiction: the task contradicts itself. major: behaviour, " +
          "data or interfaces, costly to reverse. minor: visible but reversible. taste: naming.",
      },
      context: { type: "string", description: "What the person needs to know to answer." },
    },
    required: ["question"],
  },
  annotations: {
    // It changes nothing, but read-only calls of one answer may run side by side, and of two
    // questions the first is to be the one that is put.
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

/** Serves until the agent closes the connection. Never rejects. */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { folder, version, input, output } = options;
  const server = new Server({ name: "orch", version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [ASK_HUMAN] }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    if (params.name !== ASK_HUMAN.name) return failure(`There is no tool ${params.name}.`);
    try {
      return answerAsk(folder, params.arguments, params._meta?.["claudecode/toolUseId"]);
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

/** The answer on file for this very call; else what an agent is told where nobody is asked. */
function answerAsk(folder: string, input: unknown, toolUseId: unknown): CallToolResult {
  const answer = typeof toolUseId === "string" ? readAnswer(folder, toolUseId) : null;
  if (answer !== null) return said(answer);
  const asked = parseAskedQuestion(input);
  if (asked === null) return failure('Give the question as text in "question".');
  const asking = readAsking(folder);
  const unasked = asking === null ? null : unaskedAnswer(asking, asked);
  if (unasked === null) {
    return failure(
      "The question could not be put to a person now. Take the most conservative reading, " +
        "record it under assumptions, and list the question in your report.",
    );
  }
  noteUnasked(folder, unasked);
  return said(unasked.answer);
}

function said(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

function failure(text: string): CallToolResult {
  return { ...said(text), isError: true };
}
