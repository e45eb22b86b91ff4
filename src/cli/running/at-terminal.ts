// Who sits at this terminal, and how are they asked?

import { userInfo } from "node:os";

import { createTerminalHuman, type TerminalHumanOptions } from "../../adapters/terminal/human.ts";
import { Prompt } from "../../adapters/terminal/prompt.ts";
import { createScreen, type Screen } from "../../adapters/terminal/screen.ts";
import type { Human } from "../../engine/ports.ts";
import { styleOf, type CliIo } from "../io.ts";
import { renderAsked } from "../render/question.ts";
import { untilNew } from "../../adapters/files/watch.ts";
import { activityReader, type Acted } from "../../adapters/log/activity-file.ts";
import { readLog, requireLog } from "../../adapters/log/event-log.ts";
import type { LogPosition } from "../../adapters/log/log-lines.ts";
import { currentOwner } from "../../adapters/log/owner.ts";
import type { RunFiles } from "../../adapters/log/run-files.ts";
import type { Recorded } from "../../core/model/event.ts";
import type { RunState } from "../../core/model/state.ts";
import { fold, INITIAL_STATE } from "../../core/run/reduce.ts";
import { isTaken } from "../commands/pick.ts";

const NAME_CHARS_MAX = 60;

/** `rings`: the terminal's bell calls a person who looks elsewhere. `inbox`: of the run. */
export function personAt(
  io: CliIo,
  screen: Screen,
  { inbox, ...how }: { readonly inbox: string } & Pick<TerminalHumanOptions, "present" | "rings">,
): Human {
  const style = styleOf(io, "stderr");
  return createTerminalHuman({
    input: io.stdin,
    present: how.present,
    screen,
    render: (question, whole) => renderAsked(question, whole, style),
    person: userName(),
    tell: async ({ task }, text) => {
      const { writeRequest } = await import("../../adapters/people/inbox.ts");
      const remark = { task, text, by: `prompt (${userName()})` };
      writeRequest(inbox, { kind: "tell", remark });
    },
    rings: how.rings && io.env["TERM"] !== "dumb",
  });
}

/** On standard error: standard output belongs to the result. */
export function screenOf(io: CliIo): Screen {
  return createScreen(io.stderr, io.env["TERM"] === "dumb");
}

/** What the person typed, trimmed; null: they left. */
export async function askLine(io: CliIo, question: string): Promise<string | null> {
  const screen = screenOf(io);
  screen.line(question);
  const prompt = new Prompt(io.stdin, screen, new AbortController().signal);
  try {
    const typed = await prompt.next();
    return typed.kind === "line" ? typed.text.trim() : null;
  } finally {
    prompt.close();
  }
}

/** For the record of answers. */
export function userName(): string {
  try {
    return userInfo().username.slice(0, NAME_CHARS_MAX);
  } catch {
    // A user without an entry in the system's list, as in some containers.
    return "unknown user";
  }
}

export interface Follower {
  recorded(events: readonly Recorded[], state: RunState): void;
  acted(acted: Acted): void;
}

/** What agents do makes no change in the run's folder that a system tells of. */
const LOOK_MS = 75;

/**
 * Tells all that was recorded, then what is added. Resolves to the state when the run's process left it
 * or died, or when `signal` aborts; at once where nobody works on it.
 */
export async function followRun(
  files: RunFiles,
  follower: Follower,
  signal: AbortSignal,
): Promise<RunState> {
  const { read, hasMore } = readerOf(files);
  const actedSince = activityReader(files);
  const tell = (): RunState => {
    const { events, state: now } = read();
    follower.recorded(events, now);
    return now;
  };
  let state = tell();
  actedSince(state);
  const look = (): void => actedSince(state).forEach((acted) => follower.acted(acted));
  const timer = setInterval(look, LOOK_MS);
  try {
    for (let isAlive = true; isAlive && state.process === "live" && !signal.aborted;) {
      const owned = (): boolean => isTaken(currentOwner(files.folder));
      isAlive = owned();
      if (isAlive) await untilNew(files.folder, () => !owned() || hasMore(), signal);
      look();
      state = tell();
    }
  } finally {
    clearInterval(timer);
  }
  return state;
}

/** Each reading has what came since the last. Events are not kept: those of a long run take more room than its state. */
export function readerOf({ log }: Pick<RunFiles, "log">) {
  let state = INITIAL_STATE;
  let position: LogPosition | null = null;
  return {
    read: (): { readonly events: readonly Recorded[]; readonly state: RunState } => {
      const { events, position: end } = requireLog(log, readLog(log, position));
      position = end;
      state = fold(events, state);
      return { events, state };
    },
    hasMore: (): boolean => {
      const more = readLog(log, position);
      return more.kind !== "read" || more.events.length > 0;
    },
  };
}
