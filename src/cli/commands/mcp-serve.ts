// How do other agents look at runs, and where a person allows it, start and answer them?

import { resolve } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";

import { clip, excerpt } from "../../core/model/excerpt.ts";
import { textAt } from "../../core/model/json.ts";
import { answerQuestion, startRun } from "../../library.ts";
import { serveRpc, type RpcCall } from "../../mcp/json-rpc.ts";
import { answerTools, failure, HINTS, textResult } from "../../mcp/server.ts";
import { inputSchemaOf, SERVED_CALLS, servedCall } from "../../schema/served-call.ts";
import { VERSION } from "../../version.ts";
import type { Command, Given } from "../command-line/options.ts";
import type { CliIo } from "../io.ts";
import { explainCommand } from "./explain.ts";
import { listCommand } from "./list.ts";
import { showCommand } from "./show.ts";
import { statusCommand } from "./status.ts";
import { listWaiting } from "./waiting.ts";

const CHARS_MAX = 40_000;

/** Those that look say what the command says; a person's flag allows the others. */
function toolsIn(io: CliIo, { allowAnswer, allowRun }: Given) {
  const { cwd } = io;
  const may = { look: true, answer: allowAnswer === true, start_run: allowRun === true };
  const looks = (name: string, description: string, command: Command) => {
    const act = async (given: unknown) => {
      const { run, task } = servedCall(SERVED_CALLS.look, given);
      const words = [run, task].filter((word) => word !== undefined);
      const stdout = new PassThrough();
      await command(words, {}, { ...io, stdout });
      return text(stdout.end());
    };
    return tool(name, description, "look", act);
  };
  const answer = async (given: unknown) => {
    const call = servedCall(SERVED_CALLS.answer, given);
    return JSON.stringify(await answerQuestion(cwd, { ...call, by: "orch mcp" }));
  };
  const start = async (given: unknown) => {
    const { task, ...flags } = servedCall(SERVED_CALLS.start_run, given);
    return (await startRun({ cwd, task, flags: { ...flags, wait: true } })).id;
  };
  return [
    looks("runs", "The runs, newest first.", listCommand),
    looks("status", "Where a run stands, what it asks, and what to do next.", statusCommand),
    looks("show", "Attempts, gates, decisions, answers, cost and files.", showCommand),
    looks("explain", "Why the last decision was made.", explainCommand),
    looks("questions", "What waits for a person.", (_words, none, to) => listWaiting([], none, to)),
    tool("answer", "Answers a waiting question; the first answer counts.", "answer", answer),
    tool("start_run", "Starts a run, which goes on by itself; tells its id.", "start_run", start),
  ].filter(({ call }) => may[call]);
}

type Act = (given: unknown) => Promise<string>;

function tool(name: string, description: string, call: keyof typeof SERVED_CALLS, act: Act) {
  const looks = call === "look";
  const annotations = { ...HINTS, readOnlyHint: looks, idempotentHint: looks };
  return {
    listed: { name, description, inputSchema: inputSchemaOf(call), annotations },
    call,
    act,
  };
}

/** `named`: a folder of the project, for clients that start their servers anywhere. */
export async function serveRuns(named: string, flags: Given, io: CliIo): Promise<number> {
  const tools = toolsIn({ ...io, cwd: resolve(io.cwd, named) }, flags);
  const act = async ({ params }: RpcCall): Promise<object> => {
    const name = textAt(params, "name") ?? "";
    const tool = tools.find(({ listed }) => listed.name === name);
    if (tool === undefined) return failure(`There is no tool ${excerpt(name, 100)}.`);
    return textResult(clip(await tool.act(params["arguments"] ?? {}), CHARS_MAX));
  };
  const answer = answerTools(() => tools.map(({ listed }) => listed), act, VERSION);
  await serveRpc({ input: io.stdin, output: io.stdout }, answer);
  return 0;
}
