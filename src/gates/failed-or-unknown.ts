// Does a command that failed before the work look at the work at all?

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { rootsOf } from "../adapters/environment.ts";
import { excerpt } from "../core/model/excerpt.ts";
import type { CommandGate } from "../core/model/task.ts";
import { unknown } from "../core/model/verdict.ts";
import type { GateRequest } from "../engine/ports.ts";
import type { CommandRun } from "./judge.ts";

/** What takes longer did not fail at once. */
export const AT_ONCE_MS = 10_000;
/** A line that its shell cannot read is no command. */
const READ_ONLY = 'exec /bin/sh -n -c "$ORCH_GATE_LINE"';
/** Lines that a shell has read: nothing of a tree changes that. */
const readable = new Set<string>();
/** What shells answer for a program that is not there, and for one that is none. */
const CANNOT_RUN = ["exited 126", "exited 127"];
const DETAIL_CHARS_MAX = 400;

interface Request extends GateRequest {
  readonly roots: readonly string[];
}

/**
 * The failure, or no verdict where the command fails whatever the tree holds: its shell cannot read it, or it
 * fails in the same way in an empty folder. There what is still to be written is missing, too, so the latter
 * counts only where the program crashed, or named an option that it was given.
 */
export async function failedOrUnknown<T extends Request>(
  failed: CommandRun,
  gate: CommandGate,
  request: T,
  run: (gate: CommandGate, request: T) => Promise<CommandRun>,
): Promise<CommandRun> {
  const unknownBecause = (how: string): CommandRun => {
    const [{ message } = { message: "" }] =
      failed.verdict.kind === "failed" ? failed.verdict.findings : [];
    const detail = excerpt(`${how}: ${message}`, DETAIL_CHARS_MAX);
    return { ...failed, verdict: unknown("not-run", detail), faults: null };
  };
  const isMute = failed.excerpt === "" && CANNOT_RUN.includes(failed.exit ?? "");
  if (isMute) return unknownBecause("as a shell says of a program that it cannot run");
  // An npx that may install would run something else than in the tree.
  const variables = { ...request.variables, ORCH_GATE_LINE: gate.run, npm_config_yes: "false" };
  const beside = { ...request, logPath: `${request.logPath}.beside`, variables };
  const brief = { ...gate, timeoutMs: AT_ONCE_MS };
  if (!readable.has(gate.run)) {
    const read = await run({ ...brief, run: READ_ONLY, proves: "check" }, beside);
    if (read.verdict.kind === "failed") return unknownBecause("the shell cannot read it");
    readable.add(gate.run);
  }
  if (!mayFailAnywhere(gate, failed)) return failed;
  const nowhere = await mkdtemp(join(tmpdir(), "orch-nowhere-"));
  try {
    const roots = [...rootsOf(nowhere), ...request.roots];
    const { exit, faults } = await run(brief, { ...beside, cwd: nowhere, roots });
    const isSame = exit === failed.exit && String(faults) === String(failed.faults);
    return isSame ? unknownBecause(`${exit ?? "ended"} in an empty folder, too`) : failed;
  } finally {
    await rm(nowhere, { recursive: true, force: true });
  }
}

function mayFailAnywhere(
  { run: line }: CommandGate,
  { exit, excerpt: lastWords }: CommandRun,
): boolean {
  const words = new Set(lastWords.split(WORD_ENDS));
  const options = line.split(WORD_ENDS).filter((word) => /^--?\w/.test(word));
  const isBroken = exit?.startsWith("crashed") === true || CANNOT_RUN.includes(exit ?? "");
  return isBroken || options.some((option) => words.has(option));
}

const WORD_ENDS = /[^\w-]+/;
