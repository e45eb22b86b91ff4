// What does the scripted agent do with each step it is told to play?

import { lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { capture } from "../adapters/process/capture.ts";
import { assertNever } from "../core/model/assert.ts";
import { clip } from "../core/model/excerpt.ts";
import { NO_TOKENS } from "../core/model/session.ts";
import { sumTokens } from "../core/run/budget.ts";
import {
  fillAnswer,
  type ScriptPlay,
  type ScriptSaid,
  type ScriptStep,
  type ScriptUsage,
} from "../core/model/script.ts";
import { callOrch, sessionFolderIn } from "../mcp/channel.ts";

/** Reads the play from standard input, and plays it in the working directory. */
export async function playSession(): Promise<void> {
  // Written by the driver at the other end of the pipe, which has checked the script already.
  const play: ScriptPlay = JSON.parse(await readInput());
  const state: State = { play, answer: play.answer, used: NOTHING_USED };
  for (const [at, step] of play.steps.entries()) {
    if (at < play.from) continue;
    const goesOn = await playStep(fillAnswer(step, state.answer), at, state);
    if (!goesOn) return;
  }
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

interface State {
  readonly play: ScriptPlay;
  answer: string | null;
  used: ScriptUsage;
}

const NOTHING_USED: ScriptUsage = { ...NO_TOKENS, costUsd: 0, turns: 0 };

/** False where the session ends with this step. */
async function playStep(step: ScriptStep, at: number, state: State): Promise<boolean> {
  switch (step.kind) {
    case "say":
    case "think":
      return print({ type: step.kind, text: step.text });
    case "write":
    case "edit":
    case "remove":
      return tool(at, { tool: step.kind, input: step.path }, () => changeFile(step));
    case "report":
      return tool(at, { tool: "report", input: "ORCH_REPORT" }, () => leaveReport(step.report));
    case "run":
      return tool(at, { tool: "run", input: step.command }, () => runCommand(step.command));
    case "ask":
      return ask(step.ask, at, state);
    case "usage":
      return use(step.usage, state);
    case "fault":
      print({ type: "fault", fault: step.fault });
      return false;
    case "wait":
      await sleep(step.waitMs);
      return true;
    case "hang":
      // A promise alone keeps no process alive.
      return new Promise(() => setInterval(() => {}, 60_000));
    case "exit":
      process.exitCode = step.code;
      return false;
    default:
      return assertNever(step, "step");
  }
}

function print(said: ScriptSaid): true {
  process.stdout.write(`${JSON.stringify(said)}\n`);
  return true;
}

/** A tool that fails says so and does not end the session, as with any agent. */
async function tool(
  at: number,
  call: { readonly tool: string; readonly input: string },
  work: () => string | Promise<string>,
): Promise<true> {
  const id = `call-${at}`;
  print({ type: "tool-call", id, ...call });
  try {
    return print({ type: "tool-result", id, isError: false, output: await work() });
  } catch (error) {
    const output = error instanceof Error ? error.message : String(error);
    return print({ type: "tool-result", id, isError: true, output });
  }
}

type FileStep = Extract<ScriptStep, { kind: "write" | "edit" | "remove" }>;

function changeFile(step: FileStep): string {
  const path = placeInside(process.cwd(), step.path);
  switch (step.kind) {
    case "write":
      writeFileSync(path, step.text);
      return `${step.text.length} characters`;
    case "edit": {
      const before = readFileSync(path, "utf8");
      if (!before.includes(step.find)) throw new Error(`${step.path} does not hold that text`);
      const after = before.replace(step.find, () => step.replace);
      writeFileSync(path, after);
      return "edited";
    }
    case "remove":
      rmSync(path, { recursive: true });
      return "removed";
    default:
      return assertNever(step, "file step");
  }
}

/** The path in the folder, its parents created; throws where its name or a link leads out of it. */
function placeInside(folder: string, path: string): string {
  const target = resolve(folder, path);
  const isInside = (place: string): boolean => `${place}${sep}`.startsWith(`${folder}${sep}`);
  if (!isInside(target)) throw new Error(`${path} is outside the tree`);
  mkdirSync(dirname(target), { recursive: true });
  const isLink = lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink || !isInside(realpathSync(dirname(target))))
    throw new Error(`${path} leads out of the tree`);
  return target;
}

function leaveReport(report: unknown): string {
  const path = process.env["ORCH_REPORT"];
  if (path === undefined) throw new Error("ORCH_REPORT is not set");
  writeFileSync(path, typeof report === "string" ? report : JSON.stringify(report, null, 2));
  return "left";
}

const COMMAND_MS_MAX = 600_000;
const OUTPUT_BYTES_MAX = 64 * 1024;
const OUTPUT_CHARS_MAX = 16_000;

async function runCommand(command: string): Promise<string> {
  const ran = await capture("/bin/sh", ["-c", command], {
    cwd: process.cwd(),
    env: process.env,
    timeoutMs: COMMAND_MS_MAX,
    bytesMax: OUTPUT_BYTES_MAX,
  });
  const output = clip(`${ran.stdout}${ran.stderr}`.trim(), OUTPUT_CHARS_MAX);
  if (ran.exitCode !== 0) throw new Error(`exit ${ran.exitCode ?? ran.signal}\n${output}`);
  return output;
}

/** Whether a person is asked is orch's to say; then the session ends here, and the answer goes on with it. */
async function ask(
  asked: Extract<ScriptStep, { kind: "ask" }>["ask"],
  at: number,
  state: State,
): Promise<boolean> {
  const folder = sessionFolderIn(process.env) ?? "";
  const request = { verb: "alone", question: asked } as const;
  const reply = await callOrch(folder, request, new AbortController().signal);
  if (reply === null) throw new Error("orch cannot be reached");
  const answer: string | null = JSON.parse(reply);
  if (answer === null) {
    print({ type: "asked", at, asked });
    return false;
  }
  state.answer = answer;
  return print({ type: "say", text: `asked: ${asked.question}\nanswered by orch: ${answer}` });
}

/** Prints the sum so far, and ends the session where it reaches a limit that orch has set. */
function use(usage: ScriptUsage, state: State): boolean {
  const { used, play } = state;
  const costUsd = used.costUsd + usage.costUsd;
  state.used = { ...sumTokens(used, usage), costUsd, turns: used.turns + usage.turns };
  print({ type: "usage", usage: state.used });
  const overCost = play.costLeftUsd !== null && state.used.costUsd > play.costLeftUsd;
  if (!overCost && state.used.turns <= play.turnsMax) return true;
  print({ type: "limit", limit: overCost ? "cost" : "turns" });
  return false;
}
