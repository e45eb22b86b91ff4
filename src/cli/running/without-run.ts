// What do gates say of a commit that no run made, measured as a run measures it?

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { OpenRun } from "../../adapters/log/event-store.ts";
import { runFiles } from "../../adapters/log/run-files.ts";
import { readTasks, tasksOf } from "../../adapters/project/task-source.ts";
import type { RunEvent, Workspace } from "../../core/model/event.ts";
import { idOf, type RunId } from "../../core/model/ids.ts";
import type { Taken } from "../../core/model/measurement.ts";
import type { ReportFinding } from "../../core/model/report.ts";
import { NO_OVERRIDES, type Settings } from "../../core/model/settings.ts";
import { silentEnd } from "../../core/model/session.ts";
import type { TaskState } from "../../core/model/state.ts";
import type { Task } from "../../core/model/task.ts";
import { fold } from "../../core/run/reduce.ts";
import { taskOf } from "../../core/run/select.ts";
import { actionIn } from "../../core/run/task-action.ts";
import { gatesToTry } from "../../core/run/wanted.ts";
import { perform } from "../../engine/act.ts";
import { Stop } from "../../engine/interrupt.ts";
import { Log } from "../../engine/log.ts";
import type { AgentDriver, EventStore, Ports } from "../../engine/ports.ts";
import { parseReport } from "../../schema/report-file.ts";
import { VERSION } from "../../version.ts";
import { createPinnedSettings } from "../../workspace/git/pinned-settings.ts";
import { createRedactor, tellingSecrets } from "../../adapters/redact.ts";
import { realPorts } from "./context.ts";
import { listen } from "./drive.ts";

export interface WithoutRun {
  /** The checkout's top folder. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** With the gates that are to be run. */
  readonly settings: Settings;
  /** null: there is no commit, and gates run in the folder itself. */
  readonly base: string | null;
  /** null: only the base is measured. */
  readonly work: {
    readonly base: Taken;
    readonly taken: Taken;
    readonly message: string;
  } | null;
  /** What earlier runs measured does not count. */
  readonly fresh: boolean;
  /** Gates that take too long are tried on sources that nothing can read, too. */
  readonly deep: boolean;
  readonly signal: AbortSignal;
  readonly recorded: (event: RunEvent) => void;
}

const BEFORE = ["open-task", "measure"];
const OF_WORK = "start-attempt run-session take-work take-mixed find-unheld decide".split(" ");

/**
 * A task that was worked on by nobody: its one session claims the work, which is then measured and decided on at level
 * 0, and nothing comes of that. No file, branch or log of the repository is touched.
 */
export async function measuredWithoutRun(what: WithoutRun): Promise<TaskState> {
  const task = taskFor(what);
  const stop = new Stop();
  const unlisten = listen(stop);
  const end = (): void => stop.end();
  what.signal.addEventListener("abort", end, { once: true });
  const folder = mkdtempSync(join(tmpdir(), "orch-prove-"));
  try {
    return await measuredIn(folder, task, what, stop);
  } finally {
    what.signal.removeEventListener("abort", end);
    unlisten();
    rmSync(folder, { recursive: true, force: true });
    // All is put away: it ends as if nobody had listened.
    if (stop.cause !== null) process.kill(process.pid, stop.cause);
  }
}

async function measuredIn(
  folder: string,
  task: Task,
  what: WithoutRun,
  stop: Stop,
): Promise<TaskState> {
  const files = runFiles(folder, idOf<RunId>("prove"));
  const { root, env, settings, work } = what;
  const place = { root, settings, level: null, prompts: {}, env: { ...env } };
  const pinnedGit = createPinnedSettings(null);
  const store = memoryStore();
  const secrets = [env, ...settings.agents.map((agent) => agent.env)].flatMap(tellingSecrets);
  const redact = createRedactor(env, [], secrets);
  const real = realPorts({ ...place, pinnedGit, redact, secrets }, { ...store, files, events: [] });
  const log = new Log(fold([]), store, {
    recorded: (events) => events.forEach(({ event }) => what.recorded(event)),
    activity: () => {},
  });
  const defined: RunEvent = { type: "task-defined", task, by: null, notHeeded: [] };
  try {
    await log.append(startedWith(what, files.id), defined);
    const kinds = work === null ? BEFORE : [...BEFORE, ...OF_WORK];
    const ports = portsFor(what, { ...real, stop });
    for (;;) {
      const state = taskOf(log.state, task.id);
      const action = actionIn(log.state, state);
      if (stop.signal.aborted || action === null || !kinds.includes(action.kind)) break;
      await perform(action, log, ports);
    }
    const long = what.deep ? gatesToTry(taskOf(log.state, task.id), "long") : [];
    for (const gate of long)
      await perform({ kind: "measure", task: task.id, of: "trial", gate }, log, ports);
    return taskOf(log.state, task.id);
  } finally {
    await real.places.close();
  }
}

function taskFor({ root, settings, work }: WithoutRun): Task {
  const source = { kind: "words", text: work?.message ?? "gates" } as const;
  const flags = { ...NO_OVERRIDES, level: 0 as const };
  const [task] = tasksOf(readTasks(source, { flags, environmentLevel: null, settings, root }));
  const steps = task?.steps.slice(-1).map((step) => ({ ...step, allowWrite: null, coach: null }));
  if (task === undefined || steps === undefined) throw new Error("words are one task");
  const uncertainty = { ...task.uncertainty, enabled: false };
  return { ...task, steps, uncertainty, proof: { ...task.proof, place: "own" } };
}

function startedWith({ settings: { runLimits: limits }, fresh }: WithoutRun, run: RunId): RunEvent {
  const source = { kind: "words", text: "" } as const;
  const how = { isolation: "none", autoCommit: false, limits, parallel: 1 } as const;
  const by = { pinned: { sha256: "", paths: [] }, orch: VERSION, node: process.version };
  const flags = { ...NO_OVERRIDES, fresh };
  return { type: "run-started", run, source, ...how, landing: "leave", base: null, flags, ...by };
}

type Real = ReturnType<typeof realPorts> & Pick<Ports, "stop">;

function portsFor({ root, base, work }: WithoutRun, real: Real): Ports {
  const { workspaces, bases, files } = real;
  const workspace: Workspace =
    base === null ? { kind: "plain", root } : { kind: "in-place", root, base };
  const claim = parseReport(JSON.stringify({ status: "completed", summary: work?.message ?? "" }));
  const report: ReportFinding = claim.ok
    ? claim.value
    : { kind: "unreadable", problems: claim.problems };
  return {
    ...real,
    agents: { driver: () => NOBODY },
    workspaces: {
      ...workspaces,
      plan: () => Promise.resolve(workspace),
      make: () => Promise.resolve({ notes: [], ignored: [] }),
      checkpoint: () =>
        Promise.resolve(
          work && { commit: work.base.commit, ref: work.base.commit, tree: work.base.tree },
        ),
      takeWork: () => Promise.resolve(work?.taken ?? null),
      changedPaths: () => Promise.resolve(null),
      rescue: () => Promise.resolve([]),
      remove: () => Promise.resolve(true),
    },
    bases: { ...bases, note: () => {} },
    files: {
      ...files,
      open: (where) => {
        const attemptDir = files.attemptDir(where);
        return Promise.resolve({ attemptDir, reportPath: attemptDir, planPath: attemptDir });
      },
      keepPrompt: () => Promise.resolve(),
      template: () => Promise.resolve(""),
      keepEvidence: () => Promise.resolve(),
      collectReport: () => Promise.resolve(report),
    },
    human: { present: false, ask: () => Promise.resolve(null) },
    prepared: null,
    source: { added: () => Promise.resolve({ tasks: [], unusable: [] }) },
    view: { recorded: () => {}, activity: () => {} },
    waits: false,
  };
}

const NOBODY: AgentDriver = {
  name: "nobody",
  abilities: { resumes: false, tellsSteps: false, asks: false, tellsCost: true },
  run: () => Promise.resolve(silentEnd({ kind: "finished" })),
};

function memoryStore(): EventStore & Pick<OpenRun, "events"> {
  let seq = 0;
  return {
    events: [],
    append: (events) =>
      Promise.resolve(
        events.map((event) => ({ seq: ++seq, epoch: 1, at: new Date().toISOString(), event })),
      ),
    inbox: () => Promise.resolve([]),
    clearInbox: () => Promise.resolve(),
    inboxChanged: () => Promise.resolve(),
    publishQuestion: () => Promise.resolve(),
  };
}
