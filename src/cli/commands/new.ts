// How does a task file begin?

import { basename, join, relative } from "node:path";

import { loadConfig } from "../../adapters/project/config-loader.ts";
import { writeNewTask } from "../../adapters/project/init-files.ts";
import { excerpt } from "../../core/model/excerpt.ts";
import { printErr, printResult, styleOf } from "../io.ts";
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
  const next = `next: write into it what must be true when it is done, then orch run ${basename(file, ".md")}`;
  printErr(io, atWords(styleOf(io, "stderr"), next));
  return 0;
};
