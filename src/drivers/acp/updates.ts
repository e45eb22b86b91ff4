// What does an agent tell of its session by the Agent Client Protocol, and what did it use?

import { isObject, listAt, nameAt, numberAt, objectAt, textAt } from "../../core/model/json.ts";
import type { JsonObject } from "../../core/model/json.ts";
import { NO_TOKENS, NO_USAGE } from "../../core/model/session.ts";
import type { SessionEnd, SessionEvent, TokenCounts } from "../../core/model/session.ts";
import type { SessionTotals } from "../../core/model/session.ts";
import { since, sumTokens } from "../../core/run/budget.ts";
import { textOf, updateIn } from "./pieces.ts";

/** What the agent did, as far as it told. */
export interface Seen {
  readonly closing: string;
  /** It called no tool, and told of no tokens. */
  readonly didNothing: boolean;
}

/** `onUse`: it told more of its use. */
export function createUpdates(onUse: () => void) {
  const calls = createCalls();
  const use = createUse(onUse);
  let closing = "";

  const take = (message: JsonObject): readonly SessionEvent[] => {
    use.take(message);
    // Some agents tell what a call is to do only where they ask whether they may.
    const asked = objectAt(objectAt(message, "params") ?? {}, "toolCall");
    if (asked !== null) return calls.take(asked);
    const update = updateIn(message) ?? {};
    const text = textOf(update["content"]) ?? "";
    switch (nameAt(update, "sessionUpdate")) {
      case "agent_message_chunk":
        closing = text;
        return text === "" ? [] : [{ type: "text", text }];
      case "agent_thought_chunk":
        return text === "" ? [] : [{ type: "thinking", text }];
      case "tool_call":
      case "tool_call_update":
        return calls.take(update);
      default:
        return [];
    }
  };
  const seen = (): Seen => ({ closing, didNothing: calls.count() === 0 && use.isNone() });
  return { take, seen, used: use.since };
}

/** What turns and updates tell of tokens, cost and model. */
function createUse(onUse: () => void) {
  let tokens = NO_TOKENS;
  let costUsd: number | null = null;
  let model: string | null = null;
  const isNothing = (counts: TokenCounts): boolean => Object.values(counts).every((n) => n === 0);
  const isNone = (): boolean => isNothing(tokens);
  return {
    isNone,
    take: (message: JsonObject): void => {
      const result = objectAt(message, "result") ?? {};
      model = modelIn(result) ?? model;
      const [turn, before] = [tokensIn(result), costUsd];
      tokens = sumTokens(tokens, turn);
      // An agent without a price for its model tells nothing, or that it costs nothing.
      costUsd = numberAt(objectAt(updateIn(message) ?? {}, "cost") ?? {}, "amount") || costUsd;
      if (costUsd !== before || !isNothing(turn)) onUse();
    },
    /** The cost is that of the conversation from its beginning, the tokens those of this session. */
    since: (before: SessionTotals | null, name: string): Pick<SessionEnd, "usage" | "totals"> => ({
      usage: {
        ...NO_USAGE,
        byModel: isNone() ? {} : { [model ?? name]: tokens },
        costUsd: costUsd === null ? null : since(costUsd, before?.costUsd ?? 0),
      },
      totals: costUsd === null ? before : { byModel: {}, costUsd },
    }),
  };
}

function modelIn(result: JsonObject): string | null {
  const options = listAt(result, "configOptions").filter(isObject);
  const option = options.find(({ category }) => category === "model");
  const models = objectAt(result, "models");
  return textAt(option ?? {}, "currentValue") ?? textAt(models ?? {}, "currentModelId");
}

/** Of one turn; none where the agent does not tell. */
function tokensIn(result: JsonObject): TokenCounts {
  const quota = objectAt(objectAt(result, "_meta") ?? {}, "quota") ?? {};
  const usage = objectAt(result, "usage") ?? objectAt(quota, "token_count") ?? {};
  const count = (...names: readonly string[]): number =>
    names.map((name) => numberAt(usage, name)).find((number) => number !== null) ?? 0;
  const input = count("inputTokens", "input_tokens");
  const output = count("outputTokens", "output_tokens");
  const [cacheRead, cacheWrite] = [count("cachedReadTokens"), count("cachedWriteTokens")];
  // Whether the cached ones are counted among the input is every agent's own choice.
  const isWithin = input + output === count("totalTokens") && cacheRead + cacheWrite <= input;
  return {
    input: isWithin ? input - cacheRead - cacheWrite : input,
    output,
    cacheRead,
    cacheWrite,
  };
}

const OVER = ["completed", "failed"];

/** A call comes in parts, and what it is to do may be in a later one. */
function createCalls() {
  const open = new Map<string, { call: JsonObject; isTold: boolean }>();
  let count = 0;
  const take = (update: JsonObject): readonly SessionEvent[] => {
    const id = nameAt(update, "toolCallId");
    const before = open.get(id) ?? { call: {}, isTold: false };
    const given = Object.entries(update).filter(([, value]) => value !== null);
    const call = { ...before.call, ...Object.fromEntries(given) };
    const isOver = OVER.includes(nameAt(call, "status"));
    const isError = nameAt(call, "status") === "failed";
    const isAsked = !("sessionUpdate" in update);
    const isBegun = isAsked || isOver || nameAt(call, "status") === "in_progress";
    const isTold = before.isTold || isBegun;
    if (isTold && !before.isTold) count += 1;
    if (isOver) open.delete(id);
    else open.set(id, { call, isTold });
    return [
      ...(isTold && !before.isTold ? [callEvent(id, call)] : []),
      ...(isOver ? [{ type: "tool-result" as const, id, isError, output: outputOf(call) }] : []),
    ];
  };
  return { take, count: () => count };
}

function callEvent(id: string, call: JsonObject): SessionEvent {
  const [kind, title] = [nameAt(call, "kind"), nameAt(call, "title")];
  const tool = textAt(call, "name") ?? (kind === "" || kind === "other" ? title : kind);
  const input = call["rawInput"] ?? { title, content: outputOf(call) };
  return { type: "tool-call", id, tool: tool === "" ? "tool" : tool, input: JSON.stringify(input) };
}

function outputOf({ content, rawOutput }: JsonObject): string {
  const blocks = listAt({ content }, "content").filter(isObject);
  const texts = blocks.map((block) => textOf(block["content"]) ?? nameAt(block, "path"));
  if (texts.length > 0) return texts.join("\n");
  return typeof rawOutput === "string" ? rawOutput : (JSON.stringify(rawOutput) ?? "");
}
