// When must a session be stopped although nobody asked for it?

import { excerpt, clip } from "../../core/model/excerpt.ts";
import { unaskedAnswer } from "../../core/decide/asking.ts";
import type { Asking } from "../../core/model/question.ts";
import type { SessionEvent } from "../../core/model/session.ts";
import type { Hooks } from "./hooks.ts";
import { NO_FACTS, finalResult, withEvent, type StreamFacts } from "./facts.ts";
import { isObject, textAt, listAt, nameAt, numberAt, objectAt } from "../../core/model/json.ts";
import type { JsonObject } from "../../core/model/json.ts";

/** Why orch stopped the session; "ended-before": it had given its last result and lingered. */
type Stopped = "asked" | "channel-missing" | "call-unknown" | "ended-before" | "interrupted";

/** What the program must have taken up as it starts. */
export interface Expected {
  readonly hooks: Pick<Hooks, "areLive" | "isOwn">;
  /** The tool to ask with is offered. */
  readonly asks: boolean;
  /** Which questions reach a person. */
  readonly asking: Asking;
}

export type StreamWatch = ReturnType<typeof watchStream>;

interface WatchOptions {
  readonly expected: Expected;
  readonly lingerMs: number;
  /** After each event behind which a result is the last word. */
  readonly onResult: () => void;
}

/** Reads the stream of one process and ends what cannot come to anything. */
export function watchStream({ expected, lingerMs, onResult }: WatchOptions, signal: AbortSignal) {
  const stopped = new AbortController();
  const over: AbortSignal = stopped.signal;
  let facts = NO_FACTS;
  let first: Stopped | null = null;
  let linger: NodeJS.Timeout | undefined;

  const stop = (why: Stopped): void => {
    first ??= why;
    stopped.abort();
  };
  const noteInterruption = (): void => {
    first ??= finalResult(facts) === null ? "interrupted" : "ended-before";
  };
  if (signal.aborted) noteInterruption();
  signal.addEventListener("abort", noteInterruption, { once: true });

  const react = (event: JsonObject): void => {
    clearTimeout(linger);
    if (finalResult(facts) !== null) {
      onResult();
      linger = setTimeout(() => stop("ended-before"), lingerMs);
    } else if (facts.asked !== null && unaskedAnswer(expected.asking, facts.asked) === null)
      stop("asked");
    else if (nameAt(event, "subtype") === "init" && channelTrouble(facts, expected) !== null)
      stop("channel-missing");
  };
  return {
    /** Aborts where the session is to be ended. */
    over,
    take: (event: JsonObject): readonly SessionEvent[] => {
      facts = withEvent(facts, event);
      react(event);
      return [...activityIn(event), ...refusalByHook(event, expected)];
    },
    facts: () => facts,
    /** The first cause, which is never overwritten; null: nothing stopped it. */
    stopped: () => first,
    stop,
    channelTrouble: () => channelTrouble(facts, expected) ?? "",
    close: (): void => {
      signal.removeEventListener("abort", noteInterruption);
      clearTimeout(linger);
    },
  };
}

/** Hooks and tools that are not taken up are missed in silence: this is where it is noticed. */
function channelTrouble(facts: StreamFacts, { hooks, asks }: Expected): string | null {
  if (!hooks.areLive())
    return "Claude Code did not take up orch's hooks; does a policy in its settings forbid hooks?";
  if (asks && facts.offersAsking === false)
    return "Claude Code does not offer the tool ask_human; does a policy in its settings forbid tool servers?";
  return null;
}

const NOTE_CHARS_MAX = 500;

function refusalByHook(event: JsonObject, { hooks }: Expected): readonly SessionEvent[] {
  const words = hookWords(event);
  if (words === null || hooks.isOwn(words)) return [];
  return [{ type: "hook", text: excerpt(words, NOTE_CHARS_MAX) }];
}

/** What a hook refused, and why; null: the event tells of none. */
function hookWords(event: JsonObject): string | null {
  const prompt = objectAt(event, "prompt_submit_outcome");
  if (prompt !== null) return `a hook refused the prompt: ${textAt(prompt, "reason") ?? ""}`;
  const isByHook = listAt(event, "tool_result_meta").some((one) => {
    const verdict = isObject(one) ? objectAt(one, "permission_decision") : null;
    return verdict?.["decision"] === "reject" && verdict["source"] === "hook";
  });
  for (const block of isByHook || event["isSynthetic"] === true ? blocksOf(event) : []) {
    if (isByHook) return `a hook refused a tool: ${withoutCommand(outputOf(block["content"]))}`;
    const [, words] = /^Stop hook feedback:\s*(.*)/s.exec(nameAt(block, "text")) ?? [];
    if (words !== undefined) return `a hook kept the agent from stopping: ${withoutCommand(words)}`;
  }
  return null;
}

/** "PreToolUse:Bash hook error: [./check.sh]: not today" as "not today". */
function withoutCommand(words: string): string {
  return words.replace(/^(?:\w+:\S+ hook error: )?\[[^]*?\]: /, "");
}

/** The watchable part of one event; most kinds are of no interest to a person. */
export function activityIn(event: JsonObject): readonly SessionEvent[] {
  switch (nameAt(event, "type")) {
    case "assistant":
      return blocksOf(event).flatMap((block) => assistantBlock(block, event));
    case "user":
      return blocksOf(event).flatMap((block) => userBlock(block, event));
    case "system":
      return systemNote(event);
    default:
      return [];
  }
}

function blocksOf(event: JsonObject): readonly JsonObject[] {
  const message = objectAt(event, "message");
  return message === null ? [] : listAt(message, "content").filter(isObject);
}

/** Sub-agents are seen by what they do; their words are for their caller. */
function assistantBlock(block: JsonObject, event: JsonObject): readonly SessionEvent[] {
  // A failed request is told in the program's own words, as if the agent had said them.
  const isProgram = nameAt(objectAt(event, "message") ?? {}, "model") === "<synthetic>";
  if (isProgram || textAt(event, "error") !== null) return note(textAt(block, "text"));
  const type = nameAt(block, "type");
  if (type === "tool_use") {
    const [id, tool] = [textAt(block, "id") ?? "", textAt(block, "name") ?? "?"];
    return [{ type: "tool-call", id, tool, input: jsonOf(block["input"]) }];
  }
  const text = type === "text" || type === "thinking" ? nameAt(block, type) : "";
  if (text === "" || textAt(event, "parent_tool_use_id") !== null) return [];
  return [{ type: type === "text" ? "text" : "thinking", text }];
}

function userBlock(block: JsonObject, event: JsonObject): readonly SessionEvent[] {
  if (nameAt(block, "type") === "tool_result") {
    const isError = block["is_error"] === true;
    const output = outputOf(block["content"]);
    return [{ type: "tool-result", id: nameAt(block, "tool_use_id"), isError, output }];
  }
  // Put in by the program itself: what a hook said, a nudge, the summary of a compaction.
  return event["isSynthetic"] === true ? note(textAt(block, "text")) : [];
}

function systemNote(event: JsonObject): readonly SessionEvent[] {
  switch (nameAt(event, "subtype")) {
    case "api_retry": {
      const status = numberAt(event, "error_status");
      const cause = textAt(event, "error") ?? "unknown error";
      const tries = `${numberAt(event, "attempt") ?? "?"} of ${numberAt(event, "max_retries") ?? "?"}`;
      const detail = `${cause}${status === null ? "" : ` (${status})`}, retry ${tries}`;
      return [{ type: "retry", detail }];
    }
    case "compact_boundary":
      return [{ type: "condensation", text: "the context was full and has been summarised" }];
    case "model_fallback":
      return note(textAt(event, "content"));
    default:
      return [];
  }
}

function note(text: string | null): readonly SessionEvent[] {
  return text === null ? [] : [{ type: "note", text: clip(text, NOTE_CHARS_MAX) }];
}

/** A tool's output is plain text, or a list of blocks of which the text ones are shown. */
function outputOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined ? "" : jsonOf(content);
  return content
    .filter(isObject)
    .map((block) => textAt(block, "text") ?? `[${textAt(block, "type") ?? "unknown"}]`)
    .join("\n");
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value) ?? "";
}
