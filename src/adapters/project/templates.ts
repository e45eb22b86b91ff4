// Which text does a template name stand for: the project's own, or the one that comes with orch?

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isSafeId } from "../../core/model/ids.ts";
import { OrchError } from "../../errors.ts";
import { readFileBounded } from "../files/small-file.ts";
import { withoutByteOrderMark } from "../../schema/parsed.ts";
import { packageFolder } from "./package-folder.ts";
import { existing } from "./task-argument.ts";

/** Below the config's folder; `orch init` puts editable copies there. */
export const PROMPT_FOLDER = "prompts";
export const BUILT_IN_PROMPTS: readonly string[] =
  "plan implement test review replan coach report-contract".split(" ");

const PROMPT_BYTES_MAX = 256 * 1024;

/** The file behind a template's name, or null. `folder` is the config's. */
export function promptPath(name: string, folder: string): string | null {
  if (!isSafeId(name)) return null;
  const ofProject = ownPromptPath(name, folder);
  const shipped = join(packageFolder(), "templates/prompts", `${name}.md`);
  return [ofProject, shipped].find((path) => existing(path) === "file") ?? null;
}

/** Where the project's own text would be. */
export function ownPromptPath(name: string, folder: string): string {
  return join(folder, PROMPT_FOLDER, `${name}.md`);
}

/** The template's text; throws OrchError prompt-missing where neither project nor orch has it. */
export function readPrompt(name: string, folder: string): string {
  const path = promptPath(name, folder);
  if (path === null) throw missingPrompt(name);
  const file = readFileBounded(path, PROMPT_BYTES_MAX, "followed");
  if (file.kind === "read") return withoutByteOrderMark(file.text);
  throw new OrchError(
    "prompt-missing",
    `the prompt template ${path} ${file.kind === "refused" ? file.why : "does not exist"}`,
    "shorten it; put long material into the task or into a file the agent can read",
  );
}

/** Of texts that were read before; throws OrchError prompt-missing. */
export function promptIn(prompts: Readonly<Record<string, string>>, name: string): string {
  const text = Object.hasOwn(prompts, name) ? prompts[name] : undefined;
  if (text !== undefined) return text;
  throw missingPrompt(name);
}

function missingPrompt(name: string): OrchError {
  return new OrchError(
    "prompt-missing",
    `there is no prompt template ${JSON.stringify(name)}`,
    `write ${PROMPT_FOLDER}/${name}.md, or use one of: ${BUILT_IN_PROMPTS.join(", ")}`,
  );
}

/** A file of the shipped `templates/`. */
export function readTemplate(name: string): string {
  return readFileSync(join(packageFolder(), "templates", name), "utf8");
}
