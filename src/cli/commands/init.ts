// How does a project get its config?

import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import { programOf, signInTrouble } from "../../adapters/project/agent-program.ts";
import { repositoryRoot } from "../../adapters/files/small-file.ts";
import { findConfig } from "../../adapters/project/config-loader.ts";
import { configName, writeInitFiles } from "../../adapters/project/init-files.ts";
import type { ChosenGate, InitFile } from "../../adapters/project/init-files.ts";
import { detectProject, isPackage } from "../../adapters/project/project-detect.ts";
import type { DetectedGate } from "../../adapters/project/project-detect.ts";
import { packageFolder } from "../../adapters/project/package-folder.ts";
import { BLIND } from "../../core/decide/proof.ts";
import type { CommandGate } from "../../core/model/task.ts";
import type { GateResult } from "../../core/model/verdict.ts";
import { statusOf } from "../../workspace/git/branch.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import { shellWord } from "../../adapters/process/program.ts";
import { defaultSettings } from "../../schema/config.ts";
import { BUILT_IN_AGENTS } from "../../schema/config-agents.ts";
import { gatesOnHead } from "../gates-on-head.ts";
import { askLine } from "../running/at-terminal.ts";
import { canPrompt, type CliIo, printErr, printResult, styleOf, type Style } from "../io.ts";
import { paragraph, table } from "../layout.ts";
import type { Command } from "../command-line/options.ts";
import { tellGate } from "../render/gate.ts";

/** Longer than anybody wants to wait here; in a run a gate has 15 minutes. */
const TRIAL_MS = 60_000;

export const initCommand: Command = async (_args, given, io) => {
  const root = repositoryRoot(io.cwd) ?? io.cwd;
  const folder = folderFor(root, io.cwd);
  const project = detectProject(folder, root);
  const isThere =
    existsSync(join(folder, configName(folder, project.readsModules))) && given.force !== true;
  const detected = isThere
    ? []
    : project.gates.map((gate) => inFolder(gate, relative(root, folder)));
  const makes = detected.length === 0 ? null : project.prepare;
  const preparing = makes === null ? [] : [inFolder(makes, relative(root, folder))];
  const tried = async (all: readonly DetectedGate[], prepare: ChosenGate | null) =>
    given.skipChecks === true
      ? all.map((gate) => ({ ...gate, leftOut: null }))
      : await triedOnce(all, { root, prepare }, io);
  const prepare = (await tried(preparing, null))[0] ?? null;
  const gates = await tried(detected, prepare);
  const [prompts, replace] = [given.prompts === true, given.force === true];
  const inRoot = (path: string): string => join(relative(root, folder), path);
  const { readsModules } = project;
  const agent = isThere ? null : await agentFor(root, io);
  const chosen = { gates, prepare, readsModules, prompts, replace, agent };
  const files = writeInitFiles(folder, root, chosen).map(({ path, outcome }) => ({
    path: inRoot(path),
    outcome,
  }));
  // A repository that git cannot use is told of by whatever needs it.
  const git = await findRepository(root, io.env).catch(() => null);
  const { loose } = git === null ? { loose: [] } : await statusOf(git);
  const shown = { root, folder, gates, prepare, files, loose, agent };
  printResult(io, given, shown, (style) => rendered({ ...shown, isThere }, style).join("\n"));
  return 0;
};

/** Of those that are installed, the first that is signed in, unless a person takes another; null: none is there. */
async function agentFor(root: string, io: CliIo): Promise<string | null> {
  const there = BUILT_IN_AGENTS.filter((agent) =>
    agent.driver === "anthropic"
      ? signInTrouble(agent, io.env) === null
      : programOf(agent, root, io.env) !== null,
  );
  const ready = there.find((agent) => signInTrouble(agent, io.env) === null) ?? there[0];
  if (ready === undefined || there.length === 1 || !canPrompt(io)) return ready?.name ?? null;
  const names = there.map(({ name }) => name);
  const typed = await askLine(io, `which agent: ${names.join(", ")}? [${ready.name}]`);
  return names.find((name) => name === typed?.trim()) ?? ready.name;
}

/** That of a config which counts here already, else of the package around, else the repository's root. */
function folderFor(root: string, cwd: string): string {
  const config = findConfig(cwd);
  if (config !== null) return dirname(config);
  for (let folder = cwd; folder !== root && folder !== dirname(folder); folder = dirname(folder))
    if (isPackage(folder)) return folder;
  return root;
}

/** A gate runs at the root of a task's tree. */
function inFolder({ name, run }: DetectedGate, way: string): DetectedGate {
  if (way === "") return { name, run };
  const folder = /^[\w./@+][\w./@+-]*$/.test(way) ? way : shellWord(`./${way}`);
  return { name, run: `cd ${folder} && ${run}` };
}

/** Each as it is run on the last commit; why it is left out where it proves nothing there. */
async function triedOnce(
  detected: readonly DetectedGate[],
  { root, prepare }: { readonly root: string; readonly prepare: ChosenGate | null },
  io: CliIo,
): Promise<readonly ChosenGate[]> {
  if (detected.length === 0) return [];
  const style = styleOf(io, "stderr");
  printErr(io, paragraph(style, `runs once: ${detected.map(({ run }) => run).join("; ")}`));
  const settings = defaultSettings();
  const isUsed = prepare !== null && prepare.leftOut === null;
  const made = isUsed ? { run: prepare.run, timeoutMs: TRIAL_MS } : null;
  const worktree = { ...settings.worktree, prepare: made };
  const how = { signal: io.readerGone, deep: false };
  const place = { root, env: io.env, settings: { ...settings, worktree }, ...how };
  const chosen: ChosenGate[] = [];
  for await (const { result, isBlind } of gatesOnHead(detected.map(trialOf), place)) {
    const { text, tone } = tellGate(result);
    const words = isBlind ? `${text}, and ${BLIND}` : text;
    printErr(io, paragraph(style, words, { tone, hanging: "  " }));
    const gate = detected.find(({ name }) => name === result.name);
    if (gate !== undefined) chosen.push({ ...gate, leftOut: whyLeftOut(result) });
  }
  return chosen;
}

function trialOf({ name, run }: DetectedGate): CommandGate {
  return {
    kind: "command",
    name,
    run,
    expect: "pass",
    required: true,
    timeoutMs: TRIAL_MS,
    retries: 0,
    failedRetries: 0,
    parse: "auto",
    report: null,
    proves: "auto",
  };
}

/** Tests of which some fail prove more than none: what failed before is not held against the work. */
function whyLeftOut({ verdict, counts }: GateResult): string | null {
  if (verdict.kind === "passed") return null;
  if (verdict.kind === "failed") return (counts?.passed ?? 0) > 0 ? null : "fails today";
  return ["timed-out", "not-installed"].includes(verdict.why) ? null : verdict.why;
}

interface Initialised {
  readonly gates: readonly ChosenGate[];
  readonly prepare: ChosenGate | null;
  readonly files: readonly InitFile[];
  /** What to do about folders of packages that git would take for files of the project. */
  readonly loose: readonly string[];
  /** The config was there before, and is as it was. */
  readonly isThere: boolean;
  /** null: none is installed, or the config says. */
  readonly agent: string | null;
}

function rendered(
  { gates, prepare, files, loose, isThere, agent }: Initialised,
  style: Style,
): readonly string[] {
  const say = (text: string): string => paragraph(style, text, { hanging: "  " });
  const config = files[0]?.path ?? "";
  const rows = files.map(({ path, outcome }) => [outcome, path]);
  const isUsed = gates.some(({ leftOut }) => leftOut === null);
  const next = [
    `look at ${config}; every key is explained in ${join(packageFolder(), "docs", "config.md")}`,
    'orch new "Add login" writes a task file',
    "orch run add-login runs it",
  ];
  return [
    ...table(style, rows),
    ...(prepare === null ? [] : [say(gateLine("worktree.prepare", prepare))]),
    ...gates.map((gate) => say(gateLine(`gate "${gate.name}"`, gate))),
    ...(agent === null ? [] : [say(`agent: ${agent}`)]),
    ...(isThere ? [say(`${config} already exists and was not changed; --force replaces it.`)] : []),
    ...(isThere || isUsed
      ? []
      : [say(`No command that tests this project: add one to ${config}.`)]),
    ...loose.map(say),
    "",
    "Next:",
    ...next.map((text, at) => paragraph(style, text, { lead: `  ${at + 1}. `, hanging: "     " })),
  ];
}

function gateLine(what: string, { run, leftOut }: ChosenGate): string {
  return leftOut === null ? `${what}: ${run}` : `not used: ${what} (${leftOut}): ${run}`;
}
