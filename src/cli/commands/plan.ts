// What would `orch run` do, and what would its agents be told? Nothing is spent, and no run is made.

import { repositoryRoot } from "../../adapters/project/config-loader.ts";
import { promptIn } from "../../adapters/project/templates.ts";
import { firstPrompt } from "../../core/run/first-session.ts";
import { waves } from "../../core/run/waves.ts";
import type { GateSpec, Step, Task } from "../../core/model/task.ts";
import { treesFolder } from "../../workspace/places.ts";
import type { RunPlace } from "../context.ts";
import { type CliIo, printResult } from "../io.ts";
import { type Given, parallelGiven } from "../options.ts";
import type { ReadyTasks } from "../preflight.ts";
import { type PlannedTask, renderPlan, type TaskDetails } from "../render/plan.ts";

export function showPlan(
  { tasks, notes }: ReadyTasks,
  place: RunPlace,
  given: Given,
  io: CliIo,
): number {
  const { settings } = place;
  const isolation = given.isolation ?? settings.git.isolation;
  const isInPlace = isolation === "none" || repositoryRoot(io.cwd) === null;
  const parallel = isInPlace ? 1 : (parallelGiven(given) ?? settings.parallel);
  const isWhole = given.json === true || given.verbose === true;
  const plan = {
    parallel,
    waves: waves(tasks, parallel).map((wave) =>
      wave.map(({ task, why }): PlannedTask => {
        const { id, title, source, scope, dependsOn } = task;
        const file = source.kind === "file" ? source.path : null;
        const details =
          given.dryRun === true ? detailsOf(task, place, { isInPlace, isWhole }) : null;
        return { id, title, file, scope, dependsOn, why, details };
      }),
    ),
    notes: isInPlace && tasks.length > 1 ? [...notes, ONE_TREE] : notes,
  };
  printResult(io, given, plan, (style) => renderPlan(plan, style));
  return 0;
}

const ONE_TREE = "the tasks share one tree, so they run one at a time";

interface How {
  readonly isInPlace: boolean;
  /** With what every prompt says alike. */
  readonly isWhole: boolean;
}

/** Each session has a folder of its own, which is named when it begins. */
const SESSION = ".orch/session/<token>";
const PATHS = { reportPath: `${SESSION}/report.json`, planPath: `${SESSION}/plan.md` };
const CONTRACT = "[how to report: the same in every prompt; `--verbose` shows it]";

function detailsOf(task: Task, place: RunPlace, { isInPlace, isWhole }: How): TaskDetails {
  const { root, settings, env, redact, prompts } = place;
  const prompt = firstPrompt(task, PATHS, (name) =>
    name === "report-contract" && !isWhole ? CONTRACT : promptIn(prompts, name),
  );
  return {
    place: isInPlace
      ? { kind: "in-place", folder: root }
      : {
          kind: "worktree",
          below: treesFolder(settings.worktree.root, env),
          branch: `${settings.git.branchPrefix}${task.id}`,
        },
    steps: task.steps.map((step) => ({ ...step, gates: gatesOf(step, redact) })),
    prompt: redact(prompt),
  };
}

function gatesOf({ gates }: Step, redact: RunPlace["redact"]): readonly GateSpec[] {
  const all = gates.kind === "none" ? [] : gates.gates;
  return all.map((gate) => (gate.kind === "command" ? { ...gate, run: redact(gate.run) } : gate));
}
