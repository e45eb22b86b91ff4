// How do an ended session and its gates become evidence and a decision?

import { invariant } from "../core/assert.ts";
import { decide, explain } from "../core/decide/decide.ts";
import type { Evidence } from "../core/evidence.ts";
import type { TaskId } from "../core/ids.ts";
import { historyOf, lastSession, policyOf } from "../core/select.ts";
import type { Outside } from "./outside.ts";
import { placeOf } from "./place.ts";
import type { Log } from "./log.ts";

/** Gathers first, then decides, then records both in one line; nothing happens because of it yet. */
export async function decideAttempt(id: TaskId, log: Log, outside: Outside): Promise<void> {
  const { task, step, attempt, workspace, at } = placeOf(log, id);
  const ended = lastSession(attempt)?.ended ?? null;
  invariant(ended !== null, "an attempt is judged after its session ended");
  const change = await outside.workspaces.change(workspace, attempt.checkpoint, step.allowWrite);
  const evidence: Evidence = {
    ending: ended.ending,
    report: ended.report,
    gates: attempt.gates,
    gatesDeclaredNone: step.gates.kind === "none",
    tree: change,
    usage: ended.usage,
    unasked: ended.unasked,
    at: { nowMs: outside.clock.nowMs(), dice: outside.clock.dice() },
  };
  const diff = await outside.workspaces.diff(workspace, attempt.checkpoint, change);
  await outside.files.keepEvidence(outside.files.attemptDir(at), evidence, diff);
  const history = historyOf(log.state, task);
  const policy = policyOf(log.state, task);
  await log.append({
    type: "decided",
    ...at,
    evidence,
    decision: decide(evidence, history, policy),
    explanation: explain(evidence, history, policy),
  });
}
