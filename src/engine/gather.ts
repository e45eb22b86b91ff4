// How do an ended session and its gates become evidence and a decision?

import { invariant } from "../core/model/assert.ts";
import { decideExplained } from "../core/decide/decide.ts";
import type { RunEvent } from "../core/model/event.ts";
import type { Evidence } from "../core/model/evidence.ts";
import type { TaskId } from "../core/model/ids.ts";
import { crossingsOf, fenceOf, refusedChanges, refusedSettings } from "../core/run/scopes.ts";
import { historyOf } from "../core/run/history-of.ts";
import { currentStep, lastSession, policyOf } from "../core/run/select.ts";
import { readEvidence } from "../readers/read-evidence.ts";
import type { Ports } from "./ports.ts";
import { placeOf, type Place, type Log } from "./log.ts";
import type { WriteFence } from "./ports-tree.ts";
import { provingEvidence } from "./prove.ts";

/** Gathers first, then decides, then records both in one line; nothing happens because of it yet. */
export async function decideAttempt(id: TaskId, log: Log, ports: Ports): Promise<void> {
  const place = placeOf(log, id);
  const { task, attempt, workspace, at } = place;
  const evidence = await evidenceOf(place, ports);
  const history = historyOf(log.state, task);
  const policy = policyOf(log.state, task);
  // What orch itself stopped is no evidence; it is gathered again when the run goes on.
  if (ports.stop.signal.aborted) return;
  const diff = await ports.workspaces.diff(workspace, attempt.checkpoint, evidence.tree);
  await ports.files.keepEvidence(ports.files.attemptDir(at), evidence, diff);
  const crossed = crossingsOf(log.state, task, evidence.tree).map(
    ({ into: peer, paths }): RunEvent => ({ type: "scope-crossed", ...at, peer, paths }),
  );
  const settings = refusedSettings(log.state, await ports.workspaces.changedSettings());
  const paths = [...refusedChanges(log.state, task, evidence.tree), ...settings];
  const refused: readonly RunEvent[] =
    paths.length === 0 ? [] : [{ type: "task-change-refused", task: id, paths }];
  await log.append(...crossed, ...refused, {
    type: "decided",
    ...at,
    evidence,
    ...decideExplained(evidence, history, policy),
  });
}

async function evidenceOf(place: Place, ports: Ports): Promise<Evidence> {
  const { step, attempt, workspace } = place;
  const ended = lastSession(attempt)?.ended ?? null;
  invariant(ended !== null, "an attempt is judged after its session ended");
  const { ending, report, trace, plan, usage } = ended;
  const tree = await ports.workspaces.change(workspace, attempt.checkpoint, writeFence(place));
  const gathered = {
    ending,
    report,
    gates: attempt.gates,
    gatesDeclaredNone: step.gates.kind === "none",
    tree,
    trace,
    plan,
    ...(await provingEvidence(place, tree, ports)),
    usage,
    at: { nowMs: ports.clock.nowMs(), zone: ports.clock.zone, dice: ports.clock.dice() },
  };
  return { ...gathered, readings: readEvidence(gathered) };
}

function writeFence({ task }: Place): WriteFence {
  const { attempts } = currentStep(task).at;
  const strayed = attempts.flatMap(({ outcome }) => {
    const tree = outcome?.evidence.tree;
    return tree?.kind === "measured" ? [...tree.outside, ...tree.outOfScope] : [];
  });
  return { ...fenceOf(task), start: attempts[0]?.checkpoint ?? null, strayed };
}
