// How do the questions of a running agent get to a person, and the answers back?

import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";

import { answeredPairs } from "../core/decide/asking.ts";
import { type Asking } from "../core/model/question.ts";
import type { AskedQuestion, SessionEnd, SessionEnding } from "../core/model/session.ts";
import type { SessionRequest } from "../engine/ports.ts";
import { FOLDER_VARIABLE, readUnasked, writeAsking, writeHold } from "../mcp/ask-files.ts";
import type { SessionHold } from "../schema/ask-file.ts";
import { serveQuestions } from "./serve-questions.ts";
import { ensureShim } from "./path-shim.ts";

/** How an agent calls this very orch. */
export interface OwnProgram {
  /** Path of Node.js. */
  readonly node: string;
  /** Path of orch's own entry. */
  readonly cli: string;
  /** Arguments for Node.js that start the tool server; the control folder is added. */
  readonly mcp: readonly string[];
  /** Absolute: a folder for the agent's PATH, in which orch puts itself. */
  readonly bin: string;
}

/** The place where one process of a session asks, in a private folder of its own. */
export interface QuestionChannel {
  readonly folder: string;
  /** The environment, with what an agent and everything it starts needs to find this channel. */
  environment(base: Environment): Record<string, string>;
}

type Environment = Readonly<Record<string, string>>;

export interface ChannelOptions {
  readonly request: SessionRequest;
  readonly program: OwnProgram;
  readonly asks: SessionHold["asks"];
}

/**
 * Keeps a channel while `work` runs the session, and adds what came of it to the session's end. Rejects
 * where `work` does, or where the disk lets no channel be opened: then nothing was started.
 */
export async function withQuestionChannel(
  { request, program, asks }: ChannelOptions,
  work: (channel: QuestionChannel) => Promise<SessionEnd>,
): Promise<SessionEnd> {
  const folder = join(request.attemptDir, request.token);
  mkdirSync(folder, { mode: 0o700 });
  const asking = askingOf(request);
  const { reportPath, cwd: root, allowedActions, fence } = request;
  writeHold(folder, { reportPath, asks, root, allowedActions, fence });
  writeAsking(folder, asking);
  ensureShim(program.bin, program);
  const close = serveQuestions(folder, asking, request);
  const environment: QuestionChannel["environment"] = (base) => ({
    ...base,
    [FOLDER_VARIABLE]: folder,
    PATH: [program.bin, ...(base["PATH"] === undefined ? [] : [base["PATH"]])].join(delimiter),
  });
  const end = await work({ folder, environment }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const open = await close();
  const unasked = [...end.unasked, ...readUnasked(folder), ...open.unasked];
  return { ...end, ending: endingWith(end.ending, open.asked), unasked };
}

/** An entry of a server list as agents with MCP tools read it. */
export function toolServer(
  folder: string,
  { node, mcp }: Pick<OwnProgram, "node" | "mcp">,
): { readonly command: string; readonly args: readonly string[] } {
  return { command: node, args: [...mcp, folder] };
}

/**
 * A question is real, whatever became of the program that asked it. Only where orch itself was told
 * to stop, nothing of the session counts as its own doing.
 */
function endingWith(ending: SessionEnding, asked: AskedQuestion | null): SessionEnding {
  const isOwn = ending.kind !== "interrupted" && ending.kind !== "not-started";
  return asked !== null && isOwn && ending.kind !== "asked" ? { kind: "asked", asked } : ending;
}

/** What a session may ask, as it starts. */
export function askingOf(
  request: Pick<SessionRequest, "level" | "holdMs" | "questionsLeft" | "history" | "leftAlone">,
): Asking {
  const { level, holdMs, questionsLeft, leftAlone } = request;
  return { level, holdMs, questionsLeft, answered: answeredPairs(request.history), leftAlone };
}
