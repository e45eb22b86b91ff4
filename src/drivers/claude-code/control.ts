// What do orch and a running Claude Code say to each other, beside the session itself?

import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Writable } from "node:stream";

import { writeFileAtomic } from "../../adapters/files/atomic-file.ts";
import { insideFolder, type OrchSide } from "../../mcp/channel.ts";
import { replyTo, type AnswerCall } from "../../mcp/json-rpc.ts";
import { answerMcp } from "../../mcp/server.ts";
import { objectAt, textAt, type JsonObject } from "../../core/model/json.ts";
import type { SessionRequest } from "../../engine/ports.ts";
import { VERSION } from "../../version.ts";
import type { QuestionChannel } from "../question-channel.ts";
import type { Dialogue } from "../session-run.ts";
import { HOOKS, type Hooks } from "./hooks.ts";
import { ASK_SERVER } from "./names.ts";

export interface ControlOptions {
  readonly request: Pick<SessionRequest, "prompt" | "reportPath" | "start" | "followWords">;
  readonly channel: Pick<QuestionChannel, "asks" | "questions" | "answer">;
  readonly hooks: Hooks;
  /** How long a call that was put off may take to be taken up again. */
  readonly takeUpMs: number;
  /** An answer is to be delivered, and no call waits for it. */
  readonly onNoCall: () => void;
}

/**
 * Claude Code calls its hooks, and the tools that orch has, by messages on its standard output, and
 * takes the replies on its standard input. So orch is asked and nobody else, and where orch has died
 * nobody allows anything.
 */
export function createControl({ request, channel, hooks, takeUpMs, onNoCall }: ControlOptions) {
  const isDelivery = request.start.kind === "deliver";
  const over = new AbortController();
  const program = createProgramSide(request);
  let noCall: NodeJS.Timeout | null = null;

  const tools: OrchSide = {
    asks: channel.asks ? "defer" : "none",
    call: channel.answer,
    leave: leaveIn(request.reportPath),
  };
  const replyFor = repliesBy({
    callHook: (name, given) => {
      if (noCall !== null) clearTimeout(noCall);
      program.hookCalled(textAt(given, "prompt") ?? "");
      return hooks.answer(name, given, channel.questions) ?? {};
    },
    answerTools: answerMcp(tools, VERSION),
    signal: over.signal,
  });
  const dialogue: Dialogue = {
    begin: (input) => {
      program.open(input);
      const opening = { subtype: "initialize", hooks: HOOKS, sdkMcpServers: [ASK_SERVER] };
      program.send({ type: "control_request", request_id: "initialize", request: opening });
      if (!isDelivery) program.prompt(request.prompt);
    },
    take: (message: JsonObject) => {
      const type = textAt(message, "type") ?? "";
      if (type === "control_request") void program.reply(message, replyFor);
      // From here on the program waits for a prompt, unless it finds the call.
      if (type === "control_response" && isDelivery)
        noCall ??= setTimeout(() => onNoCall(), takeUpMs);
      return type.startsWith("control_") ? [] : [message];
    },
  };
  return {
    dialogue,
    /** A result came. A prompt that still waits makes another one; otherwise the program may go. */
    resultCame: (): void => {
      if (!program.hasPrompts()) program.leave();
    },
    close: (): void => {
      over.abort();
      if (noCall !== null) clearTimeout(noCall);
    },
  };
}

type ReplyFor = (asked: JsonObject) => Promise<object>;

interface Replies {
  readonly callHook: (name: string, given: JsonObject) => object;
  readonly answerTools: AnswerCall;
  readonly signal: AbortSignal;
}

function repliesBy({ callHook, answerTools, signal }: Replies): ReplyFor {
  return async (asked) => {
    const subtype = textAt(asked, "subtype") ?? "";
    switch (subtype) {
      case "hook_callback": {
        const given = objectAt(asked, "input");
        if (given === null) throw new Error("a hook was called without its input");
        return callHook(textAt(asked, "callback_id") ?? "", given);
      }
      case "mcp_message": {
        const reply = await replyTo(objectAt(asked, "message") ?? {}, answerTools, signal);
        // What only tells gets a reply all the same, which nobody waits for.
        return { mcp_response: reply ?? { jsonrpc: "2.0", id: 0, result: {} } };
      }
      default:
        throw new Error("orch does not know this request");
    }
  };
}

/** What goes to the program's standard input, a message a line; nothing before it is open. */
function createProgramSide({ followWords }: Pick<SessionRequest, "followWords">) {
  let input: Writable | null = null;
  /** Those that it has not taken up yet: it does so where a turn ends, or between two steps of one. */
  const prompts = new Set<string>();
  let isReady = false;
  const send = (message: object): void => {
    if (input?.writable === true) input.write(`${JSON.stringify(message)}\n`);
  };
  const prompt = (content: string): void => {
    prompts.add(content.trim());
    send({ type: "user", message: { role: "user", content } });
  };
  return {
    open: (standardInput: Writable): void => void (input = standardInput),
    send,
    prompt,
    hookCalled: (text: string): void => {
      for (const one of prompts) if (text.includes(one)) prompts.delete(one);
      // For a prompt that comes sooner the program drops the call that it was to take up.
      if (!isReady) followWords(prompt);
      isReady = true;
    },
    hasPrompts: () => prompts.size > 0,
    /** Every request gets its reply: a refusal too is one. */
    reply: async (message: JsonObject, replyFor: ReplyFor): Promise<void> => {
      const request_id = textAt(message, "request_id");
      try {
        const response = await replyFor(objectAt(message, "request") ?? {});
        send({ type: "control_response", response: { subtype: "success", request_id, response } });
      } catch (error) {
        const response = { subtype: "error", request_id, error: String(error) };
        send({ type: "control_response", response });
      }
    },
    leave: (): void => void input?.end(),
  };
}

/**
 * A confined agent cannot lead orch out of its tree by a link in the folder's place: what is written
 * to is the folder in which orch then stands.
 */
function leaveIn(reportPath: string): (path: string, text: string) => void {
  const folder = realpathSync(dirname(reportPath));
  return (path, text) =>
    insideFolder(dirname(path), () => {
      if (process.cwd() !== folder) throw new Error("the folder of the report was replaced");
      writeFileAtomic(basename(path), text);
    });
}

/**
 * By the call they answer: the one to be delivered, and those given before. A delivery that was
 * cut short leaves its call pending, and whatever the conversation is taken up with, the call comes first.
 */
export function answersFor({ start, history }: SessionRequest): ReadonlyMap<string, string> {
  const given = history.flatMap(({ question: { toolUseId }, answer: { text } }) =>
    toolUseId === null || text.trim() === "" ? [] : [[toolUseId, text] as const],
  );
  const now = start.kind === "deliver" ? [[start.toolUseId, start.answer] as const] : [];
  return new Map([...given, ...now]);
}
