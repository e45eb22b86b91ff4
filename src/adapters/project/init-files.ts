// Which files does a new project get, and which of them were there before?

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { slug, TASK_ID_CHARS_MAX } from "../../core/model/ids.ts";
import { OrchError } from "../../errors.ts";
import { CONFIG_NAMES } from "./config-loader.ts";
import type { DetectedGate } from "./project-detect.ts";
import { namesIn, readFileBounded } from "../files/small-file.ts";
import { ensureOrchFolder } from "../log/run-files.ts";
import { BUILT_IN_PROMPTS, PROMPT_FOLDER, readTemplate } from "./templates.ts";
import { taskName } from "./task-argument.ts";

export interface InitFile {
  /** Relative to the root, with "/". */
  readonly path: string;
  /** "kept": it was there before and is as it was. */
  readonly outcome: "written" | "kept" | "replaced";
}

export interface ChosenGate extends DetectedGate {
  /** Why it is written as a comment; null: it is used. */
  readonly leftOut: string | null;
}

interface Chosen {
  readonly gates: readonly ChosenGate[];
  readonly prepare: ChosenGate | null;
  readonly readsModules: boolean;
  /** Copies of the prompts, to be edited. */
  readonly prompts: boolean;
  /** What is there and differs gives way. */
  readonly replace: boolean;
  /** null: the one that counts where none is named. */
  readonly agent: string | null;
}

const SAMPLE_TITLE = "Say in one line what is to be done";

/** The config that is there, else the one that would be written. */
export function configName(folder: string, readsModules: boolean): string {
  // In a CommonJS package, and in one that does not say, only `.mjs` is read as a module in silence.
  const fresh = readsModules ? CONFIG_NAMES[0] : CONFIG_NAMES[1];
  return CONFIG_NAMES.find((name) => existsSync(join(folder, name))) ?? fresh;
}

/** Writes what is missing below `folder`, which may be a package of the repository at `root`. */
export function writeInitFiles(folder: string, root: string, chosen: Chosen): readonly InitFile[] {
  const config = configName(folder, chosen.readsModules);
  const files = [
    { path: config, text: configText(config, chosen) },
    ...(chosen.prompts ? BUILT_IN_PROMPTS : []).map((name) => ({
      path: `${PROMPT_FOLDER}/${name}.md`,
      text: readTemplate(`prompts/${name}.md`),
    })),
  ];
  const outcomes = files.map((file) => write(folder, file, chosen.replace));
  ensureOrchFolder(root);
  return outcomes;
}

/** The config's template with this project's commands. */
function configText(name: string, { gates, prepare, agent }: Chosen): string {
  const commands = `${gatesText(gates)}${prepare === null ? "" : prepareText(prepare)}`;
  const text = readTemplate("config.js")
    .replace("/*{{commands}}*/", () => commands)
    .replace("/*{{agent}}*/", () => `${agent === null ? "//" : ""}agent: "${agent ?? "codex"}",`);
  if (!name.endsWith(".cjs")) return text;
  return text.replace("export default {", "module.exports = {");
}

function gatesText(gates: readonly ChosenGate[]): string {
  const lines = gates.map(({ name, run, leftOut }) => {
    const key = /^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name);
    const gate = `${key}: { run: ${JSON.stringify(run)} },`;
    return leftOut === null ? `    ${gate}` : `    //${gate} // ${leftOut}`;
  });
  if (gates.some(({ leftOut }) => leftOut === null))
    return ["gates: {", ...lines, "  },"].join("\n");
  const open = lines.length > 0 ? lines : ['    //test: { run: "make test" },'];
  const ask = '// Name a command; or say that nothing proves it: gates: "none".';
  return [ask, "  gates: {", ...open, "  },"].join("\n");
}

function prepareText({ run, leftOut }: ChosenGate): string {
  const line = `worktree: { prepare: ${JSON.stringify(run)} },`;
  const used = leftOut === null ? line : `//${line} // ${leftOut}`;
  return `\n\n  // Runs on each commit before its gates: what they need and no commit holds.\n  ${used}`;
}

const FILE_BYTES_MAX = 4 * 1024 * 1024;

function write(root: string, file: { path: string; text: string }, replace: boolean): InitFile {
  const path = join(root, file.path);
  const there = readFileBounded(path, FILE_BYTES_MAX);
  if (there.kind === "absent") {
    make(root, file.path, () => writeFileSync(path, file.text, { flag: "wx" }));
    return { path: file.path, outcome: "written" };
  }
  if (!replace || there.kind === "refused" || there.text === file.text)
    return { path: file.path, outcome: "kept" };
  make(root, file.path, () => writeFileSync(path, file.text));
  return { path: file.path, outcome: "replaced" };
}

/** A task file with nothing but its title, as "add-login-2.md" where there is one; the path below the folder, with "/". */
export function writeNewTask(folder: string, taskFolder: string, title: string): string {
  const ids = namesIn(join(folder, taskFolder)).map((name) =>
    slug(taskName(name), TASK_ID_CHARS_MAX),
  );
  const stem = slug(title, TASK_ID_CHARS_MAX - 5);
  let id = stem;
  for (let count = 2; ids.includes(id); count++) id = `${stem}-${count}`;
  const path = `${taskFolder}/${id}.md`;
  // In a function: a title may hold what a replacement would read as a pattern.
  const text = readTemplate("task.md").replace(SAMPLE_TITLE, () => title);
  make(folder, path, () => writeFileSync(join(folder, path), text, { flag: "wx" }));
  return path;
}

function make(root: string, name: string, making: () => void): void {
  try {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    making();
  } catch (cause) {
    const message = `${name} cannot be made: ${String(cause).replace("Error: ", "")}`;
    const hint = "move what is in its place, or check disk space and permissions";
    throw new OrchError("init-exists", message, hint, { cause });
  }
}
