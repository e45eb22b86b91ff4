// How does a task file begin?

import { basename, join, relative } from "node:path";

import { loadExeca } from "../../adapters/process/run-program.ts";
import { loadConfig } from "../../adapters/project/config-loader.ts";
import { writeNewTask } from "../../adapters/project/init-files.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { OrchError } from "../../errors.ts";
import { type CliIo, printResult, styleOf } from "../io.ts";
import { atWords } from "../layout.ts";
import { type Command, usage } from "../command-line/options.ts";

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
async function edited(editor: string, file: string, { env, cwd }: CliIo): Promise<string | null> {
  const execa = await loadExeca();
  const end = await execa("/bin/sh", ["-c", `${editor} "$@"`, editor, file], {
    env: { ...env },
    extendEnv: false,
    cwd,
    stdio: "inherit",
    reject: false,
  });
  if (!end.failed) return null;
  if (end.exitCode === undefined && end.signal === undefined)
    return `could not be started: ${end.originalMessage}`;
  return `ended with ${end.signal ?? `exit code ${end.exitCode}`}`;
}
