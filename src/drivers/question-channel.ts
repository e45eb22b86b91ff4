// How do the questions of a running agent get to a person, and the answers back?

import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

import { answeredPairs } from "../core/decide/asking.ts";
import { assertNever } from "../core/model/assert.ts";
import type { Asking } from "../core/model/question.ts";
import type { AskedQuestion, SessionEnd, SessionEnding } from "../core/model/session.ts";
import type { SessionRequest } from "../engine/ports.ts";
import { type AskReply, refused, reportText, type ReportReply } from "../mcp/ask.ts";
import { FOLDER_VARIABLE, serveChannel, type AnswerRequest } from "../mcp/channel.ts";
import { OpenQuestions } from "../mcp/open-questions.ts";
import { shellWord } from "../adapters/process/program.ts";
import { redactDeep, type Redact } from "../adapters/redact.ts";
import { parseReport, reportProblems } from "../schema/report-file.ts";

/** How an agent calls this very orch. */
export interface OwnProgram {
  /** Path of Node.js. */
  readonly node: string;
  /** Path of orch's own entry. */
  readonly cli: string;
}

/** The place where one process of a session asks, in a private folder of its own. */
export interface QuestionChannel {
  readonly folder: string;
  /** False: no way to ask is offered. */
  readonly asks: boolean;
  /** What may be asked in this session, and what waits. */
  readonly questions: OpenQuestions;
  /** What the agent's side would be told over the socket, for those in this process. */
  readonly answer: AnswerRequest;
}

export interface ChannelOptions {
  readonly request: SessionRequest;
  readonly program: OwnProgram;
  readonly redact: Redact;
  /** "defer": the agent's own program puts calls of the tool off. "hold": they wait. */
  readonly asks: "defer" | "hold";
  /** To calls that were put off before, by the call. */
  readonly answers?: ReadonlyMap<string, string>;
}

/**
 * Keeps a channel while `work` runs the session, and adds what came of it to the session's end. Rejects
 * where `work` does, or where no channel can be opened: then nothing was started.
 */
export async function withQuestionChannel(
  options: ChannelOptions,
  work: (channel: QuestionChannel) => Promise<SessionEnd>,
): Promise<SessionEnd> {
  const { request, program, asks, answers = new Map<string, string>() } = options;
  const folder = join(request.attemptDir, request.token);
  mkdirSync(folder, { mode: 0o700 });
  // orch itself, under its name, for the agent's PATH.
  const shim = `#!/bin/sh\nexec ${shellWord(program.node)} ${shellWord(program.cli)} "$@"\n`;
  writeFileSync(join(folder, "orch"), shim, { mode: 0o700 });
  const questions = new OpenQuestions(askingOf(request), request, answers);
  // An answer on its way needs the tool, even where nothing more may be asked.
  const offers = request.level > 0 || answers.size > 0;
  const answer = answerFor(options, questions);
  const close = await serveChannel(folder, offers ? asks : "none", answer);
  try {
    const end = await work({ folder, asks: offers, questions, answer });
    const asked = await questions.close();
    const unasked = [...end.unasked, ...questions.unasked];
    return { ...end, ending: endingWith(end.ending, asked), unasked };
  } finally {
    await questions.close();
    close();
  }
}

/** The environment, with what an agent and everything it starts needs to find the channel in this folder. */
export function channelEnvironment(folder: string, base: Readonly<Record<string, string>>) {
  const path = base["PATH"] === undefined ? folder : [folder, base["PATH"]].join(delimiter);
  return { ...base, [FOLDER_VARIABLE]: folder, PATH: path };
}

/** All that an agent's side can do to orch. */
function answerFor(
  { request: { reportPath }, asks, redact }: ChannelOptions,
  questions: OpenQuestions,
): AnswerRequest {
  return async (request, signal) => {
    switch (request.verb) {
      case "ask": {
        const { call, holdMs } = request;
        // Before anything of it is cut off: half of a secret is no longer known as one.
        const question = redactDeep(request.question, redact, () => false);
        const puts = call === null || asks === "hold";
        const answer = call === null ? null : questions.answerTo(call);
        const reply =
          answer === null
            ? await questions.ask(question, puts ? (holdMs ?? Infinity) : null, signal)
            : delivered(answer, reportPath);
        return JSON.stringify(reply);
      }
      case "report":
        return JSON.stringify(judgeReport(request.report, reportPath));
      default:
        return assertNever(request, "request");
    }
  };
}

/** The session goes on in a new process with a new report path, which no prompt has named. */
function delivered(answer: string, reportPath: string): AskReply {
  const text = `${answer}\n\n(When you are done, write your report to ${reportPath}.)`;
  return { kind: "answered", text, why: null };
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
  request: Pick<SessionRequest, "level" | "holdMs" | "questionsLeft" | "history">,
): Asking {
  const { level, holdMs, questionsLeft } = request;
  return { level, holdMs, questionsLeft, answered: answeredPairs(request.history) };
}

/** orch's tool server for the session with this folder: a program and its arguments. */
export function toolServer(folder: string, { node, cli }: OwnProgram) {
  return { command: node, args: [join(dirname(cli), "session-tools.cjs"), folder] };
}

/** A list of tool servers as most agents read it; not all know more keys than these. Its path. */
export function writeToolServers(folder: string, program: OwnProgram): string {
  const path = join(folder, "mcp.json");
  const servers = { mcpServers: { orch: toolServer(folder, program) } };
  writeFileSync(path, JSON.stringify(servers, null, 2), { mode: 0o600 });
  return path;
}

/** `path` is where the session's report belongs. */
function judgeReport(report: unknown, path: string): ReportReply {
  const written = reportText(report);
  const problems = reportProblems(written);
  if (problems.length > 0) return refused(problems);
  return { path, text: ["The report is in order and left.", ...notesOn(written)].join("\n") };
}

/** What the reader will pass over or read otherwise than written. */
function notesOn(report: string): readonly string[] {
  const parsed = parseReport(report);
  if (!parsed.ok || parsed.value.kind !== "read" || parsed.value.notes.length === 0) return [];
  const notes = parsed.value.notes.map((note) => `- ${note}`);
  return ["Call report again if this is not what you meant:", ...notes];
}
