// How do people and programs follow a run while it goes on?

import { assertNever } from "../core/model/assert.ts";
import { createScreen, type Screen } from "../adapters/terminal/screen.ts";
import type { Recorded, RunEvent } from "../core/model/event.ts";
import { excerpt, inertButColored, inertJson } from "../core/model/excerpt.ts";
import type { RunResult } from "../core/views/run-view.ts";
import type { SessionEvent } from "../core/model/session-event.ts";
import type { View } from "../engine/ports.ts";
import { eventLine } from "../schema/event-line.ts";
import { type CliIo, printJson, printOut, type Style, styleOf } from "./io.ts";
import { jsonLine } from "./render/json.ts";
import { renderEvent } from "./render/log.ts";
import { renderSummary } from "./render/summary.ts";
import { dotted, paragraph, shorten } from "./layout.ts";
import { clock, duration } from "./render/text.ts";

export interface ViewOptions {
  /** Events and the result go to stdout, one JSON text on each line. */
  readonly json: boolean;
  /** No progress; questions and the result only. */
  readonly quiet: boolean;
  /** Also what the agent says and calls. */
  readonly verbose: boolean;
  readonly run: string;
}

/** A view that holds the screen, and ends with the run's result. */
export interface RunDisplay {
  readonly view: View;
  /** The prompt holds this screen while it is shown. */
  readonly screen: Screen;
  /** The last thing printed: the result object, or the summary. */
  end(result: RunResult): void;
  /** Takes the passing line off the screen. Safe to repeat. */
  stop(): void;
}

const TICK_MS = 1_000;

export function createDisplay(io: CliIo, options: ViewOptions): RunDisplay {
  const screen = createScreen(io.stderr, shorten, io.env["TERM"] === "dumb");
  const style = styleOf(io, "stderr");
  const passes = !options.quiet && io.stderr.isTTY === true;
  const live = passes ? createLive(screen) : NO_LIVE;
  return {
    screen,
    view: {
      recorded(events) {
        for (const one of events) tell(one, { io, screen, style, options });
        live.recorded(events);
      },
      activity(task, step, event) {
        if (options.verbose && !options.quiet) tellActivity(screen, style, event);
        live.activity(task, step, event);
      },
    },
    stop: () => live.stop(),
    end(result) {
      live.stop();
      if (!options.quiet) screen.line("");
      if (options.json) printJson(io, jsonLine(result));
      else printOut(io, renderSummary(result, styleOf(io, "stdout")));
    },
  };
}

interface Telling {
  readonly io: CliIo;
  readonly screen: Screen;
  readonly style: Style;
  readonly options: ViewOptions;
}

function tell(recorded: Recorded, { io, screen, style, options }: Telling): void {
  if (options.json) tellProgram(eventLine(options.run, recorded), { io, screen });
  // The summary that follows says how the run ended.
  if (options.quiet || recorded.event.type === "run-ended") return;
  const line = renderEvent(recorded, style, options.verbose);
  if (line !== null) screen.line(inertButColored(line));
}

/** Where both streams are one terminal, a line is a line of the screen: a prompt may be open there. */
function tellProgram(json: string, { io, screen }: Pick<Telling, "io" | "screen">): void {
  if (io.stdout.isTTY === true && io.stderr.isTTY === true) screen.line(inertJson(json));
  else printJson(io, json);
}

function tellActivity(screen: Screen, style: Style, event: SessionEvent): void {
  const words = activityWords(event);
  if (words === "" || event.type === "thinking") return;
  const indent = " ".repeat(clock(0).length + 4);
  screen.line(paragraph(style, words, { tone: "quiet", lead: indent }));
}

interface Live {
  recorded(events: readonly Recorded[]): void;
  activity(task: string, step: string, event: SessionEvent): void;
  stop(): void;
}

interface Moment {
  readonly task: string;
  readonly step: string;
  readonly since: number;
  readonly doing: string | SessionEvent;
}

/** An agent may say a thousand things a second: only what is about to be drawn is put in words. */
const DRAW_AFTER_MS = 50;

const NO_LIVE: Live = {
  recorded: () => undefined,
  activity: () => undefined,
  stop: () => undefined,
};

/** The passing line of a terminal: only while a session or a gate runs. */
function createLive(screen: Screen): Live {
  let moment: Moment | null = null;
  let soon: NodeJS.Timeout | null = null;
  const show = (): void => {
    if (soon !== null) clearTimeout(soon);
    soon = null;
    screen.passing(moment === null ? "" : momentWords(moment));
  };
  const tick = setInterval(show, TICK_MS).unref();
  return {
    recorded(events) {
      for (const { event } of events) moment = momentAfter(event, moment);
      show();
    },
    activity(task, step, event) {
      // What went well shows in what comes next.
      if (event.type === "tool-result" && !event.isError) return;
      moment = { task, step, since: moment?.since ?? Date.now(), doing: event };
      soon ??= setTimeout(show, DRAW_AFTER_MS).unref();
    },
    stop() {
      clearInterval(tick);
      moment = null;
      show();
    },
  };
}

function momentWords({ task, step, since, doing }: Moment): string {
  const words = typeof doing === "string" ? doing : activityWords(doing);
  const age = duration(Math.max(1_000, Date.now() - since));
  return dotted([`${task} ${step}`, age, words]);
}

function momentAfter(event: RunEvent, before: Moment | null): Moment | null {
  if (event.type === "session-started" || event.type === "session-ended") {
    const doing = event.type === "session-started" ? "the agent starts" : "gates run";
    return { task: event.task, step: event.step, since: Date.now(), doing };
  }
  return ENDS_MOMENT.has(event.type) ? null : before;
}

const ENDS_MOMENT: ReadonlySet<RunEvent["type"]> = new Set([
  "decided",
  "run-interrupted",
  "run-ended",
]);

const ACTIVITY_CHARS_MAX = 160;

/** The event in a few words; "" where there is nothing to see. */
function activityWords(event: SessionEvent): string {
  switch (event.type) {
    case "text":
      return excerpt(event.text, ACTIVITY_CHARS_MAX);
    case "thinking":
      return "thinking";
    case "tool-call":
      return excerpt(`${event.tool} ${event.input}`, ACTIVITY_CHARS_MAX);
    case "tool-result":
      return event.isError ? excerpt(`tool failed: ${event.output}`, ACTIVITY_CHARS_MAX) : "";
    case "retry":
      return excerpt(`the provider is tried again: ${event.detail}`, ACTIVITY_CHARS_MAX);
    case "condensation":
    case "note":
      return excerpt(event.text, ACTIVITY_CHARS_MAX);
    default:
      return assertNever(event, "session event");
  }
}
