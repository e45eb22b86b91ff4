// What did a run begin with, and which files say something else since?

import { basename, dirname, join, resolve } from "node:path";

import { templatesOf } from "../../core/model/task.ts";
import type { RunSource } from "../../core/model/event.ts";
import type { PinnedPolicy, Settings } from "../../core/model/settings.ts";
import type { Level } from "../../core/model/policy.ts";
import { digestOf } from "../../core/model/ids.ts";
import { OrchError } from "../../errors.ts";
import { parseConfig } from "../../schema/config.ts";
import { parsePinned, type PinnedDocument } from "../../schema/pinned-file.ts";
import { makeFolderDurable, requireFolder, writeFileAtomic } from "../files/atomic-file.ts";
import { entryKind, readFileBounded } from "../files/small-file.ts";
import type { RunFiles } from "../log/run-files.ts";
import { rooted, type LoadedConfig } from "./config-loader.ts";
import { storedPath } from "./task-argument.ts";
import { chosenNames, folderOf, markdownNames } from "./task-files.ts";
import { ownPromptPath, promptPath, readPrompt } from "./templates.ts";
import { parsed, unparsed, type Parsed } from "../../schema/parsed.ts";
import { namedSecrets } from "../redact.ts";

/** What every process of a run judges by. */
export interface Pinned {
  readonly settings: Settings;
  readonly level: Level | null;
  readonly prompts: PinnedDocument["prompts"];
  readonly files: PinnedDocument["files"];
  readonly git: PinnedDocument["git"];
  readonly config: string;
}

/** The text that is kept, and what the log says of it. */
type Pinning = ReturnType<typeof pin>;

export interface PinPlace {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

interface PinnedBeside extends Pick<PinnedDocument, "level" | "git"> {
  readonly source: RunSource;
}

const FILE_BYTES_MAX = 1024 * 1024;
const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024;
/** Used beside those that steps name. */
const ALWAYS = ["replan", "report-contract"];

/** Everything that was read for the run, as one text that says it all again. */
export function pin(
  config: LoadedConfig,
  { source, level, git }: PinnedBeside,
  { root, env }: PinPlace,
) {
  const prompts = Object.fromEntries(
    promptNames(config.settings)
      .filter((name) => promptPath(name, config.folder) !== null)
      .map((name) => [name, readPrompt(name, config.folder)]),
  );
  const path = storedPath(join(config.folder, basename(config.name)), root);
  const { json, made } = hiddenSecrets(config, env);
  const at = { path, prompts: Object.keys(prompts), source, root };
  const files = filesOf(at);
  const kept = { level, prompts, files, git };
  const document: PinnedDocument = { version: 1, config: { path, json }, ...kept };
  const text = JSON.stringify(document);
  const isTask = new Set(taskPaths(source, root).filter((file) => !basename(file).startsWith("_")));
  const paths = Object.keys(files).filter((file) => !isTask.has(file));
  const policy: PinnedPolicy = { sha256: digestOf(text), paths };
  // `made` is not in the text, and the first process has it.
  return { text, policy, made };
}

/** Durable, and private to the user, before the event that names it. */
export function keepPinned({ folder }: RunFiles, { text, policy }: Pinning): void {
  const at = join(folder, FOLDER);
  if (!makeFolderDurable(at)) requireFolder(at);
  writeFileAtomic(join(at, `${policy.sha256}.json`), text);
}

/** Throws OrchError "pinned-unusable" where it is not what the log says it is. */
export function readPinned({ folder }: RunFiles, { sha256: named }: PinnedPolicy, at: PinPlace) {
  const path = join(folder, FOLDER, `${named}.json`);
  const document = readFileBounded(path, DOCUMENT_BYTES_MAX);
  if (document.kind !== "read")
    throw unusable(`${path} ${document.kind === "absent" ? "is gone" : document.why}`);
  if (digestOf(document.text) !== named) throw unusable(`${path} was changed since`);
  return pinnedIn(document.text, at);
}

const FOLDER = "pinned";

export function pinnedIn(text: string, { root, env }: PinPlace): Pinned {
  const read = parsePinned(text);
  if (!read.ok) throw unusable(`it was kept by another orch (${read.problems[0] ?? ""})`);
  const { config, level, prompts, files, git } = read.value;
  const shown = shownSecrets(config.json, env);
  if (!shown.ok)
    throw unusable(
      `the variable ${shown.problems.join(", ")} is not set, and its value is not kept`,
    );
  const checked = parseConfig(shown.value, config.path);
  if (!checked.ok)
    throw unusable(
      `this orch does not know what stood in the config: ${checked.problems[0]?.message ?? ""}`,
    );
  const settings = rooted(checked.value, dirname(resolve(root, config.path)));
  return { settings, level, prompts, files, git, config: config.path };
}

function unusable(why: string): OrchError {
  return new OrchError(
    "pinned-unusable",
    `the settings the run began with cannot be used: ${why}`,
    "`orch resume --reload-config` continues with the config and tasks as they are now",
  );
}

/** Files that were changed, added or removed since, as far as the run would have read them. */
export function changedSince(
  { files, config: path, prompts }: Pinned,
  { source, root }: { readonly source: RunSource; readonly root: string },
): readonly string[] {
  const now = filesOf({ path, prompts: Object.keys(prompts), source, root });
  const both = new Set([...Object.keys(files), ...Object.keys(now)]);
  return [...both].filter((file) => files[file] !== now[file]);
}

interface Files {
  readonly path: string;
  readonly prompts: readonly string[];
  readonly source: RunSource;
  readonly root: string;
}

/** Those that are there, with what tells one text from another. */
function filesOf({ path, prompts, source, root }: Files): Readonly<Record<string, string>> {
  const folder = dirname(resolve(root, path));
  const promptPaths = prompts.map((name) => storedPath(ownPromptPath(name, folder), root));
  const all = [path, ...promptPaths, ...taskPaths(source, root)];
  return Object.fromEntries(
    all.flatMap((file) => {
      const read = readFileBounded(resolve(root, file), FILE_BYTES_MAX, "followed");
      return read.kind === "read" ? [[file, digestOf(read.text)]] : [];
    }),
  );
}

/** Tasks, and the context that is given to each. */
function taskPaths(source: RunSource, root: string): readonly string[] {
  if (source.kind === "words") return [];
  const folder = folderOf(source, root);
  // A folder that is gone by now is a change, and no error.
  const names = entryKind(folder) === "absent" ? [] : markdownNames(folder);
  const chosen = chosenNames(source);
  const context = names.filter((name) => name.startsWith("_"));
  const read = chosen === null ? names : new Set([...chosen, ...context]);
  return Array.from(read, (name) => storedPath(join(folder, name), root));
}

function promptNames({ pipelines }: Settings): readonly string[] {
  const named = pipelines.flatMap(({ steps }) => steps.flatMap(templatesOf));
  return [...new Set([...named, ...ALWAYS])];
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * What the config exported, as JSON, with the name of a variable in each secret's place. A value that
 * stands in the config's own text is in a file already, and stays. `made`: its own secrets, by the
 * variables that have to hold them later.
 */
export function hiddenSecrets(config: LoadedConfig, env: Env) {
  const taken = namedSecrets(env);
  const others = config.settings.agents
    .flatMap((agent) => namedSecrets(agent.env))
    .filter(([value]) => !taken.some(([secret]) => value.includes(secret)));
  const named = new Map(taken);
  const made: Record<string, string> = {};
  for (const [value, name] of others) {
    const given = Object.keys(env).find((one) => env[one]?.trim() === value);
    const variable = given ?? freeName(name, value, { ...env, ...made });
    named.set(value, variable);
    if (given === undefined) made[variable] = value;
  }
  const hidden = [...named]
    .filter(([value]) => !config.text.includes(value))
    .sort(([a], [b]) => b.length - a.length);
  const json = JSON.stringify(config.raw, (_key, value: unknown) =>
    typeof value === "string"
      ? hidden.reduce((text, [secret, name]) => text.replaceAll(secret, `\0${name}\0`), value)
      : value,
  );
  return { json, made };
}

/** Of a variable that holds no other value. */
function freeName(name: string, value: string, env: Env): string {
  return (env[name] ?? value) === value ? name : freeName(`ORCH_${name}`, value, env);
}

/** The config's export with all values in place; otherwise the variables that are not set. */
export function shownSecrets(json: string, env: Env): Parsed<unknown> {
  const missing = new Set<string>();
  const shown: unknown = JSON.parse(json, (_key, value: unknown) =>
    typeof value === "string"
      ? value.replace(/\0([^\0]+)\0/g, (_all, name: string) => {
          const secret = env[name]?.trim();
          if (secret === undefined) missing.add(name);
          return secret ?? "";
        })
      : value,
  );
  return missing.size === 0 ? parsed(shown) : unparsed(...missing);
}
