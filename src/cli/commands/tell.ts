// How does a person say something to a task that nobody asked for?

import { currentOwner } from "../../adapters/log/owner.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import { requireRuns } from "../../adapters/log/run-reader.ts";
import { writeRequest } from "../../adapters/people/inbox.ts";
import { createRedactor } from "../../adapters/redact.ts";
import { firstOf } from "../../core/model/excerpt.ts";
import { idOf, type RunId, type TaskId } from "../../core/model/ids.ts";
import type { TaskView } from "../../core/views/run-view.ts";
import { OrchError } from "../../errors.ts";
import { usage, type Command } from "../command-line/options.ts";
import { printResult } from "../io.ts";
import { hanging } from "../layout.ts";
import { endWords } from "../render/facts.ts";
import { userName } from "../running/at-terminal.ts";
import { eventsOnceTaken } from "./answer.ts";
import { refuseInsideSession } from "./inside-session.ts";
import { isTaken, pickRunAndTask, type PickedRun } from "./pick.ts";

export const tellCommand: Command = async (args, given, io) => {
  const here = requireRuns(io.cwd);
  refuseInsideSession(io.env, "orch tell", here.root);
  const text = args.at(-1)?.trim() ?? "";
  const isAlive = (run: RunId) => isTaken(currentOwner(runFiles(here.root, run).folder));
  const run = given.run ?? here.runs.find(isAlive);
  const named = [run, args.length > 1 ? args[0] : undefined].filter((name) => name !== undefined);
  const { opened, task } = await pickRunAndTask(named, io);
  const { id } = openOne(task, opened);
  const { files } = opened;
  const remark = { task: idOf<TaskId>(id), text, by: `orch tell (${userName()})` };
  const request = writeRequest(files.inbox, { kind: "tell", remark });
  const runIsAlive = isAlive(files.id);
  const events = runIsAlive ? await eventsOnceTaken(files.log, request) : [];
  const taken = events.find((one) => one.type === "person-spoke" && one.inbox === request.id);
  const way = taken?.type === "person-spoke" ? taken.way : null;
  if (way === "too late") throw overAlready(`the task ${id} has ended`);
  const echo = createRedactor(io.env)(text);
  const shown = { run: files.id, task: id, text: echo, request: request.id, runIsAlive, way };
  const later = runIsAlive
    ? "the run is busy, and takes it soon"
    : `next: orch resume ${opened.id}`;
  printResult(io, given, shown, (style) => {
    const lines = [`for ${id}: ${echo}`, way === null ? later : GOES[way]];
    return lines.map((line) => hanging(style, line)).join("\n");
  });
  return 0;
};

const GOES = {
  "at once": "the agent gets it while it works",
  "next prompt": "it stands in the task's next prompt, if it needs one",
} as const;

const LISTED_MAX = 5;

/** The task that was named, else the one at work, else the one that is left. */
function openOne(named: TaskView | null, { view, id }: PickedRun): TaskView {
  if (named?.end) throw overAlready(`the task ${named.id} has ended: ${endWords(named.end)}`);
  const open = view.tasks.filter(({ end }) => end === null);
  const begun = open.filter(({ startedAt }) => startedAt !== null);
  const [first, ...others] = begun.length > 0 ? begun : open;
  if (first === undefined) throw overAlready(`all tasks of run ${id} have ended`);
  if (named !== null || others.length === 0) return named ?? first;
  const ids = [first, ...others].map((task) => task.id);
  const all = `${ids.length} tasks of run ${id} could be meant: ${firstOf(ids, LISTED_MAX)}`;
  throw usage(all, `name one: orch tell ${first.id} "…"`);
}

function overAlready(message: string): OrchError {
  return new OrchError("run-ended", message, "nobody reads it any more; start another run");
}
