// Where is the config file, and what does it say once it has run?

import { existsSync, readFileSync, writeSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { compileFunction } from "node:vm";
import type { AgentSpec } from "../../core/agent.ts";
import type { Settings } from "../../core/settings.ts";
import { OrchError } from "../../errors.ts";
import { parseConfig } from "../../schema/config.ts";
import { checked, type Checked } from "../../schema/problem.ts";

export const CONFIG_NAMES = [
  ".orchestrator.config.js",
  ".orchestrator.config.mjs",
  ".orchestrator.config.cjs",
  ".orchestrator.config.ts",
] as const;

/** A config that takes longer waits for something that will not come. */
const IMPORT_TIMEOUT_MS = 10_000;

export interface LoadedConfig {
  /** Absolute. */
  readonly path: string;
  /** The config's folder: task folder, prompts and scripts are relative to it. */
  readonly folder: string;
  readonly settings: Settings;
}

/** A config that was found and ran; what it says may still be wrong. */
export interface ConfigReading extends Omit<LoadedConfig, "settings"> {
  /** The path as a person in `cwd` would write it. */
  readonly name: string;
  readonly text: string;
  readonly settings: Checked<Settings>;
}

/** The settings; throws OrchError config-missing, config-threw or config-invalid. */
export async function loadConfig(cwd: string): Promise<LoadedConfig> {
  const { path, folder, settings } = await readConfig(cwd);
  if (settings.ok) return { path, folder, settings: settings.value };
  const [first, ...more] = settings.problems;
  const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
  const suggestion = first?.suggestion ?? "mend the config";
  throw new OrchError(
    "config-invalid",
    `${first?.where ?? path}: ${first?.message ?? "not a config"}${rest}`,
    `${suggestion}; \`orch validate\` lists everything`,
  );
}

/** As `loadConfig`, but what is wrong with the content is returned, all of it. */
export async function readConfig(cwd: string): Promise<ConfigReading> {
  const path = findConfig(cwd);
  if (path === null) {
    throw new OrchError(
      "config-missing",
      `no ${CONFIG_NAMES[0]} in ${cwd} or above it, up to the repository root`,
      "write one with `orch init`",
    );
  }
  const folder = dirname(path);
  const name = relative(cwd, path);
  const text = readFileSync(path, "utf8");
  const raw = await importDefault(path, name, text);
  const settings = parsed(raw, { path, name, text });
  return {
    path,
    folder,
    name,
    text,
    settings: settings.ok ? checked(rooted(settings.value, folder)) : settings,
  };
}

/**
 * The nearest config from `cwd` up to the repository root, or null.
 *
 * A config is code. Outside a repository nothing says how far up the user's own files reach, so
 * there only `cwd` itself is looked into.
 */
export function findConfig(cwd: string): string | null {
  for (const folder of foldersUpTo(cwd, repositoryRoot(cwd) ?? cwd)) {
    const found = CONFIG_NAMES.filter((name) => existsSync(join(folder, name)));
    if (found.length > 1) {
      throw new OrchError(
        "config-invalid",
        `${folder} holds ${found.join(" and ")}, and only one can count`,
        "remove all but one",
      );
    }
    if (found[0] !== undefined) return join(folder, found[0]);
  }
  return null;
}

/** The nearest folder with a `.git`, or null. */
export function repositoryRoot(cwd: string): string | null {
  return foldersUpTo(cwd, null).find((folder) => existsSync(join(folder, ".git"))) ?? null;
}

function foldersUpTo(cwd: string, last: string | null): readonly string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== last && dirname(folder) !== folder;) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}

/** What a file of code exports, with a limit of time and without the right to end the process. */
export async function importDefault(path: string, name: string, text: string): Promise<unknown> {
  let found: unknown;
  try {
    found = await withoutExit(() => withinTime(exported(path), name), name);
  } catch (error) {
    throw error instanceof OrchError ? error : threw(error, { path, name, text });
  }
  if (found !== NOTHING) return found;
  throw new OrchError(
    "config-invalid",
    `${name} has no default export`,
    "write `export default { … }`, or `module.exports = { … }` in a CommonJS file",
  );
}

const NOTHING = Symbol("no default export");

/** What is exported may be a promise, which is waited for here, where there is a limit of time. */
async function exported(path: string): Promise<unknown> {
  const module: unknown = await import(pathToFileURL(path).href);
  const isThere = typeof module === "object" && module !== null && "default" in module;
  return isThere ? await module.default : NOTHING;
}

/** A getter is the config's own code, and may throw. */
function parsed(raw: unknown, source: Source): Checked<Settings> {
  try {
    return parseConfig(raw, { file: source.name, text: source.text });
  } catch (error) {
    throw threw(error, source);
  }
}

/** A config that ends the process would choose the exit code, and 0 says that all work is done. */
async function withoutExit<T>(load: () => Promise<T>, name: string): Promise<T> {
  const leaving = (code: number): void => {
    if (code === 70) return; // Thrown where nobody could catch it, and told already.
    const why = `orch: ${name} ended the process while it was loaded`;
    writeSync(2, `${why}\nhint: let it export a plain object, without process.exit\n`);
    process.exitCode = 2;
  };
  process.once("exit", leaving);
  try {
    return await load();
  } finally {
    process.off("exit", leaving);
  }
}

async function withinTime(loading: Promise<unknown>, name: string): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(
        new OrchError(
          "config-threw",
          `${name} did not finish loading within ${IMPORT_TIMEOUT_MS / 1_000} seconds`,
          "let it export a plain object without waiting for anything",
        ),
      );
    }, IMPORT_TIMEOUT_MS);
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}

interface Source {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

function threw(error: unknown, source: Source): OrchError {
  const line = lineIn(error, source);
  const where = line === null ? source.name : `${source.name}:${line}`;
  const kind = error instanceof Error ? error.name : "a value that is no Error";
  const words = error instanceof Error ? error.message.split("\n")[0] : format("%s", error);
  return new OrchError("config-threw", `${where} threw ${kind}: ${words}`, hintFor(error, source), {
    cause: error,
  });
}

function hintFor(error: unknown, { name }: Source): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  const message = error instanceof Error ? error.message : "";
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    return `this Node (${process.version}) does not read TypeScript; rename it to ${CONFIG_NAMES[1]}`;
  }
  if (code === "ERR_MODULE_NOT_FOUND" && message.includes("'orch'")) {
    return "export a plain object: `export default { … }` needs no import";
  }
  if (/'export'|import statement outside a module/.test(message)) {
    return `this package is CommonJS: rename ${name} to ${CONFIG_NAMES[1]}, or use module.exports`;
  }
  return "mend that line; the config must load without errors";
}

/** The line of the config that threw, as far as the error or a second look can tell. */
function lineIn(error: unknown, { path, text }: Source): number | null {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  const named = lineAfter(stack, basename(path));
  if (named !== null || !(error instanceof SyntaxError)) return named;
  // A module's syntax error carries no place, a script's does. Nothing is run here.
  try {
    compileFunction(text.replace(/^([ \t]*)export\s+default\b/m, "$1void"), [], {
      filename: path,
    });
  } catch (again) {
    const same = again instanceof SyntaxError && again.message === error.message;
    return same ? lineAfter(again.stack ?? "", basename(path)) : null;
  }
  return null;
}

function lineAfter(stack: string, file: string): number | null {
  const at = stack.indexOf(`${file}:`);
  if (at < 0) return null;
  const digits = /^\d+/.exec(stack.slice(at + file.length + 1));
  return digits === null ? null : Number(digits[0]);
}

/** Everything a driver starts or reads is named absolutely; it runs in another folder. */
function rooted(settings: Settings, folder: string): Settings {
  return { ...settings, agents: settings.agents.map((agent) => rootedAgent(agent, folder)) };
}

function rootedAgent(agent: AgentSpec, folder: string): AgentSpec {
  if (agent.driver === "script") return { ...agent, script: absolute(agent.script, folder) };
  if (agent.command === null) return agent;
  const [program, ...rest] = agent.command;
  // A bare name is looked up in PATH; one with a slash is a file of the project.
  const found =
    program === undefined || !program.includes("/") ? program : absolute(program, folder);
  if (found === undefined) return agent;
  return agent.driver === "command"
    ? { ...agent, command: [found, ...rest] }
    : { ...agent, command: [found, ...rest] };
}

function absolute(path: string, folder: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}
