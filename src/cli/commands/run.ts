// How does `orch run` begin?

import { repositoryRoot } from "../../adapters/files/small-file.ts";
import { loadConfig, loadConfigOrDetect } from "../../adapters/project/config-loader.ts";
import { createRun, type OpenRun } from "../../adapters/log/event-store.ts";
import { newRunId } from "../../adapters/log/run-files.ts";
import { systemClock } from "../../adapters/system-clock.ts";
import { runSourceOf, storedPath } from "../../adapters/project/task-argument.ts";
import { taskSource } from "../../adapters/project/task-source.ts";
import type { LandingHow } from "../../core/model/landing.ts";
import type { Isolation, RunBase, RunEvent, RunSource } from "../../core/model/event.ts";
import { PARALLEL_MAX } from "../../core/model/settings.ts";
import type { GitSettings, Overrides, Settings } from "../../core/model/settings.ts";
import type { Task } from "../../core/model/task.ts";
import { bestOf, candidatesOf } from "../../schema/fields.ts";
import { VERSION } from "../../version.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import { hostOf } from "../../workspace/join/landing.ts";
import { runBase, type StartBase, type RunStart } from "../../workspace/run-base.ts";
import { type CliIo, printErr, styleOf } from "../io.ts";
import { paragraph } from "../layout.ts";
import { claimFolder, drive } from "../running/drive.ts";
import { preparedAnswers, tellRejected } from "../running/people.ts";
import { refuseInsideSession } from "./inside-session.ts";
import {
  type Command,
  type Given,
  levelGiven,
  parallelGiven,
  usage,
} from "../command-line/options.ts";
import { confineIn, type RunPlace } from "../running/context.ts";
import { doneBefore } from "../running/done-before.ts";
import { newPolicy, type NewPolicy } from "../running/pinned-run.ts";
import {
  contextOf,
  type ReadyTasks,
  readyTasks,
  requireNames,
  sayBefore,
} from "../running/preflight.ts";

/** Everything that can be wrong is found before the run exists and before anything is spent. */
export const runCommand: Command = async (args, given, io) => {
  if (args.length === 0)
    throw usage(
      "`orch run` needs a task: files, a folder, or words in quotes",
      'for example `orch run tasks/add-login.md` or `orch run "make the flaky test deterministic"`',
    );
  parallelGiven(given);
  requireFleet(given);
  const config = await configFor(given, io);
  const root = repositoryRoot(io.cwd) ?? config.folder;
  refuseInsideSession(io.env, "orch run", root);
  const flags = overridesOf(given);
  requireNames(flags, config.settings);
  const { git, runLimits, taskFolder } = config.settings;
  const at = { cwd: io.cwd, root, taskFolder: `${config.folder}/${taskFolder}` };
  const named = runSourceOf(args, at);
  const { place, policy, keep } = await newPolicy(config, { root, source: named, flags, io });
  // Names of runs and branches are made of a person's words.
  const source = named.kind === "words" ? { ...named, text: place.redact(named.text) } : named;
  const ready = readyTasks(source, flags, place);
  if (given.plan === true) return (await import("./plan.ts")).showPlan(ready, place, given, io);
  confineIn(place); // Refused before there is a run.
  const prepared = preparedAnswers(given, io);
  const isolation = given.isolation ?? git.isolation;
  // How many machines a fleet has, its own limits say.
  const most = given.on === "fleet" ? PARALLEL_MAX : config.settings.parallel;
  const parallel = parallelGiven(given) ?? most;
  const tree = isolation === "none" ? claimFolder(root) : null;
  try {
    const name = ready.tasks.length === 1 ? (ready.tasks[0]?.id ?? "run") : nameOf(source);
    const run = newRunId(systemClock.nowMs(), name, () => systemClock.dice());
    const store = createRun(root, run, { redact: place.redact, onRejected: tellRejected(io) });
    const read = [...policy.paths, ...readFor(ready.tasks, storedPath(at.taskFolder, root))];
    const starting = { place, given, isolation, keep, read, tasks: ready.tasks };
    const { base, landing, ...start } = await baseOf(store, starting);
    sayBefore({ ...ready, notes: notesOn({ ...start, ...ready }, given) }, place, given, io);
    const autoCommit = commitsIn(isolation, git);
    const within = { limits: runLimits, parallel };
    const chosen = { source, isolation, autoCommit, ...within, landing, base, flags };
    const by = { pinned: policy, orch: VERSION, node: process.version };
    const started: RunEvent = { type: "run-started", run, ...chosen, ...by };
    const opening = [started, ...ready.tasks.map(asWritten)];
    const begun = { place, store, base, opening };
    if (given.on === "fleet") return await (await fleet()).submit(begun, given, io);
    const written = taskSource(source, contextOf(flags, place), place.redact);
    return await drive({ place, store, source: written, opening, flags: given, prepared }, io);
  } finally {
    tree?.release();
  }
};

/** Whoever names an agent need not write a config where the project's files tell its gates. */
async function configFor({ agent, quiet = false }: Given, io: CliIo) {
  const config = await (agent === undefined ? loadConfig : loadConfigOrDetect)(io.cwd);
  const { gates } = config.settings;
  if (config.text !== "" || quiet || gates === "none") return config;
  const names = gates.map(({ name }) => name).join(", ");
  const note = `note: no config: gates ${names}, as the project's files tell; \`orch init\` writes one`;
  printErr(io, paragraph(styleOf(io, "stderr"), note, { hanging: "  " }));
  return config;
}

const fleet = () => import("../fleet/submit.ts");
function requireFleet({ on, detach = false, needs = [] }: Given): void {
  if (on === undefined && (detach || needs.length > 0))
    throw usage("--detach and --needs are for a run on a fleet", "add `--on fleet`, or omit them");
}

/** What stands in the checkout is the person's to commit. */
function commitsIn(isolation: Isolation, git: GitSettings): boolean {
  return isolation === "worktree" && (git.isolation === "none" || git.autoCommit);
}

function readFor(tasks: readonly Task[], folder: string): readonly string[] {
  const files = tasks.flatMap(({ source }) => (source.kind === "file" ? [source.path] : []));
  return [`${folder}/`, ...files];
}

/** By a person: nothing has to be made stricter. */
function asWritten(task: Task): RunEvent {
  return { type: "task-defined", task, by: null, notHeeded: [] };
}

/** What the command line chose for every task. */
function overridesOf(given: Given): Overrides {
  const { agent, model = null, pipeline = null, sandbox = null, fresh = false } = given;
  const proof = given.proof === "strict" ? ({ changedChecks: "refuse" } as const) : null;
  const by = { agent: agent?.split(/\s*,\s*/) ?? null, bestOf: bestOfGiven(given.bestOf), model };
  return { level: levelGiven(given), ...by, pipeline, limits: {}, proof, sandbox, fresh };
}

function bestOfGiven(given: string | undefined): Overrides["bestOf"] {
  const parsed = bestOf.safeParse(
    /^\d+$/.test(given ?? "") ? Number(given) : given?.split(/\s*,\s*/),
  );
  if (given === undefined || parsed.success) return candidatesOf(parsed.data);
  throw usage(`--best-of is ${JSON.stringify(given)}`, "say how many, 1 to 9, or agents like a,b");
}

/** Each candidate needs a tree of its own. */
function requireTrees(tasks: readonly Task[], isolation: Isolation, base: RunBase | null): void {
  if (tasks.every(({ contest }) => contest === null)) return;
  if (isolation === "none" || base === null)
    throw usage(
      "candidates for a task (best of) need trees of their own",
      base === null ? "make a repository with `git init` and a commit" : "omit `--isolation none`",
    );
}

/** Work in place is where it belongs; and what starts from no branch has none to go back to. */
function landingFor(canLand: boolean, wanted: LandingHow | null, set: LandingHow): LandingHow {
  if (canLand) return wanted ?? set;
  if (wanted === null || wanted === "leave") return "leave";
  throw usage(
    `--landing ${wanted} needs a branch that the run starts from, and trees of their own for tasks`,
    "check out a branch and omit `--isolation none`, or omit `--landing`",
  );
}

interface Starting extends Pick<NewPolicy, "place" | "keep">, Pick<RunStart, "read"> {
  readonly given: Given;
  readonly isolation: Isolation;
  readonly tasks: readonly Task[];
}

interface Start extends StartBase {
  readonly landing: LandingHow;
  /** Which tasks an earlier run has finished. */
  readonly done: readonly string[];
}

/** Where no run can start, no trace of one is left. */
async function baseOf(
  store: OpenRun,
  { place, given, isolation, keep, read, tasks }: Starting,
): Promise<Start> {
  const { root: cwd, env, pinnedGit, settings } = place;
  const { id: run, folder: runDir } = store.files;
  const { branchPrefix, landing: configured } = settings.git;
  const withChanges = given.withChanges === true;
  try {
    keep(store);
    const isConfined = settings.sandbox.use !== "none";
    const at = { cwd, env, pinnedGit, isolation, run, runDir, branchPrefix, isConfined };
    const base = await runBase({ ...at, withChanges, read });
    requireTrees(tasks, isolation, base.base);
    if (given.proof === "strict") requireCommits(base, settings);
    const canLand = isolation === "worktree" && (base.base?.branch ?? null) !== null;
    const landing = landingFor(canLand, given.landing ?? null, configured);
    if (landing === "pull-request") await requireHost(base.base, place);
    const head = base.base?.commit ?? null;
    return { ...base, landing, done: await doneBefore(tasks, { head, beginning: run }, place) };
  } catch (error) {
    store.discard();
    throw error;
  }
}

/** Found before anything is spent. */
async function requireHost(base: RunBase | null, { root, env }: RunPlace): Promise<void> {
  const git = await findRepository(root, env);
  const host = git === null ? null : await hostOf(git, base?.branch ?? "", env);
  if (host?.gh === null)
    throw usage(
      `no pull request can be opened: ${host.why}`,
      "mend that, or say `--landing leave`",
    );
}

/** What runs where the agent works is never proven. */
function requireCommits({ base }: StartBase, { proof }: Settings): void {
  const why =
    base === null ? "there is no git repository here" : 'the config says proof.place: "tree"';
  if (base === null || proof.place === "tree")
    throw usage(
      `--proof strict needs gates that run on a commit, and ${why}`,
      base === null ? "make one with `git init` and a commit" : "omit one of the two",
    );
}

function notesOn(
  { uncommitted: count, author, loose, done, notes }: Omit<Start, "base" | "landing"> & ReadyTasks,
  given: Given,
): readonly string[] {
  const by = [...done, ...notes, ...loose, ...(author === null ? [] : [author])];
  if (count === 0) return by;
  const files = count === 1 ? "1 uncommitted file is" : `${count} uncommitted files are`;
  const note =
    given.withChanges === true
      ? `${files} included as a snapshot; the checkout stays as it is`
      : `${files} not part of this run; \`--with-changes\` adds a snapshot`;
  return [...by, note];
}

function nameOf(source: RunSource): string {
  if (source.kind === "words") return source.text;
  if (source.kind === "files") return source.names.join(" ").replace(/\.md\b/gi, "");
  return source.path.split("/").findLast((part) => part !== "" && part !== ".") ?? "tasks";
}
