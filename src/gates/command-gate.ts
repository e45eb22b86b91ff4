// Does the gate's command say that the work is right?

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";

import { quietEnvironment } from "../adapters/environment.ts";
import { BoundedLog } from "../adapters/files/bounded-log.ts";
import { readFileBounded } from "../adapters/files/small-file.ts";
import type { Confine } from "../adapters/process/confine.ts";
import { runProcess, type ProcessRequest } from "../adapters/process/process.ts";
import type { Redact } from "../adapters/redact.ts";
import { CUT, type NamedBy } from "../core/model/measurement.ts";
import { machineRemedy } from "../core/model/machine.ts";
import type { CommandGate } from "../core/model/task.ts";
import { type GateResult, unknown } from "../core/model/verdict.ts";
import type { GateRequest } from "../engine/ports.ts";
import { OrchError, THEN_RESUME } from "../errors.ts";
import { tailOf } from "../readers/failure/read-output.ts";
import type { Asked } from "../readers/tools/asking.ts";
import { judge, type CommandRun } from "./judge.ts";
import { prepareReport, readReports, reportFolder } from "./report-files.ts";

export interface CommandGateDeps {
  /** Of every gate, without the agents' keys, as it is in the checkout. */
  readonly environment: Readonly<Record<string, string>>;
  /** The user's checkout. */
  readonly root: string;
  readonly confine: Confine;
  /** Takes secrets out of text that is written or shown. */
  readonly redact: Redact;
}

export interface CommandOutcome extends Omit<
  GateResult,
  "name" | "required" | "elapsedMs" | "tookMs"
> {
  readonly named: NamedBy;
}

export interface CommandRequest extends GateRequest {
  /** What the working tree is called: where it happens to stand identifies no failure. */
  readonly roots: readonly string[];
  /** Folders besides its own where it may write. */
  readonly write: readonly string[];
}

/**
 * Runs the command, again after an unknown or a failed verdict as often as the gate allows. The original checks
 * are asked twice in any case before they accuse.
 *
 * Checks that are expected to fail are not run until they do: that would take an unreliable test
 * for the proof that something is missing.
 */
export async function checkCommand(
  gate: CommandGate,
  request: CommandRequest,
  deps: CommandGateDeps,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  const retries = Math.max(gate.failedRetries, request.isOriginal ? 1 : 0);
  const left = { unknown: gate.retries, failed: gate.expect === "pass" ? retries : 0 };
  let failure: CommandRun | null = null;
  for (let run = 1; ; run++) {
    const whole = await runOnce(gate, request, deps, signal);
    const last: CommandRun = request.isBase ? redOrBroken(whole, gate) : whole;
    const { kind } = last.verdict;
    if (kind === "failed") failure ??= last;
    if (kind === "passed" || left[kind] === 0 || signal.aborted) {
      const { exit: _, ...outcome } = together(failure, last);
      return outcome;
    }
    left[kind] -= 1;
    // The earlier run's log stays beside the last one's, where it could be written.
    await rename(request.logPath, `${request.logPath}.run-${run}`).catch(() => undefined);
  }
}

/** A run that was cut short takes nothing back of what a whole one found. */
function together(failure: CommandRun | null, last: CommandRun): CommandOutcome & CommandRun {
  const flakyFindings = failure?.verdict.kind === "failed" ? failure.verdict.findings : [];
  if (failure !== null && last.verdict.kind === "passed")
    return { ...last, flaky: true, flakyFindings };
  const decisive = failure !== null && last.verdict.kind === "unknown" ? failure : last;
  return { ...decisive, flaky: false, flakyFindings: [] };
}

const STOP_GRACE_MS = 5_000;

/** Before the work a command that can never run is told from one that is red. */
function redOrBroken(run: CommandRun, { run: line }: CommandGate): CommandRun {
  const { verdict, counts, exit } = run;
  if (verdict.kind !== "failed" || counts !== null || !isBroken(line, run)) return run;
  const detail = `${exit ?? "ended"}: ${verdict.findings[0]?.message ?? ""}`;
  return { ...run, verdict: unknown("not-run", detail), faults: null };
}

/** What shells answer for a program that is none, and for one that is not there. */
const CANNOT_RUN: readonly string[] = ["exited 126", "exited 127"];
/** As a shell says of a line that is none; of a script it names the file. */
const UNREADABLE = /^(?:\/bin\/)?sh: (?:-c: )?(?:line )?\d+: syntax error\b/im;

/** Also one that refuses an option which its line gives it. */
function isBroken(line: string, { exit, excerpt }: CommandRun): boolean {
  const words = new Set(excerpt.split(WORD_ENDS));
  const isNamed = (word: string): boolean => /^--?\w/.test(word) && words.has(word);
  const isRefused = REFUSED.test(excerpt) && line.split(WORD_ENDS).some(isNamed);
  return isRefused || CANNOT_RUN.includes(exit ?? "") || UNREADABLE.test(excerpt);
}

const WORD_ENDS = /[^\w-]+/;

/** As old and changed runners say that they do not know what they were asked for. */
const REFUSED =
  /\b(?:unknown|unrecogni[sz]ed|invalid|unexpected|bad|no such) (?:options?|arguments?|flags?)\b/i;

/** A runner that does not know how to report runs as it was written. */
async function runOnce(
  gate: CommandGate,
  request: CommandRequest,
  deps: CommandGateDeps,
  signal: AbortSignal,
): Promise<CommandRun> {
  const asked = prepareReport(gate, request, quietEnvironment(deps.environment));
  const run = await runAsked(gate, { ...request, asked }, deps, signal);
  if (asked.line === gate.run || run.verdict.kind === "passed" || !REFUSED.test(run.excerpt))
    return run;
  const plain = { ...asked, line: gate.run, env: {}, reports: [] };
  return runAsked(gate, { ...request, asked: plain }, deps, signal);
}

interface AskedRequest extends CommandRequest {
  readonly asked: Asked;
}

async function runAsked(
  gate: CommandGate,
  request: AskedRequest,
  deps: CommandGateDeps,
  signal: AbortSignal,
): Promise<CommandRun> {
  const { asked, cwd, logPath, roots } = request;
  const log = new BoundedLog(logPath, deps.redact);
  const startedAtMs = Date.now();
  const end = await runProcess(processOf(gate, request, deps, log), signal);
  const output = log.close();
  if (end.kind === "not-started" && end.why === "machine") throw notJudged(gate, end.detail);
  const clean = (text: string): string => withoutRoots(deps.redact(text), roots);
  const beside = readReports(gate, asked, { cwd, logPath, startedAtMs, clean });
  const read = judge(gate, end, withoutRoots(output, roots), beside);
  const excerpt = tailOf(output);
  const missing = read.verdict.kind === "passed" ? null : notInstalled(excerpt, cwd, gate.run);
  const judged = missing === null ? read : { ...read, verdict: missing, faults: null };
  if (log.isWhole || beside.report !== null) return { ...judged, excerpt };
  return { ...judged, named: { by: CUT, checks: [] }, excerpt };
}

function processOf(
  gate: CommandGate,
  { asked, cwd, logPath, variables, write: folders }: AskedRequest,
  { confine, environment }: CommandGateDeps,
  log: BoundedLog,
): ProcessRequest {
  const env = { ...quietEnvironment(environment), ...variables, ...asked.env };
  const write = [reportFolder(logPath), ...folders];
  return {
    program: { kind: "shell", line: asked.line },
    confinement: confine({ who: "check", cwd, env, write }),
    cwd,
    env,
    marker: `gate-${randomUUID()}`,
    timeoutMs: gate.timeoutMs,
    stop: [{ signal: "SIGTERM", graceMs: STOP_GRACE_MS }],
    onStdout: (chunk) => log.write("stdout", chunk),
    onStderr: (chunk) => log.write("stderr", chunk),
  };
}

function notJudged({ name }: CommandGate, short: string): OrchError {
  return new OrchError(
    "machine-fault",
    `gate "${name}" could not be started, which says nothing of the work: ${short}`,
    `${machineRemedy(short) ?? "free what it is short of"}, ${THEN_RESUME}`,
  );
}

/** Paths as the task sees them. */
function withoutRoots(output: string, roots: readonly string[]): string {
  return roots.reduce(
    (rest, root) => rest.replaceAll(`file://${root}/`, "").replaceAll(`${root}/`, ""),
    output,
  );
}

const NEW_VENV = "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt";

/** Where packages lie, what lists them, and what puts them there. */
const INSTALLS = [
  ["node_modules", "pnpm-lock.yaml", "pnpm install"],
  ["node_modules", "yarn.lock", "yarn install"],
  ["node_modules", "bun.lock", "bun install"],
  ["node_modules", "package-lock.json", "npm install"],
  ["node_modules", "package.json", "npm install"],
  [".venv", "uv.lock", "uv sync"],
  [".venv", "poetry.lock", "poetry install"],
  [".venv", "requirements.txt", NEW_VENV],
] as const;

/** As shells, Node, npm and Python say which program or package is not there. */
const MISSING =
  /([\w./-]+): (?:command )?not found|(?:Cannot find (?:module|package) '|No module named '?|missing packages.*?\[")((?:@[\w.-]+\/)?[\w-]+)/g;

/** A key, a name with its version, or all of a line: no word of a script. */
const LISTED = /(?<=name = ")[\w.-]+|[\w@/-]+(?="?\s*[:@=<>~!;[]|\s*$)/gm;

const LIST_BYTES_MAX = 16 * 1024 * 1024;

/** null: the folder of packages is there, or what the gate misses stands in no list of the project. */
function notInstalled(output: string, cwd: string, line: string) {
  const folder = join(cwd, /^cd (\S+) && /.exec(line)?.[1] ?? "");
  const missing = [...output.matchAll(MISSING)].map(([, program, name = program]) => name ?? "");
  const isThere = (name: string): boolean => [folder, cwd].some((at) => existsSync(join(at, name)));
  for (const [packages, list, install] of missing.length === 0 ? [] : INSTALLS) {
    const read = readFileBounded(join(folder, list), LIST_BYTES_MAX, "followed");
    if (read.kind !== "read" || isThere(packages)) continue;
    const listed = new Set(read.text.match(LISTED));
    const first = missing.find((name) => listed.has(name) || name.startsWith(`${packages}/`));
    if (first !== undefined) return unknown("not-installed", `no ${first}; run \`${install}\``);
  }
  return null;
}
