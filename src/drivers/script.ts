// How is a scripted session played, so that everything but the model is real?

import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import type { DriverAbilities } from "../core/model/event.ts";
import { sessionFor } from "../core/model/script.ts";
import type { Script, ScriptPlay } from "../core/model/script.ts";
import type { SessionEnding } from "../core/model/session.ts";
import { silentEnd } from "../core/model/session-end.ts";
import type { AgentDriver, SessionRequest } from "../engine/ports.ts";
import { parseScript } from "../schema/script-file.ts";
import { askingOf, withQuestionChannel } from "./question-channel.ts";
import { runScriptedSession } from "./script-session.ts";
import type { ScriptDeps, ScriptSpec } from "./script-session.ts";

const ABILITIES: DriverAbilities = {
  resumes: true,
  holdsForReport: false,
  tellsSteps: true,
  asks: true,
  tellsCost: true,
};

export type { ScriptDeps } from "./script-session.ts";

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
          runScriptedSession({ spec, deps, request, channel, ...chosen }, signal),
        );
      } catch (error) {
        return silentEnd(refused(String(error)));
      }
    },
  };
}

type ChosenSession =
  | { readonly kind: "cast"; readonly play: ScriptPlay; readonly session: number }
  | Extract<SessionEnding, { kind: "not-started" }>;

const SCRIPT_BYTES_MAX = 16 * 1024 * 1024;

/** Which session of the script is played, and from where. Read anew each time: scripts get edited. */
function chooseSession(path: string, request: SessionRequest): ChosenSession {
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
): ChosenSession {
  const [session = -1, at = -1] = start.toolUseId.split(":").map(Number);
  const steps = script.sessions[session]?.steps ?? [];
  if (steps[at]?.kind !== "ask") return unknownCall(start.toolUseId);
  const from = at + 1;
  return { kind: "cast", session, play: { ...play(request), steps, from, answer: start.answer } };
}

function play(request: SessionRequest): Omit<ScriptPlay, "steps" | "answer"> {
  return {
    from: 0,
    asking: askingOf(request),
    costLeftUsd: request.costLeftUsd,
    turnsMax: request.limits.turns,
  };
}

function readScript(path: string): Script | string {
  try {
    const { size } = statSync(path);
    if (size > SCRIPT_BYTES_MAX) return `the script ${path} is larger than 16 MiB`;
    const script = parseScript(readFileSync(path, "utf8"));
    return script.ok ? script.value : `the script ${path} is not usable: ${script.problems[0]}`;
  } catch (error) {
    return `the script ${path} cannot be read: ${String(error)}`;
  }
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

function refused(detail: string): Extract<ChosenSession, { kind: "not-started" }> {
  return { kind: "not-started", reason: "refused", detail };
}

/** The script was edited since: the conversation that it played is no more. */
function unknownCall(id: string): Extract<ChosenSession, { kind: "not-started" }> {
  const detail = `the script asks nothing at "${id.slice(0, 200)}" that could be answered`;
  return { kind: "not-started", reason: "conversation-unknown", detail };
}
