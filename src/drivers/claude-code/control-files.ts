// Which files tell Claude Code about orch's hooks, its tool server and the rules of the session?

import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { writeFileAtomic } from "../../adapters/atomic-file.ts";
import type { Asking } from "../../core/asking.ts";
import { isSafeId } from "../../core/ids.ts";
import type { SessionRequest } from "../../engine/ports.ts";
import { writeAnswer, writeAsking } from "../../mcp/ask-files.ts";
import { ASK_SERVER, ASK_TOOL } from "./facts.ts";
import { ALIVE, HOLD } from "./hooks.ts";
import { systemPrompt } from "./system-prompt.ts";

export interface ControlFiles {
  readonly folder: string;
  readonly settings: string;
  readonly system: string;
  /** null: no way to ask is offered. */
  readonly mcp: string | null;
}

/** How the session calls orch back. */
export interface Callbacks {
  /** Path of Node.js. */
  readonly node: string;
  /** Path of the hook's entry; it gets the hook's name and the control folder. */
  readonly hook: string;
  /** Arguments for Node.js that start the tool server; the control folder is added. */
  readonly mcp: readonly string[];
}

const STOP_TIMEOUT_S = 60;
const HOOK_TIMEOUT_S = 30;

/**
 * Writes the control files of one process of a session, in a private folder of its own that no
 * prompt names. Throws where the disk does.
 */
export function writeControlFiles(request: SessionRequest, calls: Callbacks): ControlFiles {
  const folder = join(request.attemptDir, request.token);
  mkdirSync(folder, { mode: 0o700 });
  const answers = answersFor(request);
  // An answer on its way needs the tool, even where nothing more may be asked.
  const asks = request.level > 0 || answers.size > 0;
  const files: ControlFiles = {
    folder,
    settings: join(folder, "settings.json"),
    system: join(folder, "system.md"),
    mcp: asks ? join(folder, "mcp.json") : null,
  };
  writeJson(join(folder, HOLD), { reportPath: request.reportPath });
  writeJson(files.settings, settings(folder, calls, asks));
  writeFileAtomic(files.system, systemPrompt(request.level));
  if (files.mcp !== null) {
    writeAsking(folder, askingOf(request));
    writeJson(files.mcp, toolServers(folder, calls));
  }
  for (const [toolUseId, answer] of answers) {
    writeAnswer(folder, toolUseId, `${answer}\n\n${reminder(request.reportPath)}`);
  }
  return files;
}

/** Hooks that are not run fail open and in silence; this file is the proof that they are. */
export function hooksAreLive(files: ControlFiles): boolean {
  return statSync(join(files.folder, ALIVE), { throwIfNoEntry: false }) !== undefined;
}

/** Text as one word of a POSIX shell, whatever it holds. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function settings(folder: string, calls: Callbacks, asks: boolean): unknown {
  const hook = (name: string, timeout: number): unknown => ({
    type: "command",
    command: [calls.node, calls.hook, name, folder].map(shellWord).join(" "),
    timeout,
  });
  return {
    hooks: {
      SessionStart: [{ hooks: [hook("session-start", HOOK_TIMEOUT_S)] }],
      Stop: [{ hooks: [hook("stop", STOP_TIMEOUT_S)] }],
      ...(asks && {
        UserPromptSubmit: [{ hooks: [hook("prompt", HOOK_TIMEOUT_S)] }],
        PreToolUse: [{ matcher: ASK_TOOL, hooks: [hook("ask", HOOK_TIMEOUT_S)] }],
      }),
    },
  };
}

/**
 * By the call they answer: the one to be delivered, and those given before. A delivery that was
 * cut short leaves its call pending, and whatever the conversation is taken up with, the call comes first.
 */
function answersFor({ start, history }: SessionRequest): ReadonlyMap<string, string> {
  const given = history.flatMap(({ question: { toolUseId }, answer: { text } }) =>
    toolUseId === null || !isSafeId(toolUseId) || text.trim() === ""
      ? []
      : [[toolUseId, text] as const],
  );
  const now = start.kind === "deliver" ? [[start.toolUseId, start.answer] as const] : [];
  return new Map([...given, ...now]);
}

function toolServers(folder: string, { node, mcp }: Callbacks): unknown {
  // Without alwaysLoad the model sees only the tool's name and must look it up first.
  const server = { type: "stdio", command: node, args: [...mcp, folder], alwaysLoad: true };
  return { mcpServers: { [ASK_SERVER]: server } };
}

function askingOf({ level, questionsLeft, history }: SessionRequest): Asking {
  const answered = history
    .filter(({ answer }) => answer.text.trim() !== "")
    .map(({ question, answer }) => ({ question: question.question, answer: answer.text }));
  return { level, questionsLeft, answered };
}

/** The session goes on in a new process with a new report path, which no prompt has named. */
function reminder(reportPath: string): string {
  return `(When you are done, write your report to ${reportPath}.)`;
}

function writeJson(path: string, value: unknown): void {
  writeFileAtomic(path, JSON.stringify(value, null, 2));
}
