// How is a child process run so that nothing of it is ever left behind?

import { spawn, type ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

import type { ProcessIdentity } from "../../core/model/session.ts";
import { startGuard } from "./guard.ts";
import { identityOf, markOf } from "./identity.ts";
import { dyingWithOrch, obstacle, refused, wordsFor, type Refused } from "./program.ts";
import {
  MARKER_VARIABLE,
  endTree,
  releasePipes,
  sendSignal,
  startTicks,
  treeFinder,
} from "./tree.ts";

export interface ProcessRequest {
  /** A program with arguments, or one line for the system shell. */
  readonly program:
    | { readonly kind: "program"; readonly file: string; readonly args: readonly string[] }
    | { readonly kind: "shell"; readonly line: string };
  /** The words of what confines it, before its own; none: it is not. */
  readonly confinement?: readonly string[];
  readonly cwd: string;
  /** The complete environment; nothing is inherited. The marker is added to it. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Text is written to standard input, which is then closed. A function is given it open, and whoever
   * wrote the function closes it. Without one standard input is /dev/null.
   */
  readonly input?: string | ((open: Writable) => void) | null;
  /** Unique text that every process of the tree carries in its environment as ORCH_SESSION. */
  readonly marker: string;
  /** Wall time after which the tree is ended; null: none. */
  readonly timeoutMs: number | null;
  /** Silence on both outputs after which the tree is ended, if any is. Sleep of the machine is not silence. */
  readonly idleMs?: number | null;
  /** Signals tried in order, each with the time it is given; a kill of the whole tree follows. */
  readonly stop: readonly { readonly signal: "SIGINT" | "SIGTERM"; readonly graceMs: number }[];
  onStdout(chunk: Buffer): void;
  onStderr(chunk: Buffer): void;
  /** Awaited before anything is written to standard input. */
  onSpawn?(process: ProcessIdentity): Promise<void>;
}

/** How the process ended; the first cause wins and is never overwritten. */
export type ProcessEnd =
  | {
      readonly kind: "ended";
      /** "self": by itself. Otherwise what made orch, or the guard of a stopped orch, end it; "unguarded": its guard was ended. */
      readonly cause: "self" | "timed-out" | "idle" | "aborted" | "unguarded";
      readonly exitCode: number | null;
      readonly signal: string | null;
    }
  | Refused;

/**
 * Runs one child to its end.
 *
 * Never rejects. When it resolves, no process of the child's tree is left: neither those that went
 * into a session of their own nor those that outlived the child. Should orch be killed meanwhile,
 * a guard ends the tree.
 */
export async function runProcess(
  request: ProcessRequest,
  signal: AbortSignal,
): Promise<ProcessEnd> {
  if (signal.aborted) return { kind: "ended", cause: "aborted", exitCode: null, signal: null };
  const lost = new AbortController();
  let why: "unguarded" | "timed-out" = "unguarded";
  const guard = startGuard(request.marker, (cause) => {
    why = cause;
    lost.abort();
  });
  // Nothing runs unguarded: it would go on, and go on costing money, when orch is killed.
  if (typeof guard === "string") return { kind: "not-started", why: "machine", detail: guard };
  try {
    const child = start(request);
    if ("kind" in child) return child;
    if (child.pid === undefined) {
      const error = await new Promise<Error>((resolve) => child.once("error", resolve));
      return refused(error.message);
    }
    guard.watch(child.pid, request.timeoutMs);
    const either = AbortSignal.any([signal, lost.signal]);
    const end = await supervise(child, child.pid, request, either);
    const isOurs = lost.signal.aborted && !signal.aborted && end.cause === "aborted";
    return isOurs ? { ...end, cause: why } : end;
  } finally {
    guard.release();
  }
}

type Ended = Extract<ProcessEnd, { kind: "ended" }>;
type Exit = Pick<Ended, "exitCode" | "signal">;

/** What stragglers of the tree are given between TERM and KILL once the child itself is gone. */
const LEFTOVER_GRACE_MS = 2_000;
/** How long output may still arrive after the last process of the tree is gone. */
const DRAIN_MS = 2_000;

function start(request: ProcessRequest): ChildProcess | Refused {
  const { program, marker, cwd, env, input = null, confinement = [] } = request;
  const executable = program.kind === "shell" ? SHELL : program.file;
  const args = program.kind === "shell" ? ["-c", program.line] : program.args;
  const [file = executable, ...words] = wordsFor(
    [...dyingWithOrch(), ...confinement, executable, ...args],
    markOf(marker),
    env,
  );
  try {
    return (
      obstacle(executable, cwd, env) ??
      spawn(file, words, {
        cwd,
        env: { ...env, [MARKER_VARIABLE]: marker },
        // An own session and process group: no Ctrl-C of the terminal reaches the child by itself.
        detached: true,
        stdio: [input === null ? "ignore" : "pipe", "pipe", "pipe"],
      })
    );
  } catch (error) {
    // Some refusals are thrown (too long an argument list), others arrive as an event.
    return refused(error instanceof Error ? error.message : String(error));
  }
}

const SHELL = "/bin/sh";

async function supervise(
  child: ChildProcess,
  pid: number,
  request: ProcessRequest,
  signal: AbortSignal,
): Promise<Ended> {
  // A child that is dead already has no identity any more; the empty start time matches nothing.
  const identity = identityOf(pid) ?? { pid, startTime: "" };
  const exited = new Promise<Exit>((resolve) =>
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal })),
  );
  const { marker } = request;
  const sinceTicks = startTicks(identity);
  const findTree = treeFinder({ roots: [identity], group: pid, marker, sinceTicks });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const announced = announceSpawn(child, identity, request);
  const cause = await firstCause({ child, exited, announced }, request, signal);
  // Each signal in turn goes to the group, as a terminal would send it, until the child yields.
  for (const step of cause === "self" ? [] : request.stop) {
    findTree(); // Children of a process that dies now must be known before.
    sendSignal(-pid, step.signal);
    if (await settlesWithin(exited, step.graceMs)) break;
  }
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  await endTree(findTree, hasEnded ? LEFTOVER_GRACE_MS : 0);
  const exit = await exited;
  // An escaped process may hold the pipes for ever: what is in them is read, then they are let go.
  if (!(await settlesWithin(closed, DRAIN_MS))) await releasePipes(child);
  await announced.catch(() => {}); // Its failure was a cause of its own.
  return { kind: "ended", cause, ...exit };
}

/** Has the process recorded before it is given any input. */
async function announceSpawn(
  child: ChildProcess,
  identity: ProcessIdentity,
  request: ProcessRequest,
): Promise<void> {
  child.stdin?.on("error", () => {}); // It closed its input, or died: its exit tells the story.
  child.on("error", () => {}); // A signal that could not be sent.
  await request.onSpawn?.(identity);
  const { input = null } = request;
  if (typeof input !== "function") child.stdin?.end(input);
  else if (child.stdin !== null) input(child.stdin);
}

interface Conversation {
  readonly child: ChildProcess;
  readonly exited: Promise<Exit>;
  readonly announced: Promise<void>;
}

/** What ends the child. A promise keeps its first value, and that is the whole rule. */
async function firstCause(
  { child, exited, announced }: Conversation,
  request: ProcessRequest,
  signal: AbortSignal,
): Promise<Ended["cause"]> {
  let tell: (cause: Ended["cause"]) => void = () => {};
  const cause = new Promise<Ended["cause"]>((resolve) => (tell = resolve));
  const abort = (): void => tell("aborted");
  signal.addEventListener("abort", abort);
  const watch = startTimeLimits(request, tell);
  const hear = (stream: ChildProcess["stdout"], pass: (chunk: Buffer) => void): void =>
    void stream?.on("data", (chunk: Buffer) => {
      watch.heard();
      pass(chunk);
    });
  hear(child.stdout, (chunk) => request.onStdout(chunk));
  hear(child.stderr, (chunk) => request.onStderr(chunk));
  // A session that could not be put on record must not run.
  announced.catch(abort);
  void exited.then(() => tell("self"));
  const first = await cause;
  watch.stop();
  signal.removeEventListener("abort", abort);
  return first;
}

async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(ms, false, { signal: over.signal });
  return Promise.race([promise.then(() => true), late]).finally(() => over.abort());
}

type TimeLimits = Pick<ProcessRequest, "timeoutMs" | "idleMs">;
type LimitReached = "timed-out" | "idle";

const TICK_MOST_MS = 1_000;
const TICK_LEAST_MS = 5;
/** A tick that comes later than this slept: a busy machine delays by less. */
const LATE_MOST_MS = 2_000;

/** Watches both limits with one timer; calls `onLimit` once. */
function startTimeLimits(limits: TimeLimits, onLimit: (limit: LimitReached) => void) {
  const shortestMs = Math.min(limits.timeoutMs ?? Infinity, limits.idleMs ?? Infinity);
  const tickMs = Math.min(TICK_MOST_MS, Math.max(TICK_LEAST_MS, shortestMs / 10));
  const meter = createMeter(limits);
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const limit = meter.passed(awakeMs(nowMs - lastMs, tickMs));
    lastMs = nowMs;
    if (limit === null) return;
    clearInterval(timer);
    onLimit(limit);
  }, tickMs);
  return { heard: meter.heard, stop: () => clearInterval(timer) };
}

/**
 * Time between two ticks that the machine was awake. Some systems' monotonic clocks go on while
 * the lid is closed, so a gap counts as no more than a tick that came late.
 */
export function awakeMs(gapMs: number, tickMs: number): number {
  return Math.min(gapMs, tickMs + LATE_MOST_MS);
}

/** The counting behind the watch, without a clock. */
export function createMeter({ timeoutMs, idleMs = null }: TimeLimits) {
  let ranMs = 0;
  let silentMs = 0;
  return {
    /** The process said something: silence begins anew. */
    heard: (): void => void (silentMs = 0),
    /** Lets time pass; names the limit that was reached. */
    passed: (ms: number): LimitReached | null => {
      ranMs += ms;
      silentMs += ms;
      if (timeoutMs !== null && ranMs >= timeoutMs) return "timed-out";
      return idleMs !== null && silentMs >= idleMs ? "idle" : null;
    },
  };
}
