// How can an agent with MCP tools put a question to a person, and leave its report?

import type { Readable, Writable } from "node:stream";

import { excerpt } from "../core/model/excerpt.ts";
import { objectAt, textAt } from "../core/model/json.ts";
import { askOrch } from "./ask.ts";
import { sideOf, type OrchSide } from "./channel.ts";
import { serveRpc, type AnswerCall, type RpcCall } from "./json-rpc.ts";
import { leaveReport } from "./report.ts";
import { IMPACTS } from "../core/model/report.ts";

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
      return path === null ? failure(text) : textResult(text);
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
    return ["busy", "wordless", "closed"].includes(kind) ? failure(text) : textResult(text);
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

function textResult(text: string): { readonly content: readonly object[] } {
  return { content: [{ type: "text", text }] };
}

function failure(text: string): object {
  return { ...textResult(text), isError: true };
}

/**
 * Neither tool touches the work: one speaks to a person, the other leaves the agent's own word to
 * orch, at a place that is orch's. Agents that would have to ask for permission call them at once.
 */
const HINTS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean" } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const TEXTS = { type: "array", items: TEXT } as const;
const IMPACT = { ...TEXT, enum: [...IMPACTS] };

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
      options: { ...TEXTS, description: "Possible answers." },
      default: { ...TEXT, description: "What you would do without an answer." },
      impact: {
        ...IMPACT,
        description:
          "blocking: cannot go on. contradiction: the task contradicts itself. major: behaviour, " +
          "data or interfaces, costly to reverse. minor: visible but reversible. taste: naming.",
      },
      context: { ...TEXT, description: "What the person needs to know to answer." },
      expires_in: {
        ...TEXT,
        description: 'How long the question makes sense, like "2h"; leave it out for no limit.',
      },
    },
    required: ["question"],
  },
});

/**
 * Where the agent's program puts questions off. It is told which tools it may call, so the hint is
 * not needed there; and it runs the read-only calls of one answer side by side, while of two
 * questions the first is to be the one that is put.
 */
const ASK_HUMAN_IN_ORDER = {
  ...ASK_HUMAN,
  annotations: { ...HINTS, readOnlyHint: false },
};

/** The published schema of reports, in the few words of JSON Schema that every agent understands. */
const REPORT = onOffer({
  name: "report",
  title: "Leave the report",
  description:
    "Checks your report and leaves it where it belongs. Call it once, when you are done or cannot " +
    "go on; what is wrong with it is told at once, and nothing is left until it is right.",
  inputSchema: {
    type: "object",
    properties: {
      version: { type: "integer", enum: [1] },
      status: { ...TEXT, enum: ["completed", "partial", "failed", "blocked"] },
      summary: { ...TEXT, description: "In a few sentences: what was done, and what is left." },
      requires_user_review: FLAG,
      review_reason: { ...TEXT, description: "Required when requires_user_review is true." },
      blockers: list({ type: TEXT, message: TEXT, recoverable: FLAG, recommendation: TEXT }, [
        "type",
        "message",
      ]),
      partial_progress: object({
        stage: TEXT,
        details: TEXT,
        phases_completed: COUNT,
        phases_total: COUNT,
        handoff_path: TEXT,
      }),
      assumptions: list({ decision: TEXT, reason: TEXT }, ["decision"]),
      changed_checks: list({ check: TEXT, reason: TEXT }, ["check", "reason"]),
      questions: list({ question: TEXT, options: TEXTS, default: TEXT, impact: IMPACT }, [
        "question",
      ]),
      quality_gates: object({
        all_passed: FLAG,
        tests_passed: COUNT,
        tests_failed: COUNT,
        coverage: { type: "number", minimum: 0, maximum: 100 },
      }),
      criteria: list({ text: TEXT, met: FLAG }, ["text"]),
      approaches_tried: TEXTS,
      artifacts: list({ path: TEXT, summary: TEXT }, ["path"]),
      confidence: { type: "number", minimum: 0, maximum: 1 },
      next_steps: TEXT,
    },
    required: ["status", "summary"],
  },
});

interface Offered {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { type: "object"; properties: Record<string, object>; required: string[] };
}

/** Some agents list a tool by its name alone until it is looked up, unless told otherwise. */
function onOffer(tool: Offered) {
  return { ...tool, annotations: HINTS, _meta: { "anthropic/alwaysLoad": true } };
}

function object(properties: object): { type: "object"; properties: object } {
  return { type: "object", properties };
}

function list(properties: object, required: readonly string[]): object {
  return { type: "array", items: { ...object(properties), required: [...required] } };
}
