// Which files tell Claude Code about orch's hooks, its tool server and the rules of the session?

import { join } from "node:path";

import { writeFileAtomic } from "../../adapters/files/atomic-file.ts";
import { isSafeId } from "../../core/model/ids.ts";
import type { SessionRequest } from "../../engine/ports.ts";
import { toolServer, type OwnProgram, type QuestionChannel } from "../question-channel.ts";
import { shellWord } from "../path-shim.ts";
import { ASK_SERVER, ASK_TOOL, SHELL_TOOL, WRITE_TOOLS } from "./names.ts";
import { systemPrompt } from "./system-prompt.ts";

export type ControlFiles = Readonly<ReturnType<typeof writeControlFiles>>;

/** How the session calls orch back. */
export interface Callbacks extends Pick<OwnProgram, "node" | "mcp"> {
  /** Path of the hook's entry; it gets the hook's name and the control folder. */
  readonly hook: string;
}

const STOP_TIMEOUT_S = 60;
const HOOK_TIMEOUT_S = 30;

/**
 * Writes what Claude Code reads into the session's control folder. `asks` false: there is no tool to
 * ask with. Throws where the disk does.
 */
export function writeControlFiles(
  request: SessionRequest,
  { folder, asks }: Pick<QuestionChannel, "folder" | "asks">,
  calls: Callbacks,
) {
  const files = {
    settings: join(folder, "settings.json"),
    system: join(folder, "system.md"),
    mcp: join(folder, "mcp.json"),
    asks,
  };
  // A conversation that begins has no call that was put off and comes before its prompt.
  const holdsPrompts = asks && request.start.kind !== "fresh";
  writeJson(files.settings, settings(folder, calls, { asks, holdsPrompts }));
  writeFileAtomic(files.system, systemPrompt(request.level));
  writeJson(files.mcp, toolServers(folder, calls));
  return files;
}

function settings(
  folder: string,
  calls: Callbacks,
  { asks, holdsPrompts }: { readonly asks: boolean; readonly holdsPrompts: boolean },
): unknown {
  const hook = (name: string, timeout: number): unknown => ({
    type: "command",
    command: [calls.node, calls.hook, name, folder].map(shellWord).join(" "),
    timeout,
  });
  return {
    hooks: {
      SessionStart: [{ hooks: [hook("session-start", HOOK_TIMEOUT_S)] }],
      Stop: [{ hooks: [hook("stop", STOP_TIMEOUT_S)] }],
      ...(holdsPrompts && { UserPromptSubmit: [{ hooks: [hook("prompt", HOOK_TIMEOUT_S)] }] }),
      PreToolUse: [
        { matcher: SHELL_TOOL, hooks: [hook("act", HOOK_TIMEOUT_S)] },
        { matcher: WRITE_TOOLS, hooks: [hook("write", HOOK_TIMEOUT_S)] },
        ...(asks ? [{ matcher: ASK_TOOL, hooks: [hook("ask", HOOK_TIMEOUT_S)] }] : []),
      ],
    },
  };
}

/**
 * By the call they answer: the one to be delivered, and those given before. A delivery that was
 * cut short leaves its call pending, and whatever the conversation is taken up with, the call comes first.
 */
export function answersFor({ start, history }: SessionRequest): ReadonlyMap<string, string> {
  const given = history.flatMap(({ question: { toolUseId }, answer: { text } }) =>
    toolUseId === null || !isSafeId(toolUseId) || text.trim() === ""
      ? []
      : [[toolUseId, text] as const],
  );
  const now = start.kind === "deliver" ? [[start.toolUseId, start.answer] as const] : [];
  return new Map([...given, ...now]);
}

function toolServers(folder: string, calls: Callbacks): unknown {
  // Without alwaysLoad the model sees only the tool's name and must look it up first.
  const server = { type: "stdio", ...toolServer(folder, calls), alwaysLoad: true };
  return { mcpServers: { [ASK_SERVER]: server } };
}

function writeJson(path: string, value: unknown): void {
  writeFileAtomic(path, JSON.stringify(value, null, 2));
}
