// How is one session of the script run, and what came of it?

import type { AgentSpec } from "../core/model/agent.ts";
import { assertNever } from "../core/model/assert.ts";
import { addTokens } from "../core/run/spent.ts";
import type { ScriptPlay, ScriptSaid, ScriptUsage } from "../core/model/script.ts";
import type {
  SessionEnding,
  SessionTotals,
  UnaskedQuestion,
  Usage,
} from "../core/model/session.ts";
import type { SessionEnd } from "../core/model/session-end.ts";
import type { SessionEvent } from "../core/model/session-event.ts";
import type { SessionRequest } from "../engine/ports.ts";
import { parseScriptSaid } from "../schema/script-file.ts";
import type { QuestionChannel, OwnProgram } from "./question-channel.ts";
import { endingOf, sessionEnvironment } from "./session-process.ts";
import type { DriverDeps } from "./session-process.ts";
import { runSession } from "./session-run.ts";

export interface ScriptDeps extends DriverDeps, OwnProgram {
  /** The program that plays: `script-agent.cjs` of the bundle. */
  readonly player: string;
}

export type ScriptSpec = Extract<AgentSpec, { driver: "script" }>;

export interface ScriptedSession {
  readonly spec: ScriptSpec;
  readonly deps: ScriptDeps;
  readonly request: SessionRequest;
  readonly play: ScriptPlay;
  /** Index of the session in the script; -1: an empty one. */
  readonly session: number;
  readonly channel: QuestionChannel;
}

/** Runs the player on one session of the script; never rejects. */
export async function runScriptedSession(
  session: ScriptedSession,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const { spec, deps, request, play, channel } = session;
  const heard: Heard = { own: null, usage: null, unasked: [] };
  const program = {
    file: process.execPath,
    args: [deps.player],
    env: channel.environment(sessionEnvironment(request, deps.env, spec.env)),
    input: JSON.stringify(play),
  };
  const { end, errorTail } = await runSession(
    { request, program, deps },
    (emit) => ({
      onJson: (value, text) => {
        const said = parseScriptSaid(value);
        if (said === null) emit({ type: "text", text });
        else note(heard, said, { emit, session: session.session });
      },
      onText: (text) => emit({ type: "text", text }),
    }),
    signal,
  );
  const started = end.kind !== "not-started";
  const usage = usageOf(heard.usage, request.model ?? spec.model ?? "script");
  return {
    ending: endingOf(end, heard.own, errorTail),
    usage,
    sessionId: started ? conversationOf(request) : null,
    totals: started ? addTotals(request.totalsBefore, usage) : null,
    agentVersion: null,
    unasked: heard.unasked,
  };
}

function conversationOf({ start, token }: SessionRequest): string {
  return start.kind === "fresh" ? token : start.sessionId;
}

/** What was heard so far; the first ending of its own counts. */
interface Heard {
  own: SessionEnding | null;
  usage: ScriptUsage | null;
  unasked: UnaskedQuestion[];
}

interface Around {
  readonly emit: (event: SessionEvent) => void;
  readonly session: number;
}

function note(heard: Heard, said: ScriptSaid, { emit, session }: Around): void {
  switch (said.type) {
    case "say":
      return emit({ type: "text", text: said.text });
    case "think":
      return emit({ type: "thinking", text: said.text });
    case "tool-call":
    case "tool-result":
      return emit(said);
    case "asked": {
      const toolUseId = `${session}:${said.at}`;
      heard.own ??= { kind: "asked", asked: { ...said.asked, toolUseId } };
      return;
    }
    case "unasked":
      heard.unasked.push(said.unasked);
      return emit({
        type: "note",
        text: `asked: ${said.unasked.question}\nanswered by orch: ${said.unasked.answer}`,
      });
    case "usage":
      heard.usage = said.usage;
      return;
    case "fault":
      heard.own ??= { kind: "fault", fault: said.fault };
      return emit({ type: "note", text: `fault: ${said.fault.message}` });
    case "limit":
      heard.own ??= { kind: "limit", limit: said.limit };
      return;
    default:
      return assertNever(said, "line of the scripted agent");
  }
}

/** The player prints sums; only the last one counts. */
function usageOf(sum: ScriptUsage | null, model: string): Usage {
  if (sum === null) return { byModel: {}, costUsd: 0, turns: null };
  const { costUsd, turns, ...tokens } = sum;
  return { byModel: { [model]: tokens }, costUsd, turns };
}

function addTotals(before: SessionTotals | null, usage: Usage): SessionTotals {
  const costUsd = (before?.costUsd ?? 0) + (usage.costUsd ?? 0);
  return { byModel: addTokens(before?.byModel ?? {}, usage.byModel), costUsd };
}
