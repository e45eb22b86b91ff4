// How do people and programs follow a run while it goes on?

import type { Screen } from "../adapters/terminal/screen.ts";
import type { Recorded, RunEvent } from "../core/model/event.ts";
import { excerpt, inertButColored, inertJson } from "../core/model/excerpt.ts";
import type { RunResult } from "../core/views/run-view.ts";
import type { SessionEvent } from "../core/model/session-event.ts";
import type { View } from "../engine/ports.ts";
import { eventLine } from "../schema/event-line.ts";
import { screenOf } from "./at-terminal.ts";
import { type CliIo, printJson, printOut, type Style, styleOf } from "./io.ts";
import type { Given } from "./options.ts";
import { createStory } from "./render/log.ts";
import { renderSummary } from "./render/summary.ts";
import { dotted, paragraph } from "./layout.ts";
import { clock, duration } from "./render/text.ts";

export interface ViewOptions extends Pick<Given, "json" | "quiet" | "verbose"> {
  readonly run: string;
}

const TICK_MS = 1_000;

export type RunDisplay = ReturnType<typeof createDisplay>;

/** A view that holds the screen, and ends with the run's result. */
export function createDisplay(io: CliIo, options: ViewOptions) {
  const { json, quiet = false, verbose = false, run } = options;
  const screen = screenOf(io);
  const style = styleOf(io, "stderr");
  const live = !quiet && io.stderr.isTTY === true ? createLive(screen) : null;
  const story = createStory(style, verbose);
  let isOver = false;
  const tell = (recorded: Recorded): void => {
    if (json === true) tellProgram(eventLine(run, recorded), io, screen);
    // The summary that follows says how the run ended.
    if (quiet || recorded.event.type === "run-ended") return;
    const line = story(recorded);
    if (line !== null) screen.line(inertButColored(line));
  };
  const view: View = {
    recorded(events) {
      if (isOver) return;
      for (const one of events) tell(one);
      live?.recorded(events);
    },
    activity(task, step, event) {
      if (verbose && !quiet) tellActivity(screen, style, event);
      live?.activity(task, step, event);
    },
  };
  return {
    /** The prompt holds this screen while it is shown. */
    screen,
    view,
    /** Takes the passing line off the screen. Safe to repeat. */
    stop: () => live?.stop(),
    /** The last thing printed, whatever is recorded afterwards: the result object, or the summary. */
    end(result: RunResult) {
      isOver = true;
      live?.stop();
      if (!quiet) screen.line("");
      if (json === true) printJson(io, JSON.stringify(result));
      else printOut(io, renderSummary(result, styleOf(io, "stdout")));
    },
  };
}

/** Where both streams are one terminal, a line is a line of the screen: a prompt may be open there. */
function tellProgram(json: string, io: CliIo, screen: Screen): void {
  if (io.stdout.isTTY === true && io.stderr.isTTY === true) screen.line(inertJson(json));
  else printJson(io, json);
}

function tellActivity(screen: Screen, style: Style, event: SessionEvent): void {
  const words = activityWords(event);
  if (words === "" || event.type === "thinking") return;
  const indent = " ".repeat(clock(0).length + 4);
  screen.line(paragraph(style, words, { tone: "quiet", lead: indent }));
}

interface Moment {
  readonly task: string;
  readonly step: string;
  readonly since: number;
  readonly doing: string | SessionEvent;
}

/** An agent may say a thousand things a second: only what is about to be drawn is put in words. */
const DRAW_AFTER_MS = 50;

/** The passing line of a terminal: what came last of the tasks in which a session or a gate runs. */
function createLive(screen: Screen) {
  const moments = new Map<string, Moment>();
  const put = (moment: Moment): void => {
    moments.delete(moment.task);
    moments.set(moment.task, moment);
  };
  let soon: NodeJS.Timeout | null = null;
  const show = (): void => {
    if (soon !== null) clearTimeout(soon);
    soon = null;
    const last = [...moments.values()].at(-1);
    screen.passing(last === undefined ? "" : momentWords(last, moments.size));
  };
  const tick = setInterval(show, TICK_MS).unref();
  return {
    recorded(events: readonly Recorded[]) {
      for (const { event } of events) {
        const doing = doingAfter(event);
        if (doing === undefined) continue;
        const task = "task" in event && typeof event.task === "string" ? event.task : null;
        if (task === null) moments.clear();
        else if (doing === null) moments.delete(task);
        else put({ task, step: "step" in event ? event.step : "", since: Date.now(), doing });
      }
      show();
    },
    activity(task: string, step: string, event: SessionEvent) {
      // What went well shows in what comes next.
      if (event.type === "tool-result" && !event.isError) return;
      put({ task, step, since: moments.get(task)?.since ?? Date.now(), doing: event });
      soon ??= setTimeout(show, DRAW_AFTER_MS).unref();
    },
    stop() {
      clearInterval(tick);
      moments.clear();
      show();
    },
  };
}

function momentWords({ task, step, since, doing }: Moment, atWork: number): string {
  const words = typeof doing === "string" ? doing : activityWords(doing);
  const age = duration(Math.max(1_000, Date.now() - since));
  const all = atWork > 1 ? `${atWork} tasks at work` : null;
  return dotted([all, `${task} ${step}`.trim(), age, words]);
}

/** What goes on after such an event; null: nothing that is shown; undefined: what went on before. */
function doingAfter(event: RunEvent): string | null | undefined {
  const isJoined = event.type === "merge-ended" && event.result.kind === "to-prove";
  return isJoined ? "gates run on the merged tree" : DOING[event.type];
}

const DOING: Readonly<Partial<Record<RunEvent["type"], string | null>>> = {
  "session-started": "the agent starts",
  "session-ended": "gates run",
  decided: null,
  "merge-started": "merging",
  "merge-ended": null,
  "run-interrupted": null,
  "run-ended": null,
};

const ACTIVITY_CHARS_MAX = 160;

/** The event in a few words; "" where there is nothing to see. */
function activityWords(event: SessionEvent): string {
  switch (event.type) {
    case "text":
    case "condensation":
    case "note":
      return excerpt(event.text, ACTIVITY_CHARS_MAX);
    case "thinking":
      return "thinking";
    case "tool-call":
      return excerpt(`${event.tool} ${event.input}`, ACTIVITY_CHARS_MAX);
    case "tool-result":
      return event.isError ? excerpt(`tool failed: ${event.output}`, ACTIVITY_CHARS_MAX) : "";
    case "retry":
      return excerpt(`the provider is tried again: ${event.detail}`, ACTIVITY_CHARS_MAX);
    default:
      return event satisfies never;
  }
}
