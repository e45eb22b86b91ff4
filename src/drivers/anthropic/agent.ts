// What does the agent do from its prompt to its end? A program of its own; `../anthropic.ts` starts it.

import { existsSync, readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

import type { SessionEnding } from "../../core/model/session.ts";
import { askOrch, leaveReport } from "../../mcp/ask.ts";
import { faultEnding } from "../ending.ts";
import type { Permit } from "../permission.ts";
import { fileTools } from "./file-tools.ts";
import { createModel, type AskModel, type Given, type ModelAnswer } from "./model.ts";
import type { AgentLine, AgentOptions } from "./options.ts";
import { createCommands, shellTools } from "./shell-tools.ts";
import { answerCall, type Tool } from "./tool.ts";
import { openTranscript, resultsOfInterrupted, type Transcript } from "./transcript.ts";

/** How full the context may be before the agent is told to hand over; the rest is for doing so. */
const FULL = 0.75;
const TURNS_TO_HAND_OVER = 12;
const REMINDERS_MAX = 2;

const HAND_OVER =
  "Your context is nearly full. Stop working now: write what is done, what is left and what you " +
  "learned to a file in the tree, call report with the status partial and that file as handoff_path " +
  "under partial_progress, and end your turn. A fresh session goes on from there.";
const REPORT_MISSING = "There is no report yet. Call report, whatever the outcome, then stop.";
const CUT_OFF = "Your answer reached its greatest length and was cut off. Go on in smaller steps.";

function print(line: AgentLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function main(): Promise<void> {
  // The engine else compiles the parser of HTTP answers anew, as fast code, which takes 25 MB for a moment.
  setFlagsFromString("--liftoff-only");
  const options: AgentOptions = JSON.parse(readFileSync(0, "utf8"));
  const commands = createCommands(options.outputs);
  const leave = (exitCode: number) => (commands.endAll(), process.exit(exitCode));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => leave(130));
  const tools = [
    ...fileTools(options),
    ...shellTools(options, commands, permitFor(options)),
    ...orchTools(options),
  ];
  const specs = tools.map(({ spec }) => spec);
  const ask = createModel(options, specs, print);
  const transcript = openTranscript(options.transcript);
  print({ type: "end", ending: await converse(options, ask, tools, transcript) });
  leave(0);
}

async function converse(
  options: AgentOptions,
  ask: AskModel,
  tools: readonly Tool[],
  { messages, add }: Transcript,
): Promise<SessionEnding> {
  const pending = resultsOfInterrupted(messages);
  add({ role: "user", content: [...pending, { type: "text", text: options.prompt }] });
  let turnsLeft = options.turns;
  let isFull = false;
  let reminders = 0;
  while (turnsLeft > 0) {
    const answer = await ask(messages);
    if ("kind" in answer) return { kind: "fault", fault: answer };
    turnsLeft -= 1;
    const tokens = printAnswer(answer);
    // An empty message would be refused with the next request.
    if (answer.content.length > 0) add({ role: "assistant", content: answer.content });
    if (answer.stop_reason === "refusal")
      return faultEnding("refusal", "the model refused to answer");
    if (answer.stop_reason === "model_context_window_exceeded") return CONTEXT_FULL;
    const next = await repliesTo(answer, tools);
    if (next.length === 0) {
      if (existsSync(options.reportPath) || reminders === REMINDERS_MAX)
        return { kind: "finished" };
      reminders += 1;
      next.push({ type: "text", text: REPORT_MISSING });
    }
    if (!isFull && tokens > options.contextTokens * FULL) {
      isFull = true;
      turnsLeft = Math.min(turnsLeft, TURNS_TO_HAND_OVER);
      print({ type: "condensation", text: "the context is nearly full: the work is handed over" });
      next.push({ type: "text", text: HAND_OVER });
    }
    add({ role: "user", content: next });
  }
  return isFull ? CONTEXT_FULL : { kind: "limit", limit: "turns" };
}

const CONTEXT_FULL = faultEnding(
  "context-overflow",
  "the context was full before a handover was written",
);

/** How many tokens the conversation has with it. */
function printAnswer({ model, content, usage }: ModelAnswer): number {
  for (const block of content) {
    if (block.type === "text") print({ type: "text", text: block.text });
    if (block.type === "thinking") print({ type: "thinking", text: block.thinking });
  }
  const tokens = {
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens ?? 0,
    cacheWrite: usage.cache_creation_input_tokens ?? 0,
  };
  print({ type: "usage", model, tokens });
  return Object.values(tokens).reduce((sum, count) => sum + count, 0);
}

/** The calls one after the other: each may rest on what the one before it did. */
async function repliesTo(answer: ModelAnswer, tools: readonly Tool[]): Promise<Given[]> {
  const isCut = answer.stop_reason === "max_tokens";
  const replies: Given[] = [];
  for (const block of answer.content) {
    if (block.type !== "tool_use") continue;
    const { id, name, input } = block;
    print({ type: "tool-call", id, tool: name, input: JSON.stringify(input) });
    // Of a call that was cut off nobody knows what it was to be.
    const cut = { text: CUT_OFF, isError: true };
    const { text, isError } = isCut ? cut : await answerCall(tools, block);
    print({ type: "tool-result", id, isError, output: text });
    // An empty text is refused.
    const content = text === "" ? "(nothing)" : text;
    replies.push({ type: "tool_result", tool_use_id: id, is_error: isError, content });
  }
  return replies.length === 0 && isCut ? [{ type: "text", text: CUT_OFF }] : replies;
}

/** Never aborts: what waits for orch ends with the process. */
const { signal } = new AbortController();

/** Loaded when it is needed: the model is to be asked before. */
const orchAt = async (folder: string) => (await import("../../mcp/channel.ts")).sideOf(folder);

function orchTools({ channel, orchTools }: AgentOptions): readonly Tool[] {
  return orchTools.map((spec) => ({
    spec,
    run: async (input, call) => {
      const orch = await orchAt(channel);
      if (spec.name === "report") {
        const { path, text } = await leaveReport(orch, input, signal);
        if (path === null) throw new Error(text);
        return text;
      }
      const asked = { question: input, holdMs: null, call };
      const { kind, text } = await askOrch(orch.call, asked, signal);
      if (["busy", "wordless", "closed"].includes(kind)) throw new Error(text);
      return text;
    },
  }));
}

/** What cannot be undone is for a person to allow. */
function permitFor({ cwd, allowedActions, asking, channel }: AgentOptions): Permit {
  let permit: Permit | null = null;
  return async (command, call) => {
    if (permit === null) {
      const { permission } = await import("../permission.ts");
      const home = process.env["HOME"] ?? null;
      const orch = async () => (await orchAt(channel)).call;
      permit = permission({ cwd, home, allowedActions, asking, orch });
    }
    return permit(command, call);
  };
}

void main();
