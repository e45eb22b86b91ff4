// How do people and programs follow a run while it goes on?

import type { Acted } from "../../adapters/log/activity-file.ts";
import type { PassingLines, Screen } from "../../adapters/terminal/screen.ts";
import type { Recorded } from "../../core/model/event.ts";
import { projectResult } from "../../core/views/projection.ts";
import { type RunView, stoppedView } from "../../core/views/run-view.ts";
import type { SessionEvent } from "../../core/model/session.ts";
import type { RunState } from "../../core/model/state.ts";
import type { View } from "../../engine/ports.ts";
import { eventLine } from "../../schema/event-line.ts";
import { screenOf } from "./at-terminal.ts";
import { type CliIo, isGithubJob, printJson, printOut, shownText } from "../io.ts";
import { type Style, styleOf } from "../io.ts";
import type { Given } from "../command-line/options.ts";
import { activityWords, doingAfter, liveLines, type Live, type Moment } from "../render/live.ts";
import { createFolds } from "../render/github.ts";
import { createStory, taskIn } from "../render/log.ts";
import { renderSummary } from "../render/closing.ts";
import { paragraph } from "../layout.ts";
import { clock } from "../render/text.ts";

export interface ViewOptions extends Pick<Given, "json" | "quiet" | "verbose"> {
  readonly run: string;
  /** The run as commands take it. */
  readonly short: string;
}

export type RunDisplay = ReturnType<typeof createDisplay>;

/** A view that holds the screen, and ends with the run's result. */
export function createDisplay(io: CliIo, options: ViewOptions) {
  const { json, quiet = false, verbose = false, run, short } = options;
  const screen = screenOf(io);
  const style = styleOf(io, "stderr");
  const live = !quiet && io.stderr.isTTY === true ? createLive(screen, style) : null;
  const story = askingOnce(createStory(style), live !== null, io.stdout.isTTY === true);
  const isPlain = live === null && json !== true && io.stdout.isTTY !== true;
  const folds = createFolds(isPlain && isGithubJob(io) ? (title) => screen.line(title) : null);
  let isOver = false;
  let now: RunState | null = null;
  const tell = (recorded: Recorded): void => {
    if (json === true) printJson(io, eventLine(run, recorded));
    // The summary that follows says how the run ended.
    if (quiet || recorded.event.type === "run-ended") return;
    const line = story.tell(recorded) ?? "";
    if (line === "") return;
    folds.before(taskIn(recorded.event), now);
    screen.line(shownText(io, line));
  };
  const view: View = {
    recorded(events, state) {
      if (isOver) return;
      now = state;
      for (const one of events) tell(one);
      live?.recorded(events, state);
    },
    activity(task, step, event) {
      const line = verbose && !quiet ? activityLine(style, { task, step, event }, now) : null;
      if (line !== null) screen.line(shownText(io, line));
      live?.activity(task, event);
    },
  };
  return {
    /** The prompt holds this screen while it is shown. */
    screen,
    view,
    /** Takes the passing lines off the screen, and ends what is folded. Safe to repeat. */
    stop: () => [live, folds].forEach((one) => one?.stop()),
    /** The last thing printed, whatever is recorded afterwards: the result object, or the summary. */
    end(at: RunView, exitCode: number) {
      isOver = true;
      live?.stop();
      if (!quiet) screen.line("");
      const ended = { exitCode, id: short, nowMs: Date.now(), shown: story.shown() };
      const shown = renderSummary({ view: stoppedView(at), ...ended }, styleOf(io, "stdout"));
      if (json !== true) return printOut(io, shown);
      printJson(io, JSON.stringify(projectResult(at, exitCode)));
    },
  };
}

/** On a terminal a question is shown whole, and once: the story has no text of it; `shown` is the one that nothing came after. */
function askingOnce(story: ReturnType<typeof createStory>, isLive: boolean, hasSummary: boolean) {
  let last: string | null = null;
  return {
    tell(recorded: Recorded): string | null {
      const { event } = recorded;
      if (!event.type.startsWith("run-")) last = null;
      if (!isLive || event.type !== "question-asked") return story(recorded);
      last = event.question.id;
      const question = { ...event.question, question: "" };
      return story({ ...recorded, event: { ...event, question } });
    },
    shown: () => (hasSummary ? last : null),
  };
}

/** What an agent does and says, on a line below the story; null: what it thinks only shows that it does. */
function activityLine(style: Style, acted: Acted, state: RunState | null): string | null {
  const { task, event } = acted;
  const words = activityWords(event, rootOf(state, task));
  if (words === "" || event.type === "thinking") return null;
  const isOne = (state?.tasks.length ?? 0) <= 1;
  const line = isOne ? words : `${task}: ${words}`;
  return paragraph(style, line, { tone: "quiet", lead: " ".repeat(clock(0).length + 4) });
}

const TICK_MS = 1_000;

/** What the tasks do in which a session, a gate or a merge runs. */
export function createMoments() {
  const moments = new Map<string, Moment>();
  const events = new Map<string, SessionEvent>();
  let state: RunState | null = null;
  const wording = (task: string, moment: Moment): Moment => {
    const event = events.get(task);
    return event === undefined
      ? moment
      : { ...moment, doing: activityWords(event, rootOf(state, task)) };
  };
  const put = (task: string, doing: string, since: number | null): void => {
    events.delete(task);
    moments.set(task, { doing, since });
  };
  return {
    /** null: nothing was recorded yet. */
    now(): Live | null {
      if (state === null) return null;
      const wordings = new Map([...moments].map(([task, moment]) => [task, wording(task, moment)]));
      return { state, moments: wordings, nowMs: Date.now() };
    },
    recorded(recorded: readonly Recorded[], now: RunState) {
      state = now;
      for (const { event, at } of recorded) {
        const doing = doingAfter(event, now);
        const task = "task" in event && typeof event.task === "string" ? event.task : null;
        if (doing === undefined || task === null) continue;
        if (doing === null) moments.delete(task);
        else put(task, doing, event.type === "session-started" ? null : Date.parse(at));
      }
    },
    activity(task: string, event: SessionEvent) {
      // What went well shows in what comes next.
      if (event.type === "tool-result" && !event.isError) return;
      if (!moments.has(task)) put(task, "", null);
      events.set(task, event);
    },
  };
}

/** The block at the bottom of a terminal. */
function createLive(screen: Screen, style: Style) {
  const moments = createMoments();
  const lines: PassingLines = (columns, rows) => {
    const live = moments.now();
    return live === null ? [] : liveLines(live, { columns, rows }, style);
  };
  const show = (): void => screen.passing(lines);
  const tick = setInterval(show, TICK_MS).unref();
  return {
    recorded(recorded: readonly Recorded[], now: RunState) {
      moments.recorded(recorded, now);
      show();
    },
    activity(task: string, event: SessionEvent) {
      moments.activity(task, event);
      show();
    },
    stop() {
      clearInterval(tick);
      screen.passing(null);
    },
  };
}

/** Where the task works, so that paths can be told from there. */
function rootOf(state: RunState | null, id: string): string | null {
  const workspace = state?.tasks.find(({ task }) => task.id === id)?.workspace ?? null;
  return workspace?.root ?? null;
}
