// What is outside the loop, when everything outside is plain data?

import type { Recorded, RunEvent } from "../../src/core/model/event.ts";
import type { InboxRequest, Answer, Question } from "../../src/core/model/question.ts";
import { fenceTest, NO_FENCE, type FenceSide } from "../../src/core/model/fence.ts";
import { idOf, type SessionToken } from "../../src/core/model/ids.ts";
import type { PlanFinding, ReportFinding } from "../../src/core/model/report.ts";
import { planFrom } from "../../src/readers/task-text/read-plan.ts";
import { NO_USAGE, type SessionEnding, type Usage } from "../../src/core/model/session.ts";
import type { AskedQuestion, SessionEvent } from "../../src/core/model/session.ts";
import type { Taken } from "../../src/core/model/measurement.ts";
import type { GateSpec, Task } from "../../src/core/model/task.ts";
import type { Verdict } from "../../src/core/model/verdict.ts";
import { Stop } from "../../src/engine/interrupt.ts";
import type {
  AgentDriver,
  PreparedAnswers,
  AttemptPlace,
  Clock,
  EventStore,
  Gates,
  Human,
  Joined,
  Measured,
  Ports,
  SessionRequest,
  Workspaces,
} from "../../src/engine/ports.ts";
import type { Integrity } from "../../src/core/model/evidence.ts";
import { gateResult } from "../core/builders.ts";
import { newTasks } from "../support/builders.ts";
import { NO_WORDS } from "../../src/core/model/measurement.ts";

/** A planning session plays no part of the script: it leaves a plan, each time another one. */
const PLAN_ANEW = "Plan anew.";

/** Everything a crash leaves behind besides the log. Plain data: a copy of it is a moment in time. */
export interface World {
  nowMs: number;
  tokens: number;
  /** The tree of each task, as one word per change; gone when the task ended. */
  trees: Record<string, string>;
  /** Trees that were rescued. */
  rescued: string[];
  /** The run's merged work; a commit is known by its tree. */
  merged: string;
  commits: { tree: string }[];
  checkpoints: number;
  /** How far each task's agent has got in its script. */
  played: Record<string, number>;
  /** Conversations the agents know. */
  conversations: string[];
  /** Those in which an agent got to work. */
  sessions: { task: string; start: SessionRequest["start"]; prompt: string }[];
  baseRuns: number;
  reports: Record<string, ReportFinding>;
  /** Files of the repository, as far as a task's text may name them. */
  paths: string[];
  /** What planning sessions left, by their report's path. */
  plans: Record<string, PlanFinding>;
  inbox: InboxRequest[];
  cleared: string[];
  published: Record<string, "open" | "answered">;
  shown: string[];
  /** The task folder. */
  folder: Task[];
  /** Lines in the logs of attempts. */
  notes: string[];
  /** What running agents were told. */
  agentReplies: (string | null)[];
  /** Interruptions that are still to come. */
  stops: { gate: number; sleep: number; prompt: number };
}

export function world(over: Partial<World> = {}): World {
  return {
    nowMs: Date.UTC(2026, 10, 20, 12, 0, 0),
    tokens: 0,
    trees: {},
    rescued: [],
    merged: "base",
    commits: [],
    checkpoints: 0,
    played: {},
    conversations: [],
    sessions: [],
    baseRuns: 0,
    reports: {},
    paths: [],
    plans: {},
    inbox: [],
    cleared: [],
    published: {},
    shown: [],
    folder: [],
    notes: [],
    agentReplies: [],
    stops: { gate: 0, sleep: 0, prompt: 0 },
    ...over,
  };
}

/** What an agent does in one session. */
export interface Play {
  /** Becomes the tree; null: nothing is changed. */
  readonly edit: string | null;
  readonly report: ReportFinding;
  readonly ending: SessionEnding;
  readonly usage: Usage;
  /** What is told of the session while it runs. */
  readonly events: readonly SessionEvent[];
  /** Asked while the session runs; what came back is in `World.heard`. */
  readonly askedBeside: readonly AskedQuestion[];
  /** It does not wait for what comes back. */
  readonly leaves: boolean;
  /** Further effects on the world, such as a task that writes its successor. */
  readonly also: ((world: World) => void) | null;
}

export interface Scenario {
  /** By task; the last play repeats for ever. */
  readonly plays: Readonly<Record<string, readonly Play[]>>;
  readonly verdict: (tree: string, gate: GateSpec) => Verdict;
  readonly human: { readonly present: boolean; readonly says: (q: Question) => Answer | "waits" };
  readonly waits: boolean;
  readonly prepared: PreparedAnswers | null;
  /** The tree the task began with; null: it cannot be looked at. */
  readonly base: string | null;
  /** How long a gate takes there. */
  readonly baseMs: number;
  readonly integrity: (tree: string) => Integrity;
  /** What becomes of two trees that both changed. */
  readonly join: (onto: string, side: string) => Joined;
  readonly abilities: AgentDriver["abilities"];
}

export interface Outsider extends Ports {
  readonly store: MemoryStore;
}

export function portsInMemory(
  world: World,
  log: Recorded[],
  scenario: Scenario,
  onAppend: (events: readonly RunEvent[]) => void = () => undefined,
): Outsider {
  const stop = new Stop();
  const store = new MemoryStore(world, log, onAppend);
  return {
    store,
    stop,
    agents: { driver: () => driver(world, scenario, stop) },
    workspaces: workspaces(world, scenario),
    // All of it is where it belongs.
    landing: {
      plan: async ({ commit }) => ({ kind: "contained", commit }),
      move: async (_branch, { to }) => ({ kind: "landed", commit: to, url: null }),
      propose: async ({ commit }) => ({ kind: "landed", commit, url: null }),
    },
    gates: gates(world, scenario, stop),
    bases: { find: async () => null, note: () => undefined },
    human: human(world, scenario),
    prepared: scenario.prepared,
    files: files(world),
    orphans: { end: async () => [] },
    source: { added: async ({ takenIds: knownIds }) => newTasks(world.folder, knownIds) },
    clock: clock(world, stop),
    view: {
      recorded: (events) => void world.shown.push(...events.map(({ event }) => event.type)),
      activity: () => undefined,
    },
    waits: scenario.waits,
  };
}

/** The log in memory. Every line takes the way through JSON, as on a disk. */
export class MemoryStore implements EventStore {
  readonly #world: World;
  readonly #log: Recorded[];
  readonly #onAppend: (events: readonly RunEvent[]) => void;
  readonly #waiting = new Set<() => void>();

  constructor(world: World, log: Recorded[], onAppend: (events: readonly RunEvent[]) => void) {
    this.#world = world;
    this.#log = log;
    this.#onAppend = onAppend;
  }

  async append(events: readonly RunEvent[]): Promise<readonly Recorded[]> {
    this.#onAppend(events);
    const lines = asLines(events, this.#log.length, this.#world.nowMs);
    this.#log.push(...lines);
    return lines;
  }

  async inbox(): Promise<readonly InboxRequest[]> {
    return [...this.#world.inbox];
  }

  async clearInbox(id: string): Promise<void> {
    this.#world.inbox = this.#world.inbox.filter((request) => request.id !== id);
    this.#world.cleared.push(id);
  }

  /** Another process leaves a request. */
  drop(...requests: readonly InboxRequest[]): void {
    this.#world.inbox.push(...requests);
    for (const wake of this.#waiting) wake();
  }

  async inboxChanged(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#world.inbox.length > 0) return;
    await new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  async publishQuestion(question: Question, answer: Answer | null): Promise<void> {
    this.#world.published[question.id] = answer === null ? "open" : "answered";
  }
}

export function asLines(
  events: readonly RunEvent[],
  length: number,
  nowMs: number,
): readonly Recorded[] {
  return events.map((event, i) => ({
    seq: length + i + 1,
    epoch: 1,
    at: new Date(nowMs).toISOString(),
    event: structuredClone(event),
  }));
}

const SESSION_MS = 60_000;

function driver(world: World, scenario: Scenario, stop: Stop): AgentDriver {
  return {
    name: "in-memory",
    abilities: scenario.abilities,
    run: async (request, signal) => {
      const { start, token, names } = request;
      await request.onSpawn({ pid: 100 + world.tokens, startTime: "0" }, "in-memory");
      const sessionId = start.kind === "fresh" ? token : start.sessionId;
      const end = { usage: NO_USAGE, sessionId, totals: null, agentVersion: "1", unasked: [] };
      if (start.kind !== "fresh" && !world.conversations.includes(sessionId))
        return { ...end, ending: unknownConversation, sessionId: null };
      if (start.kind === "fresh") world.conversations.push(sessionId);
      world.sessions.push({ task: names.task, start, prompt: request.prompt });
      if (request.prompt.startsWith(PLAN_ANEW)) {
        const plan = planFrom(`Approach: number ${world.sessions.length}`);
        world.plans[request.reportPath] = { kind: "written", plan };
        return { ...end, ending: { kind: "finished" } };
      }
      const play = takePlay(world, scenario, request);
      world.nowMs += SESSION_MS;
      for (const event of play.events) {
        request.onEvent(event);
        if (signal.aborted) return { ...end, ending: { kind: "interrupted" } };
      }
      for (const asked of play.askedBeside) {
        const leaves = new AbortController();
        const either = AbortSignal.any([signal, leaves.signal]);
        const replyToAgent = request.onAsked(asked, either);
        if (play.leaves) leaves.abort();
        world.agentReplies.push(await replyToAgent);
        if (signal.aborted) return { ...end, ending: { kind: "interrupted" } };
      }
      if (play.edit !== null) world.trees[names.task] = play.edit;
      play.also?.(world);
      world.reports[request.reportPath] = play.report;
      if (play.ending.kind === "interrupted") stop.trigger("SIGINT");
      return { ...end, ending: play.ending, usage: play.usage };
    },
  };
}

const unknownConversation = {
  kind: "not-started",
  reason: "conversation-unknown",
  detail: "No conversation found",
} as const;

/** An agent whose question was answered goes on with what it would do next; others ask again. */
function takePlay(world: World, { plays }: Scenario, request: SessionRequest): Play {
  const { task } = request.names;
  const script = plays[task] ?? [];
  const at = (n: number): Play => {
    const play = script[Math.min(n, script.length - 1)];
    if (play === undefined) throw new Error(`no play for ${task}`);
    return play;
  };
  let n = world.played[task] ?? 0;
  const { ending } = at(n);
  const isAnswered =
    ending.kind === "asked" &&
    (request.start.kind === "deliver" ||
      request.history.some((i) => i.question.question === ending.asked.question));
  if (isAnswered) n++;
  const play = at(n);
  world.played[task] = play.ending.kind === "asked" ? n : n + 1;
  return play;
}

function workspaces(world: World, scenario: Scenario): Workspaces {
  const treeAt = ({ root }: { readonly root: string }): string => treeIn(world, root);
  return {
    plan: async ({ id }, { base, portBase }) => {
      const [root, branch] = [`/trees/${id}`, `orch/${id}`];
      return { kind: "worktree", root, gitDir: "/git", branch, base: base ?? "base", portBase };
    },
    make: async (_workspace, task, tree) => {
      world.trees[task] = tree ?? world.merged;
      return { notes: [], ignored: [] };
    },
    unreadable: async () => ({ taken: { commit: "trial", tree: UNREADABLE }, runs: "" }),
    withCanary: async () => null,
    changedLines: async (_workspace, commit) => commit.length,
    changedSettings: async () => [],
    changedPaths: () => Promise.resolve(null),
    placeOf: async (workspace) => workspace,
    isThere: ({ root }) => world.trees[taskAt(root)] !== undefined,
    unlock: () => Promise.resolve(),
    checkpoint: async (workspace, label) => {
      world.checkpoints++;
      const tree = treeAt(workspace);
      return { commit: `c${world.checkpoints}`, ref: `refs/${label.when}`, tree };
    },
    change: async (workspace, { since, work }, fence) => {
      const tree = work?.tree ?? treeAt(workspace);
      const named = tree.split(" ").filter((word) => word.includes("/"));
      const defaultPath = fence?.scope[0]?.replace("**", "file") ?? "src/login.ts";
      const changed = since?.tree === tree ? [] : named.length > 0 ? named : [defaultPath];
      const sideOf = fenceTest(fence ?? NO_FENCE);
      const beyond = (side: FenceSide) => changed.filter((path) => sideOf(path) === side);
      const counts = { changedCount: changed.length, sinceBaseCount: changed.length };
      const outside = { outside: beyond("allowWrite"), outOfScope: beyond("scope") };
      return { kind: "measured", tree, changed, ...counts, ...outside };
    },
    integrity: async (workspace) => scenario.integrity(treeAt(workspace)),
    diff: async () => "",
    takeWork: async (workspace) => takenAt(treeAt(workspace)),
    commit: async (_workspace, _task, work) => {
      const tree = work?.tree ?? "base";
      if (world.commits.some((one) => one.tree === tree)) return null;
      world.commits.push({ tree });
      // A commit has the name of its tree, as where it is merged.
      return tree;
    },
    workOf: async (workspace) => treeAt(workspace),
    join: async ({ base }, task, { commit, onto }) => {
      if (onto === base) return { kind: "contained", tree: commit };
      const joined = scenario.join(onto, commit);
      if (joined.kind === "joined") world.trees[task] = joined.commit;
      return joined;
    },
    conflicts: async () => [],
    advance: async (_base, { commit }) => {
      world.merged = commit;
    },
    rescue: async (_workspace, task, why) => {
      const { [task]: tree = "base" } = world.trees;
      if (isCommitted(world, tree)) return [];
      if (!world.rescued.includes(tree)) world.rescued.push(tree);
      return [{ ref: `refs/rescue-${world.rescued.indexOf(tree) + 1}`, why }];
    },
    rollback: async ({ root }, { tree }) => void (world.trees[taskAt(root)] = tree),
    remove: async (_workspace, task, where) =>
      (where !== "in commits" || isCommitted(world, world.trees[task])) && delete world.trees[task],
    paths: async () => world.paths,
    unheld: async () => [],
    takeMixed: async () => ({ kind: "not-needed" }),
    review: async (_workspace, _work, use) => use({ root: "/review", diff: "" }),
    baseOf: async () => takenAt(scenario.base ?? UNASKED),
  };
}

/** A base that cannot be looked at. */
const UNASKED = "unasked";
const UNREADABLE = "unreadable";

/** A commit is known by its tree. */
function takenAt(tree: string): Taken {
  return { commit: tree, tree };
}

function isCommitted({ merged, commits }: World, tree = "base"): boolean {
  return ["base", merged, ...commits.map((one) => one.tree)].includes(tree);
}

const taskAt = (root: string): string => root.slice("/trees/".length);

function treeIn(world: World, root: string): string {
  const tree = world.trees[taskAt(root)];
  if (tree === undefined) throw new Error(`there is no tree at ${root}`);
  return tree;
}

const PASSED: Verdict = { kind: "passed" };

function gates(world: World, scenario: Scenario, stop: Stop): Gates {
  const { verdict } = scenario;
  return {
    measure: async ({ name, required, ...gate }, { checkout, isBase }) => {
      const ended = (outcome: Verdict, elapsedMs: number): Measured => ({
        result: gateResult(outcome, { name, required, elapsedMs, tookMs: elapsedMs }),
        ...NO_WORDS,
        by: "",
        checks: [],
      });
      const tree = checkout?.tree ?? UNASKED;
      const verdictHere = (): Verdict =>
        tree === UNASKED ? PASSED : verdict(tree, { name, required, ...gate });
      if (tree === UNREADABLE) return ended({ kind: "failed", findings: [] }, 100);
      if (isBase) {
        world.baseRuns++;
        return ended(verdictHere(), scenario.baseMs);
      }
      if (world.stops.gate > 0) {
        world.stops.gate--;
        stop.trigger("SIGTERM");
        return ended({ kind: "unknown", why: "killed", detail: "" }, 0);
      }
      world.nowMs += 1_000;
      return ended(verdictHere(), 1_000);
    },
  };
}

function human(world: World, scenario: Scenario): Human {
  return {
    present: scenario.human.present,
    ask: async (question, signal) => {
      if (signal.aborted) return null;
      if (world.stops.prompt > 0) {
        world.stops.prompt--;
        return null;
      }
      const humanAnswer = scenario.human.says(question);
      if (humanAnswer !== "waits") return humanAnswer;
      await new Promise<void>((resolve) =>
        signal.addEventListener("abort", () => resolve(), { once: true }),
      );
      return null;
    },
  };
}

function files(world: World): Ports["files"] {
  return {
    open: async (where) => ({
      attemptDir: dirOf(where),
      reportPath: pathOf(where),
      planPath: `${pathOf(where)}.plan.md`,
    }),
    attemptDir: dirOf,
    keepPrompt: async () => undefined,
    collectReport: async (where) => world.reports[pathOf(where)] ?? { kind: "missing" },
    collectPlan: async (where) => world.plans[pathOf(where)] ?? { kind: "missing" },
    note: ({ task, attempt }, text) => void world.notes.push(`${task}/${attempt} ${text}`),
    keepEvidence: async () => undefined,
    template: async (name) => (name === "replan" ? `${PLAN_ANEW}\n\n{{task}}` : "The contract."),
  };
}

function dirOf({ task, step, attempt }: Pick<AttemptPlace, "task" | "step" | "attempt">): string {
  return `/attempts/${task}/${step}-${attempt}`;
}

function pathOf({ root, token }: Pick<AttemptPlace, "root" | "token">): string {
  return `${root}/.orch/session/${token}/report.json`;
}

function clock(world: World, stop: Stop): Clock {
  return {
    nowMs: () => world.nowMs,
    zone: "UTC",
    every: () => () => undefined,
    sleepUntil: async (moment) => {
      if (world.stops.sleep > 0) {
        world.stops.sleep--;
        return stop.trigger("SIGTERM");
      }
      world.nowMs = Math.max(world.nowMs, moment);
    },
    dice: () => 0.5,
    newToken: () => idOf<SessionToken>(`token-${++world.tokens}`),
  };
}
