// How does a task file begin?

import { spawn } from "node:child_process";
import { basename, join, relative } from "node:path";

import { loadConfig } from "../../adapters/project/config-loader.ts";
import { writeNewTask } from "../../adapters/project/init-files.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { OrchError } from "../../errors.ts";
import { type CliIo, printResult, styleOf } from "../io.ts";
import { atWords } from "../layout.ts";
import { type Command, usage } from "../options.ts";

const TITLE_CHARS_MAX = 200;

export const newCommand: Command = async (words, given, io) => {
  const title = excerpt(words.join(" "), TITLE_CHARS_MAX);
  if (title === "") throw usage("the task has no title", 'say it in words: orch new "Add login"');
  const { folder, settings } = await loadConfig(io.cwd);
  const file = join(folder, writeNewTask(folder, settings.taskFolder, title));
  const path = relative(io.cwd, file);
  printResult(io, given, { path, title }, () => path);
  const editor = [io.env["VISUAL"], io.env["EDITOR"]].find((one) => (one ?? "").trim() !== "");
  const isTerminal = io.stdin.isTTY === true && io.stdout.isTTY === true && given.json !== true;
  if (!isTerminal) return 0;
  const failure = editor === undefined ? null : await edited(editor, file, io);
  if (failure === null) {
    const first =
      editor === undefined ? "write into it what must be true when it is done, then " : "";
    const next = `next: ${first}orch run ${basename(file, ".md")}`;
    io.stderr.write(`${atWords(styleOf(io, "stderr"), next)}\n`);
    return 0;
  }
  throw new OrchError(
    "editor-failed",
    `the editor ${JSON.stringify(editor)} ${failure}`,
    `${path} was written; open it in another editor`,
  );
};

/** As git starts it: a line for the shell, so that it may have options. Why it failed; null: it did not. */
function edited(editor: string, file: string, { env, cwd }: CliIo): Promise<string | null> {
  return new Promise((resolve) => {
    const words = ["-c", `${editor} "$@"`, editor, file];
    const child = spawn("/bin/sh", words, { env, cwd, stdio: "inherit" });
    child.once("error", (error) => resolve(`could not be started: ${error.message}`));
    child.once("close", (code, signal) =>
      resolve(code === 0 ? null : `ended with ${signal ?? `exit code ${code}`}`),
    );
  });
}
