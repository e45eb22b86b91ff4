// How does a run live, die and live on in a test?

import type { Recorded, RunEvent } from "../../src/core/model/event.ts";
import type {
  InboxRequest,
  Answer,
  AnswerAction,
  Question,
} from "../../src/core/model/question.ts";
import { exitCodeOf } from "../../src/core/run/outcome.ts";
import { INITIAL_STATE, fold } from "../../src/core/run/reduce.ts";
import { NO_USAGE } from "../../src/core/model/session.ts";
import type { RunState } from "../../src/core/model/state.ts";
import type { Task } from "../../src/core/model/task.ts";
import { Log } from "../../src/engine/log.ts";
import { run } from "../../src/engine/run.ts";
import { ABILITIES, runStarted } from "../support/builders.ts";
import { failed, finished, noReport, read } from "../core/builders.ts";
import { asLines, portsInMemory, world } from "./ports-in-memory.ts";
import type { Outsider, Play, Scenario, World } from "./ports-in-memory.ts";

/** A session that ends by itself, claims completion and leaves this tree. */
export function works(edit: string | null, over: Partial<Play> = {}): Play {
  return {
    edit,
    report: read(),
    ending: finished,
    usage: NO_USAGE,
    events: [],
    askedBeside: [],
    leaves: false,
    also: null,
    ...over,
  };
}

/** A session that ends some other way and leaves no report. */
export function ends(ending: Play["ending"], over: Partial<Play> = {}): Play {
  return works(null, { report: noReport, ending, ...over });
}

/** A world, and in it a run of these tasks that has just begun. */
export function lives(...tasks: readonly Task[]) {
  const outer = world();
  return { outer, log: begun(outer, tasks) };
}

/** Nobody is there; a tree with the word "good" in it passes, "broken" cannot be checked. */
export function scenario({ plays, ...over }: Scene = {}): Scenario {
  const script = plays ?? [works("good")];
  return {
    plays: isOneTasks(script) ? { "add-login": script } : script,
    verdict: (tree) => {
      if (tree.includes("good")) return { kind: "passed" };
      if (tree.includes("broken")) return { kind: "unknown", why: "tool-missing", detail: "" };
      const [red] = failed("logs in");
      return red?.verdict ?? { kind: "passed" };
    },
    human: { present: false, says: () => "waits" },
    waits: false,
    prepared: null,
    base: null,
    baseMs: 500,
    join: (onto, side) => {
      const both = `${onto} and ${side}`;
      return { kind: "joined", commit: both, tree: both };
    },
    integrity: () => ({ kind: "checked", alarms: [], notes: [], tests: [] }),
    abilities: ABILITIES,
    ...over,
  };
}

/** The plays of the task "add-login" stand for themselves. */
type Scene = Partial<Omit<Scenario, "plays">> & {
  readonly plays?: Scenario["plays"] | readonly Play[];
};

function isOneTasks(plays: NonNullable<Scene["plays"]>): plays is readonly Play[] {
  return Array.isArray(plays);
}

export function says(action: AnswerAction, text = ""): Scenario["human"] {
  const answer = (q: Question): Answer => ({
    id: q.id,
    action,
    text,
    by: "prompt",
    at: q.askedAt,
  });
  return { present: true, says: answer };
}

export function begun(
  { nowMs }: World,
  tasks: readonly Task[],
  first: Partial<Start> = {},
): Recorded[] {
  const [start, ...defined] = runStarted(tasks);
  const events = start?.type === "run-started" ? [{ ...start, ...first }, ...defined] : [];
  return [...asLines(events, 0, nowMs)];
}

type Start = Extract<RunEvent, { type: "run-started" }>;

export interface Lived {
  readonly state: RunState;
  readonly code: number;
}

/** One process, from where the log stands until nothing more can be done. */
export async function live(
  outer: World,
  log: Recorded[],
  scenario: Scenario,
  more: {
    readonly onAppend?: (events: readonly RunEvent[]) => void;
    readonly meanwhile?: (outside: Outsider) => void;
  } = {},
): Promise<Lived> {
  const outside = portsInMemory(outer, log, scenario, more.onAppend);
  const facts = new Log(fold(log, INITIAL_STATE), outside.store, outside.view);
  const isFirst = log.every(({ event }) => event.type !== "task-started");
  if (!isFirst) await facts.append({ type: "run-resumed", stopped: "killed", orch: "0.1.0" });
  more.meanwhile?.(outside);
  const state = await run(facts, outside);
  return { state, code: state.exitCode ?? exitCodeOf(state) };
}

/** A run in a world of its own, from its beginning until nothing more can be done. */
export async function lived(
  tasks: readonly Task[],
  over: Scene = {},
  more: Parameters<typeof live>[3] = {},
): Promise<Lived & { readonly outer: World; readonly log: Recorded[] }> {
  const { outer, log } = lives(...tasks);
  return { outer, log, ...(await live(outer, log, scenario(over), more)) };
}

/** Process after process, answering by the inbox and waiting as told, until the run is over. */
export async function untilOver(
  outer: World,
  log: Recorded[],
  scenario: Scenario,
  more: {
    readonly answers?: (q: Question) => InboxRequest | null;
    readonly onAppend?: (events: readonly RunEvent[]) => void;
  } = {},
): Promise<Lived> {
  for (let lives = 0; lives < 20; lives++) {
    const lived = await live(outer, log, scenario, more);
    const question = lived.state.tasks.find((t) => t.pendingQuestion !== null)?.pendingQuestion;
    const reply = question ? (more.answers?.(question) ?? null) : null;
    if (lived.code === 4 && reply !== null) outer.inbox.push(reply);
    else if (lived.code === 75) outer.nowMs += 24 * 3_600_000;
    else if (lived.code !== 130 && lived.code !== 143) return lived;
  }
  throw new Error("the run is never over");
}

/** Another process sees each question as it is put. */
export function whenPut({ store }: Outsider, see: (question: Question) => void): void {
  const publish = store.publishQuestion.bind(store);
  store.publishQuestion = async (question, answer) => {
    await publish(question, answer);
    if (answer === null) see(question);
  };
}

export function reply(
  question: Question,
  action: AnswerAction,
  text = "",
  id = "r1",
): InboxRequest {
  const leftAtMs = Date.parse(question.askedAt) + 3 * 3_600_000;
  const answer = { question: question.id, action, text, by: "orch answer" };
  return { kind: "answer", id, answer, leftAtMs };
}

export function eventsOf<T extends RunEvent["type"]>(
  log: readonly Recorded[],
  type: T,
): readonly Extract<RunEvent, { type: T }>[] {
  return log.flatMap(({ event }) => (isOf(event, type) ? [event] : []));
}

function isOf<T extends RunEvent["type"]>(
  event: RunEvent,
  type: T,
): event is Extract<RunEvent, { type: T }> {
  return event.type === type;
}

/** The decisions of a log: which rule fired, attempt by attempt. */
export function rulesOf(log: readonly Recorded[]): readonly string[] {
  return eventsOf(log, "decided").map(({ decision }) => decision.rule);
}
