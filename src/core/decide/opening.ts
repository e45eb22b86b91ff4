// Is a task's own text clear enough to pay for a first session?

import type { Ask } from "../model/decision.ts";
import type { Level } from "../model/level.ts";
import type { GateResult } from "../model/verdict.ts";
import { addSignals, scoreAction, scoreCauses, uncertainWords } from "./uncertainty.ts";
import type { Policy } from "../model/policy.ts";
import type { Score, Signal } from "../model/signals.ts";
import { orchAsks } from "./rule.ts";

export type Opening =
  | { readonly kind: "begin" }
  /** Before anything is spent. */
  | { readonly kind: "ask"; readonly ask: Ask }
  | { readonly kind: "skip"; readonly reason: string };

/** A gate that proves nothing, whatever an agent does, is said before a session is paid for. */
export function needsPersonBefore(
  gate: string,
  { verdict }: GateResult,
  level: Level,
): Exclude<Opening, { kind: "begin" }> {
  const detail = verdict.kind === "unknown" ? verdict.detail : "";
  const runs = verdict.kind === "unknown" && verdict.why === "nothing-checked";
  const how = runs ? "leaves out all checks that there are" : "cannot run";
  const reason = `the gate ${gate} ${how}: ${detail}`;
  return level === 0
    ? { kind: "skip", reason }
    : { kind: "ask", ask: orchAsks("blocker", reason, []) };
}

/** Only a person's word could make it clearer: with nobody to ask, the task just begins. */
export function openingAction(
  before: Score,
  signals: readonly Signal[],
  { level, uncertainty }: Pick<Policy, "level" | "uncertainty">,
): Opening {
  const score = addSignals(before, signals, uncertainty);
  const action = scoreAction(score, uncertainty, level);
  if (signals.length === 0 || action.kind !== "ask") return { kind: "begin" };
  const context = scoreCauses(score.parts);
  return { kind: "ask", ask: orchAsks("guidance", uncertainWords(score.parts), context) };
}
