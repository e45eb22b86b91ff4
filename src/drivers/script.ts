// How is a scripted session played, so that everything but the model is real?

import { appendFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { readScript } from "../adapters/project/script-source.ts";
import type { AgentSpec } from "../core/model/agent.ts";
import { assertNever } from "../core/model/assert.ts";
import type { DriverAbilities } from "../core/model/event.ts";
import { refusedBy } from "../core/model/machine.ts";
import { sessionFor } from "../core/model/script.ts";
import type { Script, ScriptPlay, ScriptSaid, ScriptUsage } from "../core/model/script.ts";
import {
  silentEnd,
  type SessionEnding,
  type Usage,
  type SessionEnd,
} from "../core/model/session.ts";
import type { SessionEvent } from "../core/model/session-event.ts";
import { addTotals } from "../core/run/charge.ts";
import type { AgentDriver, SessionRequest } from "../engine/ports.ts";
import { parseScriptSaid } from "../schema/script-file.ts";
import { withQuestionChannel } from "./question-channel.ts";
import type { QuestionChannel, OwnProgram } from "./question-channel.ts";
import { endingOf, sessionEnvironment, type DriverDeps } from "./session-process.ts";
import { runSession } from "./session-run.ts";

const ABILITIES: DriverAbilities = {
  resumes: true,
  holdsForReport: false,
  tellsSteps: true,
  asks: true,
  tellsCost: true,
};

export interface ScriptDeps extends DriverDeps, OwnProgram {
  /** The program that plays: `script-agent.cjs` of the bundle. */
  readonly player: string;
}

type ScriptSpec = Extract<AgentSpec, { driver: "script" }>;

/** Plays the sessions of a script file as real child processes, in place of a paid agent. */
export function createScriptDriver(spec: ScriptSpec, deps: ScriptDeps): AgentDriver {
  return {
    name: "script",
    abilities: ABILITIES,
    run: async (request, signal) => {
      const chosen = chooseSession(spec.script, request);
      if (chosen.kind === "not-started") return silentEnd(chosen);
      try {
        return await withQuestionChannel({ request, program: deps, asks: "hold" }, (channel) =>
          playChosen({ spec, deps, request }, chosen, channel, signal),
        );
      } catch (error) {
        return silentEnd({ ...refused(String(error)), reason: refusedBy(String(error)) });
      }
    },
  };
}

interface Playing {
  readonly spec: ScriptSpec;
  readonly deps: ScriptDeps;
  readonly request: SessionRequest;
}

interface Chosen {
  readonly kind: "cast";
  readonly play: ScriptPlay;
  /** Index of the session in the script; -1: an empty one. */
  readonly session: number;
}

type NotStarted = Extract<SessionEnding, { kind: "not-started" }>;

/** Which session of the script is played, and from where. Read anew each time: scripts get edited. */
function chooseSession(path: string, request: SessionRequest): Chosen | NotStarted {
  const { start } = request;
  const script = readScript(path);
  if (typeof script === "string") return refused(script);
  if (start.kind === "deliver") return delivery(script, request, start);
  const { task, step } = request.names;
  const attempt = Number(request.names.attempt);
  const session = sessionFor(script, { task, step, attempt, nth: countPlay(request), start });
  if (session === null && start.kind === "fresh")
    return refused(`${path} has no session for task "${task}", step "${step}", attempt ${attempt}`);
  const steps = script.sessions[session ?? -1]?.steps ?? [];
  const answer = start.kind === "follow-up" && start.why === "answer" ? request.prompt : null;
  return { kind: "cast", session: session ?? -1, play: { ...play(request), steps, answer } };
}

/** The pending call's name says where the script stopped: session and step. */
function delivery(
  script: Script,
  request: SessionRequest,
  start: { readonly toolUseId: string; readonly answer: string },
): Chosen | NotStarted {
  const [session = -1, at = -1] = start.toolUseId.split(":").map(Number);
  const steps = script.sessions[session]?.steps ?? [];
  if (steps[at]?.kind !== "ask") return unknownCall(start.toolUseId);
  const from = at + 1;
  return { kind: "cast", session, play: { ...play(request), steps, from, answer: start.answer } };
}

function play(request: SessionRequest): Omit<ScriptPlay, "steps" | "answer"> {
  return {
    from: 0,
    costLeftUsd: request.costLeftUsd,
    turnsMax: request.limits.turns,
  };
}

/** How many sessions of this attempt were played, this one included; kept beside its logs. */
function countPlay(request: SessionRequest): number {
  const path = join(request.attemptDir, "script-plays");
  try {
    appendFileSync(path, ".", { mode: 0o600 });
    return statSync(path).size;
  } catch {
    return 1; // Without a place to count, every session is the first.
  }
}

function refused(detail: string): NotStarted {
  return { kind: "not-started", reason: "refused", detail };
}

/** The script was edited since: the conversation that it played is no more. */
function unknownCall(id: string): NotStarted {
  const detail = `the script asks nothing at "${id.slice(0, 200)}" that could be answered`;
  return { kind: "not-started", reason: "conversation-unknown", detail };
}

/** Runs the player on one session of the script; never rejects. */
async function playChosen(
  { spec, deps, request }: Playing,
  { play, session }: Chosen,
  channel: QuestionChannel,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const heard: Heard = { own: null, usage: null };
  const model = request.model ?? spec.model ?? "script";
  const onUsage = (usage: ScriptUsage): void => request.onUsage(usageOf(usage, model));
  const program = {
    file: process.execPath,
    args: [deps.player],
    env: channel.environment(sessionEnvironment(request, deps.env(request.cwd), spec.env)),
    input: JSON.stringify(play),
  };
  const { end, errorTail } = await runSession(
    { request, program, deps },
    (emit) => ({
      onJson: (value, text) => {
        const said = parseScriptSaid(value);
        if (said === null) emit({ type: "text", text });
        else note(heard, said, { emit, onUsage, session });
      },
      onText: (text) => emit({ type: "text", text }),
    }),
    signal,
  );
  const started = end.kind !== "not-started";
  const usage = usageOf(heard.usage, model);
  return {
    ending: endingOf(end, heard.own, errorTail),
    usage,
    sessionId: started ? conversationOf(request) : null,
    totals: started ? addTotals(request.totalsBefore, usage) : null,
    agentVersion: null,
    unasked: [],
  };
}

function conversationOf({ start, token }: SessionRequest): string {
  return start.kind === "fresh" ? token : start.sessionId;
}

/** What was heard so far; the first ending of its own counts. */
interface Heard {
  own: SessionEnding | null;
  usage: ScriptUsage | null;
}

interface Reporting {
  readonly emit: (event: SessionEvent) => void;
  readonly onUsage: (usage: ScriptUsage) => void;
  readonly session: number;
}

function note(heard: Heard, said: ScriptSaid, { emit, onUsage, session }: Reporting): void {
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
    case "usage":
      heard.usage = said.usage;
      return onUsage(said.usage);
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
