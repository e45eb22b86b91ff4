// How does the model run commands, and search the tree?

import { basename, dirname } from "node:path";

import { entryKind } from "../../adapters/files/small-file.ts";
import { findProgram } from "../../adapters/process/program.ts";
import { clip } from "../../core/model/excerpt.ts";
import { nameAt, numberAt, textAt, type JsonObject } from "../../core/model/json.ts";
import type { CommandEnd, Commands } from "./command.ts";
import type { Permit } from "../permission.ts";
import type { AgentOptions } from "./options.ts";
import { pathFor, type Reach } from "./paths.ts";
import { defineTool, type Tool } from "./tool.ts";

const DEFAULT_S = 120;
const SEARCH_MS = 60_000;
const SEARCH_CHARS_MAX = 20_000;

const BASH =
  "Runs a command line in the working tree; gives its output and exit code. Each call is a new shell, without input. What runs in the background ends with the session.";
const SEARCH =
  "Finds lines in the files of the tree by an extended regular expression; files that git ignores are left out.";

export function shellTools(
  options: Reach & Pick<AgentOptions, "commandMsMax">,
  commands: Commands,
  permit: Permit,
): readonly Tool[] {
  const { cwd, commandMsMax } = options;
  const mostS = Math.floor(commandMsMax / 1000);
  const command = ["string", "The line for the shell."] as const;
  const timeout_s = ["integer?", `When to end it; ${DEFAULT_S}, at most ${mostS}.`] as const;
  const pattern = ["string", "The expression."] as const;
  const path = ["string?", "The folder or file to search, instead of the whole tree."] as const;
  const glob = ["string?", 'Only files of such names, like "*.ts".'] as const;
  return [
    defineTool(["bash", BASH], { command, timeout_s }, async (input, call) => {
      const line = nameAt(input, "command");
      await permit(line, call);
      const timeoutMs = Math.min(commandMsMax, (numberAt(input, "timeout_s") ?? DEFAULT_S) * 1000);
      const shell = findProgram("bash", process.env["PATH"] ?? "") ?? "/bin/sh";
      return outcome(await commands.run([shell, "-c", line], cwd, timeoutMs));
    }),
    defineTool(["search", SEARCH], { pattern, path, glob }, async (input) => {
      const { words, folder } = searchFor(input, options);
      const end = await commands.run(words, folder, SEARCH_MS);
      if (end.exitCode === 1) return "Nothing matches.";
      return end.exitCode === 0 ? clip(end.output, SEARCH_CHARS_MAX) : outcome(end);
    }),
  ];
}

/** ripgrep where it is there; git, which orch needs anyway, knows as well what it ignores. */
function searchFor(input: JsonObject, reach: Reach) {
  const path = pathFor(textAt(input, "path") ?? ".", "read", reach);
  const isFile = entryKind(path) === "a file";
  const [folder, where] = isFile ? [dirname(path), basename(path)] : [path, "."];
  const glob = isFile ? null : textAt(input, "glob");
  const pattern = ["-e", nameAt(input, "pattern"), "--"];
  const rg = findProgram("rg", process.env["PATH"] ?? "");
  if (rg === null) return { folder, words: [...GIT_GREP, ...pattern, glob ?? where] };
  const only = glob === null ? [] : ["-g", glob];
  return { folder, words: [rg, ...RIPGREP, ...only, ...pattern, where] };
}

const RIPGREP = "--no-config --color=never --no-heading -nM 500".split(" ");
const GIT_GREP = "git --no-pager grep --no-index --exclude-standard --no-color -nIE".split(" ");

/** Rejects where the command failed. */
function outcome({ exitCode, how, output }: CommandEnd): string {
  const text = `${output.trimEnd()}\n[${how}]`.trimStart();
  if (exitCode !== 0) throw new Error(text);
  return text;
}
