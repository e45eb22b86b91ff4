// How is any gate run, so that there is always a verdict?

import { cp, realpath } from "node:fs/promises";
import { basename, isAbsolute, join, resolve, dirname } from "node:path";
import { existsSync } from "node:fs";

import { excerpt } from "../core/model/excerpt.ts";
import { NO_OUTPUT, unknown, type GateResult, type Verdict } from "../core/model/verdict.ts";
import { NO_WORDS, type PlaceWords, specOf } from "../core/model/measurement.ts";
import type { GateSpec, FileGate } from "../core/model/task.ts";
import type { GateRequest, Gates, Measured, OpenPlace, Places } from "../engine/ports.ts";
import { besideLog, shownName } from "./report-files.ts";
import { environmentAt, rootsOf } from "../adapters/environment.ts";
import { checkCommand, type CommandGateDeps, type CommandOutcome } from "./command-gate.ts";
import { OrchError } from "../errors.ts";
import { systemCode } from "../adapters/files/disk.ts";
import { pathInside } from "../adapters/files/small-file.ts";

const DETAIL_CHARS_MAX = 300;

export interface GatesDeps extends CommandGateDeps {
  /** Where commits are checked out for gates. */
  readonly places: Places;
}

/** The gates of a run. What goes wrong in orch itself is an unknown verdict. */
export function createGates(deps: GatesDeps): Gates {
  const underway = new Map<string, Promise<Measured>>();
  const turns = createTurns();
  return {
    measure: async (gate, request, signal) => {
      const { checkout, isBase } = request;
      const at = (logPath: string) => check(gate, { ...request, logPath }, deps, signal);
      const run = (): Promise<Measured> => undisturbed(at, request.logPath, turns, signal);
      if (!isBase || checkout === null) return run();
      // Tasks that begin at the same moment begin with the same commit; the later took no time of its own.
      const key = `${specOf(gate)} ${checkout.tree}`;
      const shared = underway.get(key);
      if (shared !== undefined)
        return shared.then((one) => ({ ...one, result: { ...one.result, elapsedMs: 0 } }));
      const running = run();
      underway.set(key, running);
      return running.finally(() => underway.delete(key));
    },
  };
}

/** Two gates may want the same port: one that is not green beside another is asked again alone. */
async function undisturbed(
  run: (logPath: string) => Promise<Measured>,
  logPath: string,
  turns: Turns,
  signal: AbortSignal,
): Promise<Measured> {
  const { result: first, hadCompany } = await turns.together(() => run(logPath));
  if (!hadCompany || first.result.verdict.kind === "passed" || signal.aborted) return first;
  const again = await turns.alone(() => run(besideLog(logPath, ".alone.log")));
  const elapsedMs = first.result.elapsedMs + again.result.elapsedMs;
  return { ...again, result: { ...again.result, elapsedMs } };
}

/** Where a gate's command runs. */
type CommandPlace = Omit<OpenPlace, "tmp"> & {
  /** Of this gate alone; null: that of everybody. */
  readonly tmp: string | null;
};

async function check(
  gate: GateSpec,
  request: GateRequest,
  deps: GatesDeps,
  signal: AbortSignal,
): Promise<Measured> {
  const startedMs = performance.now();
  let words: PlaceWords = NO_WORDS;
  const run = (place: CommandPlace): Promise<CommandOutcome> => {
    words = { notes: place.notes, stale: place.stale };
    return outcomeOf(gate, { request, place, deps }, signal);
  };
  const { checkout, cwd } = request;
  const tree = { root: cwd, tmp: null, ...NO_WORDS, broken: null, leftOut: new Set<string>() };
  const { named, ...outcome } = await (
    checkout === null ? run(tree) : deps.places.with(checkout, signal, run)
  ).catch(unknownAfter);
  const elapsedMs = Math.max(1, Math.round(performance.now() - startedMs));
  // Of a base without its packages on which no check passes nothing is known.
  const nonePasses = outcome.verdict.kind === "failed" && outcome.counts?.passed === 0;
  const bare = request.isBase && nonePasses ? words.stale : null;
  const verdict = bare === null ? outcome.verdict : unknown("not-installed", bare);
  const time = { elapsedMs, tookMs: elapsedMs };
  const result = { name: gate.name, required: gate.required, ...outcome, verdict, ...time };
  const checks = named.checks.map(({ name, state }) => ({ name: shownName(name), state }));
  return { result, by: named.by, checks, ...words };
}

interface CommandAt {
  readonly request: GateRequest;
  readonly place: CommandPlace;
  readonly deps: GatesDeps;
}

async function outcomeOf(
  gate: GateSpec,
  { request, place, deps }: CommandAt,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  if (signal.aborted) return withoutOutput(unknown("killed", "orch was told to stop"));
  const { root, tmp } = place;
  const { cwd, beside } = request;
  if (place.broken !== null && gate.kind === "command") return cannotRun(place.broken, request);
  const filter = (one: string): boolean => basename(one) !== ".git";
  for (const path of beside)
    await cp(join(cwd, path), join(root, path), { recursive: true, filter });
  if (gate.kind === "file-exists") return withoutOutput(await checkFile(gate, place));
  const from = [...new Set([...rootsOf(deps.root), ...rootsOf(request.cwd)])];
  const moved = environmentAt(deps.environment, from, root);
  const environment = tmp === null ? moved : { ...moved, ...FRESH, TMPDIR: tmp };
  // What was copied along may be named by the path that it has elsewhere.
  const roots = [...rootsOf(root), ...(tmp === null ? [] : [tmp, ...from])];
  const asked = { ...request, cwd: root, roots, write: tmp === null ? [] : [tmp] };
  const outcome = await checkCommand(gate, asked, { ...deps, environment }, signal);
  return request.isBase && tmp !== null ? withNeighbour(outcome, root, deps.root) : outcome;
}

/** Work of which what its gates need cannot be made is red; where that is so before the work, a person is asked. */
function cannotRun(why: string, { isBase }: GateRequest): CommandOutcome {
  if (isBase) return withoutOutput(unknown("not-run", why));
  const message = excerpt(why, DETAIL_CHARS_MAX);
  const findings = [{ check: "worktree.prepare", message }];
  const failed = withoutOutput({ kind: "failed", findings });
  return { ...failed, faults: [message], excerpt: why };
}

/** Whatever the work is: a folder that is missing beside the place is missing beside the work, too. */
function withNeighbour(outcome: CommandOutcome, place: string, checkout: string): CommandOutcome {
  const { verdict, excerpt } = outcome;
  if (verdict.kind !== "failed") return outcome;
  const printed = [excerpt, ...verdict.findings.map(({ message }) => message)].join("\n");
  const names = Array.from(printed.matchAll(OUTWARD), ([, name = ""]) => name);
  const isBeside = (root: string, name: string) => existsSync(join(dirname(root), name));
  const missed = names.find((name) => isBeside(checkout, name) && !isBeside(place, name));
  if (missed === undefined) return outcome;
  const detail = `it needs ../${missed}, which lies beside the checkout; name it in worktree.neighbours`;
  return { ...outcome, verdict: unknown("not-run", detail), faults: null };
}

/** As programs print a path that leads out of its repository; the first folder of it is what is missed. */
const OUTWARD = /(?:\.\.\/)+([\p{L}\p{N}_@][\p{L}\p{N}._@-]*)/gu;

/** Answers that task runners have kept are not taken for those of this commit. */
const FRESH = { TURBO_FORCE: "true", NX_SKIP_NX_CACHE: "true" };

function withoutOutput(verdict: GateResult["verdict"]): CommandOutcome {
  return { verdict, ...NO_OUTPUT, named: { by: "", checks: [] } };
}

/** Throws OrchError where the machine is at fault: that is no word on this gate alone. */
function unknownAfter(error: unknown): CommandOutcome {
  if (error instanceof OrchError && ["machine-fault", "disk-full"].includes(error.code))
    throw error;
  const words = error instanceof Error ? error.message : String(error);
  return withoutOutput(unknown("not-run", excerpt(words, DETAIL_CHARS_MAX)));
}

/**
 * Looks at the path itself; a link counts only where it leads to something inside the tree. Rejects
 * where it cannot be looked at: that is not known to be missing.
 */
export async function checkFile(gate: FileGate, place: CommandPlace): Promise<Verdict> {
  const { root: cwd, leftOut } = place;
  const path = resolve(cwd, gate.path);
  const inside = isAbsolute(gate.path) ? null : pathInside(cwd, path);
  if (inside === null) return missing(gate, "is outside the working tree");
  if (leftOut.has(inside)) return { kind: "passed" };
  const root = await realpath(cwd);
  const real = await realpath(path).catch(nullIfAbsent);
  if (real === null) return missing(gate, "does not exist");
  if (pathInside(root, real) === null) return missing(gate, "leads out of the working tree");
  return { kind: "passed" };
}

function nullIfAbsent(error: unknown): null {
  if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return null;
  throw error;
}

function missing(gate: FileGate, what: string): Verdict {
  return { kind: "failed", findings: [{ check: gate.path, message: `${gate.path} ${what}` }] };
}

type Turns = ReturnType<typeof createTurns>;

/** Gates run beside each other until one of them asks to be alone. */
export function createTurns() {
  const running = new Set<{ hadCompany: boolean; over: Promise<unknown> }>();
  let queue: Promise<unknown> = Promise.resolve();
  return {
    /** `hadCompany`: another one ran at some moment of it. */
    together: async <T>(run: () => Promise<T>) => {
      await queue;
      const turn = { hadCompany: running.size > 0, over: queue };
      for (const other of running) other.hadCompany = true;
      running.add(turn);
      const result = run();
      turn.over = result.catch(() => undefined).finally(() => running.delete(turn));
      return { result: await result, hadCompany: turn.hadCompany };
    },
    /** Waits until none runs, and none begins before it is through. */
    alone: <T>(run: () => Promise<T>): Promise<T> => {
      const turn = queue.then(() => Promise.all([...running].map(({ over }) => over))).then(run);
      queue = turn.catch(() => undefined);
      return turn;
    },
  };
}
