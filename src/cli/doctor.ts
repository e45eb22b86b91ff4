// What stands in the way of a run in this repository, and what helps?

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { signInTrouble } from "../adapters/project/agent-program.ts";
import type { Validation } from "../adapters/project/validation.ts";
import { findProgram } from "../adapters/process/find-program.ts";
import { createRedactor } from "../adapters/redact.ts";
import type { Settings } from "../core/model/settings.ts";
import type { GateSpec } from "../core/model/task.ts";
import { checkedNothing, provesNothing, type GateResult } from "../core/model/verdict.ts";
import type { TreeCopy } from "../engine/ports.ts";
import { OrchError } from "../errors.ts";
import { createBaseCopies } from "../workspace/base-copy.ts";
import { headOf, statusOf } from "../workspace/branch.ts";
import { findRepository } from "../workspace/find-repository.ts";
import { gitText, type Git } from "../workspace/git.ts";
import { treesFolder } from "../workspace/places.ts";
import { confineIn, gatesIn } from "./context.ts";
import { CLEANING, freeWords, isShort, roomFor } from "./disk-room.ts";
import { leftovers } from "./leftovers.ts";
import { gateSays } from "./render/gate.ts";
import { inOrderWords, plural, size } from "./render/text.ts";

export interface Finding {
  readonly about: string;
  /** "note": a run can begin all the same. */
  readonly state: "ok" | "note" | "bad";
  readonly text: string;
  /** What to do; null: nothing. */
  readonly hint: string | null;
}

export interface DoctorPlace {
  readonly cwd: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Settings;
}

const ok = (about: string, text: string): Finding => ({ about, state: "ok", text, hint: null });
const note = (about: string, text: string, hint: string): Finding => ({
  about,
  state: "note",
  text,
  hint,
});

/** What the user can mend, as a finding; other errors pass. */
async function orBad(about: string, look: () => Promise<Finding> | Finding): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    return { about, state: "bad", text: error.message, hint: error.hint };
  }
}

/** All that costs next to nothing. Programs that are started: git, and the sandbox where it is asked for. */
export async function lookAround(
  place: DoctorPlace,
  validation: Validation,
): Promise<readonly Finding[]> {
  return [
    ok("node", process.version),
    await orBad("git", () => lookAtGit(place, validation)),
    ...ofValidation(validation),
    ...lookAtAgents(place, validation),
    await orBad("sandbox", () => lookAtSandbox(place)),
    ...lookAtDisk(place),
    await orBad("leftovers", () => lookAtLeftovers(place)),
  ];
}

const GIT_LEAST = [2, 38] as const;

async function lookAtGit(
  { cwd, env }: DoctorPlace,
  { config, tasks }: Validation,
): Promise<Finding> {
  const git = await findRepository(cwd, env);
  if (git === null)
    return note(
      "git",
      "not a git repository: tasks work in this folder itself, without checkpoints",
      "run `git init` and commit your files",
    );
  const version = (await gitText(git, ["--version"])).trim().replace("git version ", "");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < GIT_LEAST[0] || (major === GIT_LEAST[0] && minor < GIT_LEAST[1]))
    return { about: "git", state: "bad", text: `git ${version}`, hint: "orch needs 2.38 or newer" };
  const { commit, branch } = await headOf(git);
  const at = `${version}, ${branch ?? "no branch"} at ${commit.slice(0, 10)}`;
  // These are read wherever they lie, committed or not.
  const isRead = (path: string): boolean =>
    basename(path) === basename(config ?? "") ||
    tasks.some(({ source }) => source.kind === "file" && source.path === path);
  const { length } = (await statusOf(git)).dirty.filter(({ path }) => !isRead(path));
  if (length === 0) return ok("git", at);
  const words = `${at}; ${plural(length, "uncommitted file")} would not be part of a run`;
  return note("git", words, "commit, or run with `--with-changes`");
}

function ofValidation({ config, tasks, problems, notes }: Validation): readonly Finding[] {
  const bad = problems.map(({ where, message, suggestion }): Finding => ({
    about: "config",
    state: "bad",
    text: `${where}: ${message}`,
    hint: suggestion,
  }));
  const good = ok("config", inOrderWords(config, tasks.length));
  return [
    ...(bad.length === 0 ? [good] : bad),
    ...notes.map((text) => ({ about: "config", state: "note", text, hint: null }) as const),
  ];
}

/** A program that is missing was found with the config. */
function lookAtAgents({ settings, env }: DoctorPlace, { tasks }: Validation): readonly Finding[] {
  const used = tasks.flatMap((task) => task.steps.map((step) => step.agent));
  const named = new Set([settings.agent, ...used]);
  return settings.agents.flatMap((agent): readonly Finding[] => {
    if (!named.has(agent.name)) return [];
    const trouble = signInTrouble(agent, env);
    const name =
      "command" in agent
        ? (agent.command?.[0] ?? env["ORCH_CLAUDE_BIN"] ?? "claude")
        : agent.script;
    const program = findProgram(name, env["PATH"] ?? "") ?? name;
    if (!existsSync(program)) return [];
    const found = ok("agent", `${agent.name}: ${program}`);
    return trouble === null ? [found] : [found, note("agent", trouble.message, trouble.hint)];
  });
}

function lookAtSandbox({ root, env, settings }: DoctorPlace): Finding {
  const isWanted = settings.sandbox.use !== "none";
  const sandbox = { ...settings.sandbox, use: "bwrap" } as const;
  try {
    confineIn({ root, env, settings: { ...settings, sandbox } });
    return ok("sandbox", isWanted ? "bwrap works" : "bwrap works; it is not used");
  } catch (error) {
    if (isWanted || !(error instanceof OrchError)) throw error;
    return ok("sandbox", `not used (${error.message})`);
  }
}

const LEFT_MUCH = 100 * 1024 ** 2;
const FREE_GOOD = 2 * 1024 ** 3;

function lookAtDisk(place: DoctorPlace): readonly Finding[] {
  const rooms = roomFor(place);
  const found = rooms.flatMap((room): readonly Finding[] => {
    const { what, folder, isWritable, freeBytes, orElse } = room;
    const hint = `free some space (${CLEANING})${orElse}`;
    const text = `${freeWords(room)} free for ${what} in ${folder}`;
    if (!isWritable)
      return [{ about: "disk", state: "bad", text: `${folder} cannot be written`, hint }];
    if (isShort(room)) return [{ about: "disk", state: "bad", text, hint }];
    return freeBytes < FREE_GOOD ? [note("disk", text, hint)] : [];
  });
  const least = Math.min(...rooms.map(({ freeBytes }) => freeBytes));
  const good = `${size(least)} free for ${rooms.map(({ what }) => what).join(", ")}`;
  return found.length === 0 ? [ok("disk", good)] : found;
}

async function lookAtLeftovers({ cwd, root, env, settings }: DoctorPlace): Promise<Finding> {
  const found = await leftovers({
    root,
    git: await findRepository(cwd, env),
    treesFolder: treesFolder(settings.worktree.root, env),
    branchPrefix: settings.git.branchPrefix,
    nowMs: Date.now(),
    allRepositories: false,
  });
  if (found.length === 0) return ok("leftovers", "none");
  const bytes = found.reduce((sum, one) => sum + one.bytes, 0);
  const words = `${plural(found.length, "leftover")} of ended runs, ${size(bytes)}`;
  if (bytes < LEFT_MUCH) return ok("leftovers", `${words}; \`orch clean\` removes them`);
  return note("leftovers", words, "`orch clean` lists them, and asks");
}

/** Those that a run would run first. */
export function gatesOnBase({ gates }: Settings): readonly GateSpec[] {
  const all = gates === "none" ? [] : gates;
  return all.filter((gate) => gate.kind === "command" && gate.expect === "pass");
}

/** On a copy of the last commit, or without git in the folder; what is known already is not run. */
export async function runGates(
  { cwd, root, env, settings }: DoctorPlace,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const git = await findRepository(cwd, env);
  const redact = createRedactor(env);
  const gates = gatesIn({ root, env, redact }, confineIn({ root, env, settings }));
  const logs = mkdtempSync(join(tmpdir(), "orch-doctor-"));
  const copy = git === null ? null : await copyOf(git);
  const found: Finding[] = [];
  try {
    for (const gate of gatesOnBase(settings)) {
      const request = {
        cwd: root,
        logPath: join(logs, `${gate.name}.log`),
        variables: {},
        isBase: true,
      };
      const result =
        copy === null
          ? await gates.check(gate, request, signal)
          : await gates.checkBase(gate, { ...request, copy }, signal);
      found.push(ofGate(result, copy !== null));
    }
  } finally {
    await copy?.remove();
    rmSync(logs, { recursive: true, force: true });
  }
  return found;
}

async function copyOf(git: Git): Promise<TreeCopy> {
  const tree = (await gitText(git, ["rev-parse", "HEAD^{tree}"])).trim();
  const made = createBaseCopies(tmpdir());
  let copy: ReturnType<typeof made.make> | null = null;
  return {
    tree,
    beside: [],
    root: async () => (await (copy ??= made.make(git, tree))).root,
    remove: async () => (await copy)?.remove(),
  };
}

/** A run also looks in the worktree of the task, where its first look is not green. */
const IN_COPY = "in a copy of the last commit; a run looks in its worktree, too";

function ofGate(result: GateResult, isInCopy: boolean): Finding {
  const about = `gate ${result.name}`;
  const words = gateSays(result);
  const hint = (what: string): string => (isInCopy ? `${what} (${IN_COPY})` : what);
  if (provesNothing(result))
    return { about, state: "bad", text: words, hint: hint("fix its command, or what it needs") };
  if (result.verdict.kind === "passed") return ok(about, words);
  return checkedNothing(result)
    ? note(about, words, "a task may write the first tests; until then nothing is proven")
    : note(about, words, hint("a run can start; finished work ends as not verified"));
}
