// What stands in the way of a run in this repository, and what helps?

import { basename } from "node:path";

import * as programs from "../../adapters/project/agent-program.ts";
import { repositoryRoot } from "../../adapters/files/small-file.ts";
import { readConfig } from "../../adapters/project/config-loader.ts";
import type { Validation } from "../../adapters/project/validation.ts";
import { inert } from "../../core/model/excerpt.ts";
import type { Settings } from "../../core/model/settings.ts";
import type { GateSpec } from "../../core/model/task.ts";
import { agentsOf } from "../../core/run/select.ts";
import { checkedNothing, staysUnknown } from "../../core/model/verdict.ts";
import { OrchError } from "../../errors.ts";
import { defaultSettings } from "../../schema/config.ts";
import { headOf, statusOf } from "../../workspace/git/branch.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import { gitText } from "../../workspace/git/git.ts";
import { worktreesFolder } from "../../workspace/worktrees/places.ts";
import { confineIn } from "../running/context.ts";
import { type GateOnHead, gatesOnHead } from "../gates-on-head.ts";
import { type CliIo, printErr, printResult, styleOf, type Style } from "../io.ts";
import { atWords, paragraph } from "../layout.ts";
import type { Command } from "../command-line/options.ts";
import { BLIND, UNTRIED } from "../../core/decide/proof.ts";
import { gateWords } from "../render/gate.ts";
import { inOrderWords, plural } from "../render/text.ts";
import { refuseInsideSession } from "./inside-session.ts";
import { validationOf } from "./validate.ts";

const EXIT_IN_THE_WAY = 2;
const GIT_LEAST = [2, 38] as const;

interface Finding {
  readonly about: string;
  /** "note": a run can begin all the same. */
  readonly state: "ok" | "note" | "bad";
  readonly text: string;
  /** What to do; null: nothing. */
  readonly hint: string | null;
}

export interface Place {
  readonly cwd: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Settings;
}

export const doctorCommand: Command = async (_args, given, io) => {
  const validation = await validationOf([], io);
  const place = await placeOf(io);
  refuseInsideSession(io.env, "orch doctor", place.root);
  const ofFleet = given.fleet === true ? await orBad("fleet", () => lookAtFleet(io)) : [];
  const findings = [...(await lookAround(place, validation)), ...ofFleet];
  const isClear = findings.every(({ state }) => state !== "bad");
  const gates = given.gates !== false && isClear ? gatesOfBase(place.settings) : [];
  if (gates.length > 0 && given.json !== true) {
    const named = gates.map((gate) => (gate.kind === "command" ? gate.run : gate.name));
    printErr(io, atWords(styleOf(io, "stderr"), `runs the gates: ${named.join("; ")}`));
  }
  const how = { ...place, signal: io.readerGone, deep: given.deep === true };
  for await (const gate of gatesOnHead(gates, how)) findings.push(ofGate(gate));
  const isGood = findings.every(({ state }) => state !== "bad");
  printResult(io, given, { ok: isGood, findings }, (style) => rendered(findings, style));
  return isGood ? 0 : EXIT_IN_THE_WAY;
};

async function lookAtFleet(io: CliIo): Promise<readonly Finding[]> {
  const remote = await (await import("../fleet/doctor.ts")).takersFor(io);
  if (remote === null) return []; // That is said of git.
  const { repository, takers } = remote;
  const hint = `start one: orch worker --repository '${repository}'`;
  return [
    finding("fleet", "ok", `${repository} takes what is pushed`),
    takers > 0
      ? finding("fleet", "ok", `${plural(takers, "worker")} for ${repository}`)
      : finding("fleet", "note", `no worker takes runs of ${repository}`, hint),
  ];
}

/** Without a config that is in order, the defaults. */
export async function placeOf({ cwd, env }: CliIo): Promise<Place> {
  const place = { cwd, env, root: repositoryRoot(cwd) ?? cwd };
  try {
    const { settings, folder } = await readConfig(cwd);
    const root = repositoryRoot(cwd) ?? folder;
    return { ...place, root, settings: settings.ok ? settings.value : defaultSettings() };
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return { ...place, settings: defaultSettings() };
  }
}

function finding(
  about: string,
  state: Finding["state"],
  text: string,
  hint?: string | null,
): Finding {
  return { about, state, text, hint: hint ?? null };
}

/** What the user can mend, as a finding; other errors pass. */
async function orBad(
  about: string,
  look: () => Promise<Finding | readonly Finding[]> | Finding,
): Promise<readonly Finding[]> {
  try {
    return [await look()].flat();
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return [finding(about, "bad", error.message, error.hint)];
  }
}

/** All that costs next to nothing. */
async function lookAround(place: Place, validation: Validation): Promise<readonly Finding[]> {
  const { sandbox } = place.settings;
  return [
    finding("node", "ok", process.version),
    ...(await orBad("git", () => lookAtGit(place, validation))),
    ...ofValidation(validation),
    ...(await lookAtAgents(place, validation)),
    ...(sandbox.use === "none" ? [] : await orBad("sandbox", () => lookAtSandbox(place))),
    ...(await orBad("trees", () => lookAtTrees(place))),
  ];
}

async function lookAtGit(
  { cwd, env }: Place,
  { config, tasks }: Validation,
): Promise<Finding | readonly Finding[]> {
  const git = await findRepository(cwd, env);
  if (git === null)
    return finding(
      "git",
      "note",
      "not a git repository: tasks work in this folder itself, without checkpoints",
      "run `git init` and commit your files",
    );
  const version = (await gitText(git, ["--version"])).trim().replace("git version ", "");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < GIT_LEAST[0] || (major === GIT_LEAST[0] && minor < GIT_LEAST[1]))
    return finding("git", "bad", `git ${version}`, "orch needs 2.38 or newer");
  const { commit, branch } = await headOf(git);
  const at = `${version}, ${branch ?? "no branch"} at ${commit.slice(0, 10)}`;
  // Config and tasks are read wherever they lie, committed or not.
  const isRead = (path: string): boolean =>
    basename(path) === basename(config ?? "") ||
    tasks.some(({ source }) => source.kind === "file" && source.path === path);
  const { dirty, loose } = await statusOf(git);
  const { length } = dirty.filter((path) => !isRead(path));
  const open = loose.map((text) => finding("git", "note", text));
  if (length === 0) return [finding("git", "ok", at), ...open];
  const words = `${at}; ${plural(length, "uncommitted file")} would not be part of a run`;
  return [finding("git", "note", words, "commit, or run with `--with-changes`"), ...open];
}

function ofValidation({ config, tasks, problems, notes }: Validation): readonly Finding[] {
  const bad = problems.map(({ where, message, suggestion }) =>
    finding("config", "bad", `${where}: ${message}`, suggestion),
  );
  const good = finding("config", "ok", inOrderWords(config, tasks.length));
  return [
    ...(bad.length === 0 ? [good] : bad),
    ...notes.map((text) => finding("config", "note", text)),
  ];
}

/** A program that is missing was found with the config. */
async function lookAtAgents(
  { settings, root, env }: Place,
  { tasks }: Validation,
): Promise<readonly Finding[]> {
  const used = tasks.flatMap((task) => task.steps.flatMap(agentsOf));
  const named = new Set([...settings.agent, ...used]);
  const agents = settings.agents.filter(({ name }) => named.has(name));
  const findings = agents.map(async (agent): Promise<readonly Finding[]> => {
    const trouble = programs.signInTrouble(agent, env);
    const program = programs.programOf(agent, root, env);
    if (program === null) return [];
    const version = await programs.versionOf(agent, root, env);
    const tested = programs.knownAs(agent)?.tested ?? "0";
    const isOld = version !== null && programs.isOlder(version, tested);
    const there = `${agent.name}: ${program}${version === null ? "" : `, ${version}`}`;
    return [
      isOld
        ? finding("agent", "note", there, `orch was tried with ${tested}; update it if it fails`)
        : finding("agent", "ok", there),
      ...(trouble === null ? [] : [finding("agent", "note", trouble.message, trouble.hint)]),
    ];
  });
  return (await Promise.all(findings)).flat();
}

function lookAtSandbox(place: Place): Finding {
  confineIn(place);
  const words = "bwrap holds what it should";
  const browsers = "a browser in a gate needs sandbox.userns";
  return finding("sandbox", "ok", place.settings.sandbox.userns ? words : `${words}; ${browsers}`);
}

async function lookAtTrees({ cwd, env, settings }: Place): Promise<readonly Finding[]> {
  const git = await findRepository(cwd, env);
  const folder = worktreesFolder(settings.worktree.root, env, git?.root ?? null);
  return git === null ? [] : [finding("trees", "ok", folder)];
}

/** Those that a run would run first. */
function gatesOfBase({ gates }: Settings): readonly GateSpec[] {
  const all = gates === "none" ? [] : gates;
  return all.filter((gate) => gate.kind === "command" && gate.expect === "pass");
}

function ofGate({ result, isBlind, isUntried }: GateOnHead): Finding {
  const words = gateWords(result);
  if (isUntried) return finding("gate", "note", `${words} · ${UNTRIED}`);
  if (isBlind)
    return finding(
      "gate",
      "note",
      `${words}, and ${BLIND}`,
      "it does not look at the work; unless another gate does, nothing is proven",
    );
  if (result.verdict.kind === "passed") return finding("gate", "ok", words);
  if (staysUnknown(result))
    return finding("gate", "bad", words, "fix its command, or what it needs, on the last commit");
  const hint = checkedNothing(result)
    ? "a task may write the first tests; until then nothing is proven"
    : "a run can start; finished work ends as not verified";
  return finding("gate", "note", words, hint);
}

const MARKS = {
  ok: { mark: "✓", tone: "good" },
  note: { mark: "!", tone: "attention" },
  bad: { mark: "✗", tone: "bad" },
} as const;

function rendered(findings: readonly Finding[], style: Style): string {
  const bad = findings.filter(({ state }) => state === "bad").length;
  const end = bad === 0 ? "nothing to fix" : `${plural(bad, "thing")} to fix first`;
  return [...findings.map((one) => line(one, style)), "", end].join("\n");
}

function line({ about, state, text, hint }: Finding, style: Style): string {
  const { mark, tone } = MARKS[state];
  const shown = paragraph(style, inert(`${about}: ${text}`), {
    tone: state === "ok" ? null : tone,
    lead: `${mark} `,
    hanging: "  ",
  });
  return hint === null
    ? shown
    : `${shown}\n${paragraph(style, `hint: ${inert(hint)}`, { tone: "quiet", lead: "  ", hanging: "    " })}`;
}
