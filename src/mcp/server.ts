// How can an agent with MCP tools put a question to a person, and leave its report?

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

import { packageFolder } from "../adapters/project/package-folder.ts";
import { excerpt } from "../core/model/excerpt.ts";
import { objectAt, textAt } from "../core/model/json.ts";
import { OrchError } from "../errors.ts";
import { askOrch, leaveReport } from "./ask.ts";
import { sideOf, type OrchSide } from "./channel.ts";
import { serveRpc, type AnswerCall, type RpcCall } from "./json-rpc.ts";
import { IMPACTS } from "../core/model/report.ts";

export interface McpOptions {
  /** The session's control folder, by which orch is reached. */
  readonly folder: string;
  readonly version: string;
  readonly input: Readable;
  readonly output: Writable;
}

/** What is used here is the same in every version so far. */
const PROTOCOL = "2025-11-25";

/** Serves until the agent closes the connection. Never rejects. */
export function serveMcp(options: McpOptions): Promise<void> {
  const { folder, version } = options;
  return serveRpc(options, answerMcp(sideOf(folder), version));
}

/**
 * So little of the protocol is said here instead of by its library, whose start takes as long as
 * that of Node.js, while an agent waits for it.
 */
export function answerMcp(orch: OrchSide, version: string): AnswerCall {
  return answerTools(
    () => toolsFor(orch),
    (call) => answerCall(call, orch),
    version,
  );
}

/** For a server that has tools, and nothing else. */
export function answerTools(
  tools: () => readonly object[],
  act: (call: RpcCall) => Promise<object>,
  version: string,
): AnswerCall {
  return async (call) => {
    switch (call.method) {
      case "initialize": {
        const protocolVersion = textAt(call.params, "protocolVersion") ?? PROTOCOL;
        const serverInfo = { name: "orch", version };
        return { protocolVersion, capabilities: { tools: {} }, serverInfo };
      }
      case "ping":
        return {};
      case "tools/list":
        return { tools: tools() };
      case "tools/call":
        try {
          return await act(call);
        } catch (error) {
          if (error instanceof OrchError) return failure(`${error.message}\n${error.hint}`);
          // A full disk must not take the tool away from the agent for the rest of the session.
          return failure(error instanceof Error ? error.message : String(error));
        }
      default:
        return null;
    }
  };
}

/** Where nobody is to be asked there is no such tool. */
function toolsFor({ asks }: Pick<OrchSide, "asks">) {
  if (asks === "none") return [reportTool()];
  return [asks === "hold" ? ASK_HUMAN : ASK_HUMAN_IN_ORDER, reportTool()];
}

/** The same tools, as an agent of orch's own hands them to the Messages API. */
export function toolSpecs(asks: OrchSide["asks"]) {
  return toolsFor({ asks }).map(({ name, description, inputSchema }) => {
    return { name, description, input_schema: { ...inputSchema, type: "object" as const } };
  });
}

async function answerCall(call: RpcCall, orch: OrchSide): Promise<object> {
  const { params, signal } = call;
  const name = textAt(params, "name") ?? "";
  switch (name) {
    case ASK_HUMAN.name:
      return ask(call, orch);
    case REPORT: {
      const { path, text } = await leaveReport(orch, params["arguments"], signal);
      return path === null ? failure(text) : textResult(text);
    }
    default:
      return failure(`There is no tool ${excerpt(name, 100)}.`);
  }
}

/** The call stays open until orch has an answer, or says that there will be none. */
async function ask({ params, signal }: RpcCall, orch: OrchSide): Promise<object> {
  const id = textAt(objectAt(params, "_meta") ?? {}, "claudecode/toolUseId") ?? "";
  const asked = { question: params["arguments"], holdMs: null, call: id };
  const { kind, text } = await askOrch(orch.call, asked, signal);
  return ["busy", "wordless", "closed"].includes(kind) ? failure(text) : textResult(text);
}

export function textResult(text: string): { readonly content: readonly object[] } {
  return { content: [{ type: "text", text }] };
}

export function failure(text: string): object {
  return { ...textResult(text), isError: true };
}

/**
 * Neither tool touches the work: one speaks to a person, the other leaves the agent's own word to
 * orch, at a place that is orch's. Agents that would have to ask for permission call them at once.
 */
export const HINTS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const REPORT = "report";
const TEXT = { type: "string" } as const;

const ASK_HUMAN = onOffer({
  name: "ask_human",
  title: "Ask a person",
  description:
    "Asks a person one question and gives the answer; it may take a while. For choices that change " +
    "what is built and that neither the task nor the code settles. Not for permission, and not " +
    "for what you can find out yourself.",
  inputSchema: {
    type: "object",
    properties: {
      question: { ...TEXT, description: "The question, understandable on its own." },
      options: { type: "array", items: TEXT, description: "Possible answers." },
      default: { ...TEXT, description: "What you would do without an answer." },
      impact: {
        ...TEXT,
        enum: [...IMPACTS],
        description:
          "blocking: cannot go on. contradiction: the task contradicts itself. major: behaviour, " +
          "data or interfaces, costly to reverse. minor: visible but reversible. taste: naming.",
      },
      context: { ...TEXT, description: "What the person needs to know to answer." },
    },
    required: ["question"],
  },
});

/**
 * Where the agent's program puts questions off. It is told which tools it may call, so the hint is
 * not needed there; and it runs the read-only calls of one answer side by side, while of two
 * questions the first is to be the one that is put.
 */
const ASK_HUMAN_IN_ORDER = { ...ASK_HUMAN, annotations: { ...HINTS, readOnlyHint: false } };

/** Whole where an agent checks it; not all agents take more words of JSON Schema than these leave. */
const PASSED_OVER = new Set(["$schema", "title", "const", "examples", "additionalProperties"]);

/** As it is published, and as orch judges a report. */
function reportSchema(): object {
  const path = join(packageFolder(), "schemas/report.schema.json");
  return JSON.parse(readFileSync(path, "utf8"), (key, value: unknown) =>
    PASSED_OVER.has(key) ? undefined : value,
  );
}

const reportTool = () =>
  onOffer({
    name: REPORT,
    title: "Leave the report",
    description:
      "Checks your report and leaves it where it belongs. Call it once, when you are done or cannot " +
      "go on; what is wrong with it is told at once, and nothing is left until it is right.",
    inputSchema: reportSchema(),
  });

/** Some agents list a tool by its name alone until it is looked up, unless told otherwise. */
function onOffer<T extends object>(tool: T) {
  return { ...tool, annotations: HINTS, _meta: { "anthropic/alwaysLoad": true } };
}
