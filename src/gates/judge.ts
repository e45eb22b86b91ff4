// What does a finished command say about the work?

import { constants } from "node:os";

import type { ProcessEnd } from "../adapters/process/process.ts";
import { assertNever } from "../core/model/assert.ts";
import type { NamedBy } from "../core/model/measurement.ts";
import { unknown } from "../core/model/verdict.ts";
import type { Finding, GateResult, Unknown, Verdict } from "../core/model/verdict.ts";
import type { CommandGate } from "../core/model/task.ts";
import { bounded, findingsOf, readOutput, withReport } from "../readers/failure/read-output.ts";
import type { OutputReading, Run } from "../readers/failure/read-output.ts";
import { faultOf } from "../readers/failure/normalise.ts";
import { formOf, readReport, type Report } from "../readers/tools/reports.ts";
import { lastWords } from "../readers/failure/error-lines.ts";
import {
  brokenTool,
  missingTool,
  neverLoaded,
  nothingChecked,
  notWritten,
} from "./unknown-words.ts";

export interface CommandRun extends Pick<GateResult, "verdict" | "counts" | "faults" | "excerpt"> {
  /** "exited 1", "crashed with SIGSEGV"; null: it did not end by itself. */
  readonly exit: string | null;
  /** Every check that was named, and by whom. */
  readonly named: NamedBy;
}

/** What is known of a command besides how it ended and what it printed. */
export interface Beside {
  /** The runner that the command ends in; null: none is known, or none is asked for. */
  readonly runner: string | null;
  readonly report: Report | null;
  /** Why the report that the gate names tells nothing. */
  readonly missing: Pick<Unknown, "why" | "detail"> | null;
}

const NOTHING: Beside = { runner: null, report: null, missing: null };

/**
 * The verdict, from how the command ended and what it printed. What kept the checks from being
 * made comes first, whatever the exit code says: unknown is never a pass and never a failure.
 */
export function judge(
  gate: CommandGate,
  end: ProcessEnd,
  output: string,
  beside: Beside = NOTHING,
): Omit<CommandRun, "excerpt"> {
  const text = readOutput(output, gate.proves === "check" ? "none" : gate.parse);
  const report = reportBeside(gate, text.run, beside) ?? printedReport(gate, text.run, output);
  const reading = report === null ? text : withReport(text, beside.runner ?? gate.name, report);
  const exit = howItExited(end, gate.timeoutMs);
  const { run } = reading;
  const judged = "kind" in exit ? exit : judgeExit({ gate, reading, run, beside, ...exit });
  const { counts = null, checks = [] } = run ?? {};
  const words = "kind" in exit ? null : exit.words;
  const named = { by: report === null ? `text of ${counts?.runner ?? "none"}` : "report", checks };
  if (!("findings" in judged)) return { verdict: judged, exit: words, counts, faults: null, named };
  const verdict = { kind: "failed", findings: bounded(judged.findings) } as const;
  return { verdict, exit: words, counts, faults: judged.faults, named };
}

/** null: there is none, or it names nothing where the text counts something. */
function reportBeside(gate: CommandGate, run: Run | null, { report }: Beside): Report | null {
  const isEmpty = report?.checks.length === 0 && (run?.counts.passed ?? 0) > 0;
  return isEmpty && gate.report === null ? null : report;
}

/** A report in place of words, as `jest --json` prints it; null: there is none, or the words say more. */
function printedReport({ parse, proves }: CommandGate, run: Run | null, output: string) {
  const at = output.search(/^(?:<\?xml|<testsuite|\{)/m);
  if (run !== null || at === -1 || parse !== "auto" || proves === "check") return null;
  const printed = output.slice(at);
  const form = formOf(printed);
  const report = form === null ? null : readReport(form, printed);
  return report?.ended === true ? report : null;
}

interface Finished {
  readonly gate: CommandGate;
  readonly reading: OutputReading;
  readonly run: Run | null;
  readonly beside: Beside;
  /** 0 is success. */
  readonly code: number;
  /** "exited 1", or the fault that ended the program. */
  readonly words: string;
  readonly crashed: boolean;
}

/** What makes up a failure, before it is bounded. */
interface Failed {
  readonly findings: readonly Finding[];
  readonly faults: readonly string[];
}

type Judged = Exclude<Verdict, { kind: "failed" }> | Failed;
type Exit = Pick<Finished, "code" | "words" | "crashed"> | Unknown;

/** Signals a program brings upon itself: the work is at fault, nobody ended the gate from outside. */
const FAULTS = ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS"];
const KILLS = ["SIGHUP", "SIGINT", "SIGKILL", "SIGTERM"];
/** As a shell reports them for its child. */
const BY_CODE = new Map(
  Object.entries(constants.signals).flatMap(([name, number]) =>
    [...FAULTS, ...KILLS].includes(name) ? [[128 + number, name]] : [],
  ),
);

function howItExited(end: ProcessEnd, timeoutMs: number): Exit {
  if (end.kind === "not-started") {
    const why = end.why === "program-missing" ? "tool-missing" : "not-run";
    return unknown(why, `the command could not be started: ${end.detail}`);
  }
  switch (end.cause) {
    case "aborted":
    case "unguarded":
      return unknown("killed", "orch was told to stop while the command ran");
    case "timed-out":
    case "idle":
      return unknown("timed-out", `no end within ${timeoutMs / 1_000} s`);
    case "self":
      return bySelf(end.exitCode, end.signal);
    default:
      return assertNever(end.cause, "cause of a process's end");
  }
}

function bySelf(exitCode: number | null, signal: string | null): Exit {
  const name = signal ?? (exitCode === null ? "an unknown signal" : BY_CODE.get(exitCode));
  if (name === undefined)
    return { code: exitCode ?? 1, words: `exited ${exitCode}`, crashed: false };
  if (FAULTS.includes(name)) return { code: 1, words: `crashed with ${name}`, crashed: true };
  return unknown("killed", `the command was killed (${name})`);
}

function judgeExit(done: Finished): Judged {
  return unknownEitherWay(done) ?? (done.gate.expect === "pass" ? toPass(done) : toFail(done));
}

/** Rules that hold whichever way the command is expected to end; null: the checks were made. */
function unknownEitherWay(done: Finished): Unknown | null {
  const { gate, reading, run, code, words, beside } = done;
  const failures = run === null ? 0 : run.counts.failed + run.failures;
  if (code !== 0 && failures === 0) {
    const missing = missingTool(code, reading.lines);
    if (missing !== null) return unknown("tool-missing", `${words}: ${missing}`);
    const toWrite = notWritten(reading.lines);
    if (toWrite !== null) return unknown("nothing-checked", `${words}: ${toWrite}`);
  }
  if (beside.missing !== null && (code === 0 || gate.expect === "fail"))
    return unknown(beside.missing.why, `${beside.missing.detail}; the command ${words}`);
  const broken = run === null && beside.runner !== null ? brokenTool(reading.lines) : null;
  if (code !== 0 && broken !== null) return unknown("tool-missing", `${words}: ${broken}`);
  if (run === null) return unknownWithoutCounts(done);
  const isRed = failures > 0 && (code !== 0 || run.endsRed || run.counts.failed > 0);
  if (isRed || run.counts.passed > 0) return null;
  const skipped = run.counts.skipped > 0 ? ` (${run.counts.skipped} skipped)` : "";
  return unknown("nothing-checked", `${run.counts.runner} ran no test${skipped}; it ${words}`);
}

const HINT = 'name the file of its report under "report", or say kind: "check"';

/** Where no runner summed up; null: the exit code is all there is. */
function unknownWithoutCounts({ gate, reading, code, words, beside }: Finished): Unknown | null {
  if (gate.parse === "none" || gate.proves === "check") return null;
  if (gate.parse !== "auto") {
    const last = lastWords(reading.lines);
    const detail = `the command ${words}, but its output does not look like that of ${gate.parse}`;
    return unknown("output-unreadable", last === "" ? detail : `${detail}: ${last}`);
  }
  if (code !== 0) return null;
  const nothing = nothingChecked(reading.lines);
  if (nothing !== null) return unknown("nothing-checked", `the command ${words}: ${nothing}`);
  if (beside.runner === null) return null;
  const detail = `the command ${words}, and ${beside.runner} did not say what it checked`;
  return unknown("nothing-checked", `${detail}; ${HINT}`);
}

function toPass({ gate, reading, run, code, words }: Finished): Judged {
  if (code === 0 && run?.endsRed !== true) return { kind: "passed" };
  if (code === 0) return because(gate, swallowed(run?.counts.failed ?? 0), reading);
  const findings = findingsOf(gate.name, reading).filter(({ message }) => message !== "");
  if (findings.length === 0) return because(gate, `${words} without saying why`, reading);
  return { findings, faults: reading.faults };
}

/** Test-first: the checks must run, and fail by themselves. */
function toFail(done: Finished): Judged {
  const { gate, reading, run, code, words, crashed } = done;
  if (crashed) return unknown("nothing-checked", `the command ${words}; no check failed by itself`);
  if (run === null) {
    const passed = "expected the checks to fail, they passed (the command exited 0)";
    if (code === 0) return because(gate, passed);
    const broken = gate.parse === "none" ? null : neverLoaded(reading.lines);
    if (broken === null) return { kind: "passed" };
    return unknown("nothing-checked", `the checks could not be loaded: ${broken}`);
  }
  if (code === 0 && run.endsRed) return because(gate, swallowed(run.counts.failed));
  if (run.counts.failed - run.unloaded > 0 && code !== 0) return { kind: "passed" };
  if (run.unloaded > 0) {
    const [first] = findingsOf(gate.name, reading);
    const which = first === undefined ? "" : `: ${first.check}: ${first.message}`;
    return unknown("nothing-checked", `no test failed; some could not be loaded${which}`);
  }
  const passed = `all ${run.counts.passed} passed (the command ${words})`;
  return because(gate, `expected the checks to fail, ${passed}`);
}

/** A failure for a reason of orch's own, and for what the output says beside it. */
function because(
  { name }: CommandGate,
  message: string,
  reading: OutputReading | null = null,
): Failed {
  const named = reading === null ? [] : findingsOf(name, reading);
  return {
    findings: [{ check: name, message }, ...named],
    faults: [faultOf(message), ...(reading?.faults ?? [])],
  };
}

function swallowed(count: number): string {
  const checks = count === 1 ? "check" : "checks";
  return `the command swallows its failures: it exited 0 although ${count} ${checks} failed`;
}
