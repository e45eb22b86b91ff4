// Where is the config file, and what does it say once it has run?

import { basename, dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";

import type { AgentSpec, Settings } from "../../core/model/settings.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { isObject } from "../../core/model/json.ts";
import { OrchError, type ErrorCode } from "../../errors.ts";
import { entryKind, readFileBounded, repositoryRoot } from "../files/small-file.ts";
import { parseConfig } from "../../schema/config.ts";
import { detectProject } from "./project-detect.ts";
import { parsed, type Checked, type Problem } from "../../schema/parsed.ts";

export const CONFIG_NAMES = [
  ".orchestrator.config.js",
  ".orchestrator.config.mjs",
  ".orchestrator.config.cjs",
  ".orchestrator.config.ts",
] as const;

const CONFIG_BYTES_MAX = 1024 * 1024;
const WORDS_MAX = 500;

export interface LoadedConfig {
  /** The config's folder, absolute: task folder and prompts are relative to it. */
  readonly folder: string;
  /** The path as a person in `cwd` would write it. */
  readonly name: string;
  /** Empty where there is none. */
  readonly text: string;
  /** What it exports, unchecked. */
  readonly raw: unknown;
  readonly settings: Settings;
}

/** The settings; throws OrchError config-missing, config-threw or config-invalid. */
export async function loadConfig(cwd: string): Promise<LoadedConfig> {
  return usable(await readConfig(cwd));
}

/** As `loadConfig`. Where there is no config, the gates are what the project's files tell of, if they do. */
export async function loadConfigOrDetect(cwd: string): Promise<LoadedConfig> {
  const folder = repositoryRoot(cwd) ?? cwd;
  const detected = findConfig(cwd) === null ? detectProject(folder).gates : [];
  if (detected.length === 0) return loadConfig(cwd);
  const gates = Object.fromEntries(detected.map(({ name, run }) => [name, { run }]));
  return usable(configOf(join(folder, CONFIG_NAMES[0]), cwd, { text: "", raw: { gates } }));
}

/** As `loadConfig`, but what is wrong with the content is returned, all of it. */
export async function readConfig(cwd: string) {
  const path = findConfig(cwd);
  if (path === null) {
    throw new OrchError(
      "config-missing",
      `no ${CONFIG_NAMES[0]} in ${cwd} or above it, up to the repository root`,
      "write one with `orch init`",
    );
  }
  const name = relative(cwd, path);
  return configOf(path, cwd, { text: textOf(path, name), raw: await importDefault(path, name) });
}

function configOf(path: string, cwd: string, content: Pick<LoadedConfig, "text" | "raw">) {
  const [folder, name] = [dirname(path), relative(cwd, path)];
  const read = parseConfig(content.raw, name);
  const settings: Checked<Settings> = read.ok ? parsed(rooted(read.value, folder)) : read;
  return { folder, name, ...content, settings };
}

function usable({ settings, ...config }: ReturnType<typeof configOf>): LoadedConfig {
  if (settings.ok) return { ...config, settings: settings.value };
  throw problemError("config-invalid", settings.problems, "fix the config", VALIDATE_HINT);
}

/** What a file of code exports. What it prints meanwhile goes to stderr: stdout is the command's. */
async function importDefault(path: string, name: string): Promise<unknown> {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const warn = process.emitWarning.bind(process);
  process.emitWarning = () => {}; // Node has four lines for a module in a package without a type.
  let module: unknown;
  try {
    module = await import(pathToFileURL(path).href);
  } catch (error) {
    throw importThrew(error, path, name);
  } finally {
    process.stdout.write = write;
    process.emitWarning = warn;
  }
  if (isObject(module) && "default" in module) return module["default"];
  throw new OrchError(
    "config-invalid",
    `${name} has no default export`,
    "write `export default { … }`, or `module.exports = { … }` in a CommonJS file",
  );
}

/** With the first line of the file that the stack names; a syntax error in a module names none. */
function importThrew(error: unknown, path: string, name: string): OrchError {
  const isError = error instanceof Error;
  const [, after = ""] = (isError ? (error.stack ?? "") : "").split(`${basename(path)}:`);
  const line = /^\d+/.exec(after)?.[0];
  const message = isError ? `${error.name}: ${error.message}` : inspect(error);
  return new OrchError(
    "config-threw",
    `${name}${line === undefined ? "" : `:${line}`} threw ${excerpt(message, WORDS_MAX)}`,
    "fix it (`node` with the file shows more); a config needs no import, and its name ends in .mjs for `export default`, in .cjs for `module.exports`",
    { cause: error },
  );
}

/**
 * The nearest config from `cwd` up to the repository root, or null.
 *
 * A config is code. Ports a repository nothing says how far up the user's own files reach, so
 * there only `cwd` itself is looked into.
 */
export function findConfig(cwd: string): string | null {
  const last = repositoryRoot(cwd) ?? cwd;
  for (let folder = cwd; ; folder = dirname(folder)) {
    // A link that leads nowhere is there too: to pass over it would be to run with other settings.
    const present = CONFIG_NAMES.filter((name) => entryKind(join(folder, name)) !== "absent");
    if (present.length > 1) {
      throw new OrchError(
        "config-invalid",
        `${folder} holds ${present.join(" and ")}, and only one can count`,
        "remove all but one",
      );
    }
    if (present[0] !== undefined) return join(folder, present[0]);
    if (folder === last) return null;
  }
}

function textOf(path: string, called: string): string {
  const file = readFileBounded(path, CONFIG_BYTES_MAX, "followed");
  if (file.kind === "read") return file.text;
  throw new OrchError(
    "config-invalid",
    `${called} ${file.kind === "absent" ? "is gone" : file.why}`,
    "name a file that this user may read; write a config with `orch init`",
  );
}

/** Everything a driver starts or reads is named absolutely; it runs in another folder. */
export function rooted(settings: Settings, folder: string): Settings {
  return { ...settings, agents: settings.agents.map((agent) => rootedAgent(agent, folder)) };
}

function rootedAgent(agent: AgentSpec, folder: string): AgentSpec {
  if (agent.command === null) return agent;
  const [program, ...rest] = agent.command;
  // A bare name is looked up in PATH; one with a slash is a file of the project.
  if (program === undefined || !program.includes("/")) return agent;
  const command = [resolve(folder, program), ...rest] as const;
  return { ...agent, command };
}

/** The first problem, and how many more there are; `fix` where the problem suggests nothing. */
export function problemError(
  code: ErrorCode,
  problems: readonly Problem[],
  fix: string,
  hint = "",
): OrchError {
  const [first, ...more] = problems;
  const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
  const message = `${first?.where ?? "it"}: ${first?.message ?? "is not understood"}${rest}`;
  return new OrchError(code, message, `${first?.suggestion ?? fix}${hint}`);
}

export const VALIDATE_HINT = "; `orch validate` lists everything";
