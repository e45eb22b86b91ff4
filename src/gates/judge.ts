// What does a finished command say about the work?

import type { ProcessEnd } from "../adapters/process/process.ts";
import { assertNever } from "../core/model/assert.ts";
import type { CommandGate } from "../core/model/task.ts";
import type { Finding, TestCounts, UnknownWhy, Verdict } from "../core/model/verdict.ts";
import { bounded, findingsFromOutput, lastWords } from "../readers/tools/findings.ts";
import { missingTool, neverLoaded } from "./not-run.ts";
import { readRun } from "../readers/tools/detect.ts";
import { linesOf } from "../readers/tools/run-output.ts";
import type { RunOutput } from "../readers/tools/run-output.ts";

export interface Judgement {
  readonly verdict: Verdict;
  readonly counts: TestCounts | null;
}

/**
 * The verdict, from how the command ended and what it printed. What kept the checks from being
 * made comes first, whatever the exit code says: unknown is never a pass and never a failure.
 */
export function judge(gate: CommandGate, end: ProcessEnd, output: string): Judgement {
  const lines = linesOf(output);
  const run = readRun(gate.parse, lines);
  const exit = howItExited(end, gate.timeoutMs);
  const verdict = "verdict" in exit ? exit.verdict : judgeExit({ gate, run, lines, ...exit });
  return { verdict, counts: run?.counts ?? null };
}

interface Finished {
  readonly gate: CommandGate;
  readonly run: RunOutput | null;
  readonly lines: readonly string[];
  /** 0 is success. */
  readonly code: number;
  /** "exited 1", or the fault that ended the program. */
  readonly words: string;
  readonly crashed: boolean;
}

type Exit = Pick<Finished, "code" | "words" | "crashed"> | { readonly verdict: Verdict };

/** Signals a program brings upon itself: the work is at fault, nobody ended the gate from outside. */
const FAULTS = ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS"];
/** What a shell reports for a child that was hung up, interrupted, killed or terminated. */
const KILLED_CODES = new Map([
  [129, "SIGHUP"],
  [130, "SIGINT"],
  [137, "SIGKILL"],
  [143, "SIGTERM"],
]);

function howItExited(end: ProcessEnd, timeoutMs: number): Exit {
  if (end.kind === "not-started") {
    const why = end.why === "program-missing" ? "tool-missing" : "not-run";
    return { verdict: unknown(why, `the command could not be started: ${end.detail}`) };
  }
  switch (end.cause) {
    case "aborted":
      return { verdict: unknown("killed", "orch was told to stop while the command ran") };
    case "timed-out":
    case "idle":
      return { verdict: unknown("timed-out", `no end within ${seconds(timeoutMs)}`) };
    case "self":
      return bySelf(end.exitCode, end.signal);
    default:
      return assertNever(end.cause, "cause of a process's end");
  }
}

function bySelf(exitCode: number | null, signal: string | null): Exit {
  if (signal !== null && FAULTS.includes(signal))
    return { code: 1, words: `crashed with ${signal}`, crashed: true };
  const killed = signal ?? (exitCode === null ? "an unknown signal" : KILLED_CODES.get(exitCode));
  if (killed !== undefined)
    return { verdict: unknown("killed", `the command was killed (${killed})`) };
  return { code: exitCode ?? 1, words: `exited ${exitCode ?? 1}`, crashed: false };
}

function judgeExit(done: Finished): Verdict {
  return notEvaluated(done) ?? (done.gate.expect === "pass" ? toPass(done) : toFail(done));
}

/** Rules that hold whichever way the command is expected to end; null: the checks were made. */
function notEvaluated({ gate, run, lines, code, words }: Finished): Verdict | null {
  const failures = run === null ? 0 : run.counts.failed + run.findings.length;
  if (code !== 0 && failures === 0) {
    const missing = missingTool(code, lines);
    if (missing !== null) return unknown("tool-missing", `${words}: ${missing}`);
  }
  if (run === null) {
    if (gate.parse === "auto" || gate.parse === "none") return null;
    return unknown("output-unreadable", unreadable(gate.parse, words, lines));
  }
  if (failures > 0 || run.counts.passed > 0) return null;
  const skipped = run.counts.skipped > 0 ? ` (${run.counts.skipped} skipped)` : "";
  return unknown("nothing-checked", `${run.counts.runner} ran no test${skipped}; it ${words}`);
}

function toPass({ gate, run, lines, code, words }: Finished): Verdict {
  if (code === 0 && run?.endsRed !== true) return { kind: "passed" };
  const found =
    run !== null && run.findings.length > 0
      ? run.findings
      : findingsFromOutput(gate.name, lines).filter((finding) => finding.message !== "");
  const own = { check: gate.name, message: `${words} without saying why` };
  if (code !== 0) return failed(found.length > 0 ? found : [own]);
  return failed([swallowed(gate, run), ...(run?.findings ?? [])]);
}

/** Test-first: the checks must run, and fail by themselves. */
function toFail(done: Finished): Verdict {
  const { gate, run, lines, code, words, crashed } = done;
  if (crashed) return unknown("nothing-checked", `the command ${words}; no check failed by itself`);
  if (run === null) {
    if (code === 0) return failed([expectedToFail(gate, "they passed (the command exited 0)")]);
    const broken = gate.parse === "none" ? null : neverLoaded(lines);
    if (broken === null) return { kind: "passed" };
    return unknown("nothing-checked", `the checks could not be loaded: ${broken}`);
  }
  if (code === 0 && run.endsRed) return failed([swallowed(gate, run)]);
  if (run.counts.failed - run.unloaded > 0 && code !== 0) return { kind: "passed" };
  const first = run.findings[0];
  if (run.unloaded > 0) {
    const which = first === undefined ? "" : `: ${first.check}: ${first.message}`;
    return unknown("nothing-checked", `no test failed; some could not be loaded${which}`);
  }
  return failed([expectedToFail(gate, `all ${run.counts.passed} passed (the command ${words})`)]);
}

function expectedToFail(gate: CommandGate, found: string): Finding {
  return { check: gate.name, message: `expected the checks to fail, ${found}` };
}

function swallowed(gate: CommandGate, run: RunOutput | null): Finding {
  const count = run?.counts.failed ?? 0;
  return {
    check: gate.name,
    message: `the command swallows its failures: it exited 0 although ${count} ${count === 1 ? "check" : "checks"} failed`,
  };
}

function failed(findings: readonly Finding[]): Verdict {
  return { kind: "failed", findings: bounded(findings) };
}

function unknown(why: UnknownWhy, detail: string): Verdict {
  return { kind: "unknown", why, detail: detail.slice(0, DETAIL_CHARS_MAX) };
}

function unreadable(parser: string, words: string, lines: readonly string[]): string {
  const last = lastWords(lines);
  return `the command ${words}, but its output is not that of ${parser}${last === "" ? "" : `: ${last}`}`;
}

const DETAIL_CHARS_MAX = 400;

function seconds(ms: number): string {
  return ms >= 1_000 ? `${Math.round(ms / 1_000)} s` : `${ms} ms`;
}
