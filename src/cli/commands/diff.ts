// What did a run, or one of its tasks, change?

import { createRedactor } from "../../adapters/redact.ts";
import { idOf, type TaskId } from "../../core/model/ids.ts";
import type { RunState } from "../../core/model/state.ts";
import { workOfRun, workOfTask, type Work } from "../../core/views/work.ts";
import { OrchError } from "../../errors.ts";
import { changedFiles, diffText } from "../../workspace/show-diff.ts";
import { printErr, printResult, styleOf } from "../io.ts";
import type { Command } from "../options.ts";
import { printPaged } from "../pager.ts";
import { requireRepository, stateOf } from "../repository.ts";
import { pickRunAndTask } from "./pick.ts";

export const diffCommand: Command = async (args, given, io) => {
  const { opened, task } = await pickRunAndTask(args, io);
  const git = await requireRepository(io);
  const redact = createRedactor(io.env);
  const work = meant(stateOf(opened.files), task?.id ?? null);
  const commits = [work.from, work.to] as const;
  if (given.json === true) {
    const files = await changedFiles(git, commits, redact);
    printResult(io, given, { run: opened.view.run, ...work, files }, () => "");
    return 0;
  }
  const { color, columns } = styleOf(io, "stdout");
  const diff = await diffText(git, commits, { redact, stat: given.stat === true, color, columns });
  if (diff === "") printErr(io, "nothing was changed");
  else await printPaged(io, diff);
  return 0;
};

/** Before anything was merged, the work of a run's only task is what a person means. */
function meant(state: RunState, id: string | null): Work & { readonly task: TaskId | null } {
  const ofRun = id === null ? workOfRun(state) : null;
  if (ofRun !== null) return { ...ofRun, task: null };
  const begun = state.tasks.filter(({ task }) => (id === null ? true : task.id === id));
  const works = begun.flatMap(({ task }) => {
    const work = workOfTask(state, task.id);
    return work === null ? [] : [{ ...work, task: task.id }];
  });
  const [first] = works;
  if (first !== undefined && works.length === 1) return first;
  const run = state.run?.id ?? idOf("run");
  if (first === undefined)
    throw new OrchError(
      "run-unknown",
      id === null ? `run ${run} has changed nothing yet` : `${id} has changed nothing yet`,
      "`orch status` says where it stands; outside a git repository nothing is measured",
    );
  throw new OrchError(
    "task-missing",
    `nothing of run ${run} is merged yet, and ${works.length} tasks have work of their own`,
    `name one: ${works.map(({ task }) => `orch diff ${task}`).join(", ")}`,
  );
}
