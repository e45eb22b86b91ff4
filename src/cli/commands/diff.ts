// What did a run, or one of its tasks, change?

import { readLog, requireLog } from "../../adapters/log/event-log.ts";
import { createRedactor } from "../../adapters/redact.ts";
import { ignoredIn, secretsIn } from "../../adapters/tree-secrets.ts";
import { idOf, type TaskId } from "../../core/model/ids.ts";
import type { RunState, TaskState } from "../../core/model/state.ts";
import { fold } from "../../core/run/reduce.ts";
import { OrchError } from "../../errors.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import type { Git } from "../../workspace/git/git.ts";
import { changedFiles, diffText } from "../../workspace/git/diff.ts";
import { printErr, printResult, styleOf, type CliIo, printOut, type Style } from "../io.ts";
import type { Command } from "../command-line/options.ts";
import { pickRunAndTask } from "./pick.ts";
import { taskOf } from "../../core/run/select.ts";

export const diffCommand: Command = async (args, given, io) => {
  if (given.json === true) {
    const { opened, git, work, commits, redact } = await workMeant(args, io);
    const files = await changedFiles(git, commits, redact);
    printResult(io, given, { run: opened.view.run, ...work, files }, () => "");
    return 0;
  }
  const text = await workText(args, styleOf(io, "stdout"), io, given.stat === true);
  if (text === "") printErr(io, "nothing was changed");
  else printOut(io, text);
  return 0;
};

/** As `orch diff` prints it; "": nothing was changed. */
export async function workText(
  args: readonly string[],
  { color, columns }: Pick<Style, "color" | "columns">,
  io: CliIo,
  stat = false,
): Promise<string> {
  const { commits, git, redact } = await workMeant(args, io);
  return diffText(git, commits, { redact, stat, color, columns });
}

async function workMeant(args: readonly string[], io: CliIo) {
  const { opened, task } = await pickRunAndTask(args, io);
  const git = await requireRepository(io);
  const { log } = opened.files;
  const { events } = requireLog(log, readLog(log));
  const work = meant(fold(events), task?.id ?? null);
  const redact = createRedactor(io.env, [], secretsIn(git.root, ignoredIn(events)));
  return { opened, git, work, commits: [work.from, work.to] as const, redact };
}

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

/** The repository that the command was called in. */
export async function requireRepository({ cwd, env }: CliIo): Promise<Git> {
  const git = await findRepository(cwd, env);
  if (git !== null) return git;
  throw new OrchError(
    "not-a-repository",
    `${JSON.stringify(cwd)} is in no git repository`,
    "run the command in the checkout that the run belongs to",
  );
}

interface Work {
  readonly from: string;
  readonly to: string;
}

/** What became part of the run so far; null: nothing did. */
function workOfRun({ run, merged }: RunState): Work | null {
  const to = merged.at(-1)?.commit;
  const from = run?.base?.commit;
  return to === undefined || from === undefined ? null : { from, to };
}

/** As it was merged; else up to its last checkpoint, or what was kept of it. null: it never began. */
function workOfTask(state: RunState, id: TaskId): Work | null {
  const at = state.merged.findIndex(({ task }) => task === id);
  if (at >= 0) {
    const from = state.merged[at - 1]?.commit ?? state.run?.base?.commit;
    const to = state.merged[at]?.commit;
    return from === undefined || to === undefined ? null : { from, to };
  }
  const task = taskOf(state, id);
  const { workspace } = task;
  const to = lastCommit(task);
  if (workspace === null || workspace.kind === "plain" || to === null) return null;
  // In place the user's own uncommitted work was there before.
  const before = checkpointsOf(task)[0] ?? workspace.base;
  return { from: workspace.kind === "in-place" ? before : workspace.base, to };
}

function lastCommit(task: TaskState): string | null {
  const { cursor, rescues } = task;
  const rescue = rescues.findLast(({ ref }) => ref.includes("/rescue-"))?.ref ?? null;
  const isLeft = cursor.at === "ended" && cursor.end.kind !== "done";
  return (isLeft ? rescue : null) ?? checkpointsOf(task).at(-1) ?? null;
}

function checkpointsOf({ steps }: TaskState): readonly string[] {
  return steps.flatMap(({ attempts }) =>
    attempts.flatMap(({ checkpoint, after }) =>
      [checkpoint, after].flatMap((one) => one?.commit ?? []),
    ),
  );
}
