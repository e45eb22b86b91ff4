// How does finished work get to where the user wants it?

import { invariant } from "../core/model/assert.ts";
import type { TaskId } from "../core/model/ids.ts";
import type { Landed, LandingIntent } from "../core/model/landing.ts";
import type { RunState, TaskState } from "../core/model/state.ts";
import type { GateResult } from "../core/model/verdict.ts";
import { gatesToPass, worseThanBefore } from "../core/run/merging.ts";
import { currentStep, lastAttempt, taskOf } from "../core/run/select.ts";
import { projectRun } from "../core/views/projection.ts";
import { proposalOf } from "../core/views/proposal.ts";
import { type Log, gatePath, variablesOf } from "./log.ts";
import type { Ports } from "./ports.ts";

/** Done again after a crash, it finds what was moved, pushed or opened the first time. */
export async function land(
  intent: LandingIntent,
  log: Log,
  ports: LandingPorts,
): Promise<Landed | null> {
  await log.append({ type: "landing-started", ...intent });
  const result = await carry(intent, log.state, ports);
  if (result !== null) await log.append({ type: "landed", of: intent.of, result });
  return result;
}

export type LandingPorts = Pick<Ports, "landing" | "gates" | "files" | "stop">;

/** null: the run is to stop, and goes on with this later. */
async function carry(
  intent: LandingIntent,
  state: RunState,
  ports: LandingPorts,
): Promise<Landed | null> {
  const base = state.run?.base ?? null;
  invariant(base !== null, "only work that is in git is landed");
  const { landing } = ports;
  const plan = await landing.plan(intent, base, messageFor(intent, state));
  switch (plan.kind) {
    case "contained":
      return { kind: "landed", commit: plan.commit, url: null };
    case "impossible":
      return { kind: "left", why: plan.why, next: null };
    case "forward":
    case "joined":
    case "conflict":
  }
  if (intent.how === "pull-request") return landing.propose(intent, base, wordsFor(state));
  if (plan.kind === "conflict") return left(intent, `it conflicts in ${named(plan.paths)}`);
  if (plan.kind === "joined") {
    const red = await redIn(plan.to, intent, state, ports);
    if (ports.stop.signal.aborted) return null;
    const both = `joined with what ${intent.branch} holds now`;
    if (red.length > 0) return left(intent, `${both}, ${red.join(", ")} does not pass`);
  }
  return landing.move(intent.branch, plan);
}

function left({ branch }: LandingIntent, why: string): Landed {
  return { kind: "left", why: `${why}; ${branch} was not touched`, next: null };
}

const PATHS_NAMED_MAX = 3;

function named(paths: readonly string[]): string {
  const more = paths.length - PATHS_NAMED_MAX;
  return `${paths.slice(0, PATHS_NAMED_MAX).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Gates of the last task that say worse of both sides together than they said of its work. */
async function redIn(
  commit: string,
  intent: LandingIntent,
  state: RunState,
  ports: LandingPorts,
): Promise<readonly string[]> {
  const task = lastTask(intent, state);
  const { gates, files, stop } = ports;
  const portBase = task.workspace?.kind === "worktree" ? task.workspace.portBase : 0;
  const tree = await ports.landing.tree(commit, portBase, stop.signal);
  try {
    const { step, at } = currentStep(task);
    const place = { task: task.task.id, step: step.id, attempt: lastAttempt(at)?.n ?? 0 };
    const { root: cwd } = tree.workspace;
    const variables = variablesOf(tree.workspace);
    const results: GateResult[] = [];
    for (const gate of gatesToPass(task)) {
      const logPath = gatePath(files, place, `${gate.name}.landed`);
      results.push(
        await gates.check(gate, { cwd, logPath, variables, isBase: false }, stop.signal),
      );
    }
    return worseThanBefore(task, results).map(({ name }) => name);
  } finally {
    await tree.remove();
  }
}

function lastTask({ of }: LandingIntent, state: RunState): TaskState {
  const id: TaskId | undefined = of ?? state.merged.at(-1)?.task;
  invariant(id !== undefined, "something was merged");
  return taskOf(state, id);
}

function messageFor({ of }: LandingIntent, state: RunState): string {
  const done = state.merged.map(({ task }) => taskOf(state, task).task);
  const [only] = of === null ? done : done.filter(({ id }) => id === of);
  const isOne = only !== undefined && (of !== null || done.length === 1);
  const what = isOne ? `${only.title} (${only.id})` : `${done.length} tasks of ${state.run?.id}`;
  return [`Merge ${what}`, "", `Orch-Run: ${state.run?.id}`].join("\n");
}

function wordsFor(state: RunState): ReturnType<typeof proposalOf> {
  const view = projectRun(state);
  invariant(view !== null, "a run that lands had begun");
  return proposalOf(view);
}
