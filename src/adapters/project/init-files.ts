// Which files does a new project get, and which of them were there before?

import { existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { OrchError } from "../../errors.ts";
import { CONFIG_NAMES } from "./config-loader.ts";
import type { DetectedGate, Project } from "./project-detect.ts";
import { ensureOrchFolder } from "../log/run-files.ts";
import { storedPath } from "./task-argument.ts";
import { BUILT_IN_PROMPTS, PROMPT_FOLDER, readTemplate } from "./templates.ts";

export interface InitFile {
  /** Relative to the root, with "/". */
  readonly path: string;
  /** "kept": it was there before and is as it was. */
  readonly outcome: "written" | "kept" | "replaced";
}

/** Writes what is missing. Existing files are kept, unless `replace` is asked for by name of a flag. */
export function writeInitFiles(
  root: string,
  project: Project,
  replace: boolean,
): readonly InitFile[] {
  // In a CommonJS package, and in one that does not say, only `.mjs` is read as a module in silence.
  const fresh = project.readsModules ? CONFIG_NAMES[0] : CONFIG_NAMES[1];
  const config = CONFIG_NAMES.find((name) => existsSync(join(root, name))) ?? fresh;
  const files = [
    { path: config, text: configText(config, project) },
    ...BUILT_IN_PROMPTS.map((name) => ({
      path: `${PROMPT_FOLDER}/${name}.md`,
      text: readTemplate(`prompts/${name}.md`),
    })),
    { path: "tasks/example.md", text: readTemplate("task.md") },
  ];
  const outcomes = files.map((file) => ({ path: file.path, outcome: write(root, file, replace) }));
  const isThere = existsSync(join(root, ".orch"));
  ensureOrchFolder(root);
  return [...outcomes, { path: ".orch/.gitignore", outcome: isThere ? "kept" : "written" }];
}

/** The config's template with this project's gates. */
function configText(name: string, project: Project): string {
  const text = readTemplate("config.js").replace("/*{{gates}}*/", () => gatesText(project.gates));
  if (!name.endsWith(".cjs")) return text;
  return text.replace("export default {", "module.exports = {");
}

function gatesText(gates: readonly DetectedGate[]): string {
  if (gates.length === 0) {
    return [
      '// No test command was found here. Name one; or say that nothing proves the work: gates: "none".',
      '  //gates: {\n  //  test: { run: "make test" },\n  //},',
    ].join("\n");
  }
  const lines = gates.map(({ name, run }) => {
    const key = /^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name);
    return `    ${key}: { run: ${JSON.stringify(run)} },`;
  });
  return ["gates: {", ...lines, "  },"].join("\n");
}

function write(
  root: string,
  file: { readonly path: string; readonly text: string },
  replace: boolean,
): InitFile["outcome"] {
  const path = join(root, ...file.path.split("/"));
  makeFolder(dirname(path), root);
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before !== undefined && (!replace || !before.isFile())) return "kept";
  const flag = before === undefined ? "wx" : "w";
  make(file.path, () => writeFileSync(path, file.text, { flag }));
  return before === undefined ? "written" : "replaced";
}

function make(name: string, making: () => void): void {
  try {
    making();
  } catch (cause) {
    const message = `${name} cannot be made: ${String(cause).replace("Error: ", "")}`;
    const hint = "move what is in its place, or see that there is room and permission";
    throw new OrchError("init-exists", message, hint, { cause });
  }
}

/** A folder that is a link out of the project is somebody else's. */
function makeFolder(folder: string, root: string): void {
  const name = relative(root, folder);
  make(name, () => mkdirSync(folder, { recursive: true }));
  const real = realpathSync(folder);
  if (!isAbsolute(storedPath(real, realpathSync(root)))) return;
  const message = `${name} leads out of the project, to ${real}`;
  throw new OrchError("init-exists", message, "replace the link by a folder");
}
