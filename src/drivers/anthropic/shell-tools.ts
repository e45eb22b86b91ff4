// How does the model run commands, and search the tree?

import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { bytesAt, PRIVATE_FILE, readingFile } from "../../adapters/files/disk.ts";
import { entryKind } from "../../adapters/files/small-file.ts";
import { findProgram } from "../../adapters/process/program.ts";
import { clip } from "../../core/model/excerpt.ts";
import { nameAt, numberAt, textAt, type JsonObject } from "../../core/model/json.ts";
import type { Permit } from "../permission.ts";
import type { AgentOptions } from "./options.ts";
import { pathFor, type Reach } from "./file-tools.ts";
import { defineTool, type Tool } from "./tool.ts";

const DEFAULT_S = 120;
const SEARCH_MS = 60_000;
const SEARCH_CHARS_MAX = 20_000;
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;
const SHOWN_BYTES_MAX = 30_000;
const LOOK_MS = 250;

const BASH =
  "Runs a command line in the working tree; gives its output and exit code. Each call is a new shell, without input. What runs in the background ends with the session.";
const SEARCH =
  "Finds lines in the files of the tree by a regular expression; files that git ignores are left out.";

export function shellTools(
  options: Reach & Pick<AgentOptions, "commandMsMax">,
  commands: ReturnType<typeof createCommands>,
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

/** By ripgrep, else by git, which orch needs anyway; both know what git ignores, and end with 1 where nothing matches. */
function searchFor(input: JsonObject, reach: Reach) {
  const path = pathFor(textAt(input, "path") ?? ".", "read", reach);
  const [folder, file] = entryKind(path) === "a file" ? [dirname(path), basename(path)] : [path];
  const pattern = ["-e", nameAt(input, "pattern")];
  const glob = textAt(input, "glob");
  const ripgrep = findProgram("rg", process.env["PATH"] ?? "");
  if (ripgrep === null)
    return { folder, words: [...GIT_GREP, ...pattern, "--", file ?? glob ?? "."] };
  const only = file === undefined && glob !== null ? ["--glob", glob] : [];
  return { folder, words: [ripgrep, ...RIPGREP, ...only, ...pattern, "--", file ?? "."] };
}

const RIPGREP = "--no-config --hidden --glob !.git --no-heading --color=never -n".split(" ");
const GIT_GREP = "git --no-pager grep --no-index --exclude-standard --no-color -nIE".split(" ");

/** Rejects where the command failed. */
function outcome({ exitCode, how, output }: CommandEnd): string {
  const text = `${output.trimEnd()}\n[${how}]`.trimStart();
  if (exitCode !== 0) throw new Error(text);
  return text;
}

interface CommandEnd {
  /** null: it was ended. */
  readonly exitCode: number | null;
  readonly how: string;
  /** Beginning and end of a long one, with where all of it lies. */
  readonly output: string;
}

/** `folder` is for the outputs, a file for each command: a pipe would bring them into memory. */
export function createCommands(folder: string) {
  const groups = new Set<number>();
  let count = 0;
  return {
    /** Ends with the command itself: what it left in the background goes on. Rejects where it cannot start. */
    run: async (words: readonly string[], cwd: string, timeoutMs: number): Promise<CommandEnd> => {
      const [file = "", ...args] = words;
      const path = join(folder, `command-${(count += 1)}.log`);
      const fd = openSync(path, "wx", PRIVATE_FILE);
      const child = spawn(file, args, { cwd, detached: true, stdio: ["ignore", fd, fd] });
      closeSync(fd);
      const { pid: group = 0 } = child;
      if (group > 0) groups.add(group);
      const end = await ended(child, path, timeoutMs);
      if (!send(group, 0)) groups.delete(group);
      return { ...end, output: outputIn(path) };
    },
    /** Kills what is left of every command. */
    endAll: (): void => groups.forEach((group) => send(group, "SIGKILL")),
  };
}

function ended(child: ChildProcess, output: string, timeoutMs: number) {
  let reason: string | null = null;
  const end = (why: string): void => {
    reason ??= why;
    send(child.pid ?? 0, "SIGKILL");
  };
  const late = setTimeout(() => end("ended because it took too long"), timeoutMs);
  const look = setInterval(() => {
    if (statSync(output).size > OUTPUT_BYTES_MAX) end("ended because it printed too much");
  }, LOOK_MS);
  return new Promise<Omit<CommandEnd, "output">>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode, signal) => {
      const how = exitCode === null ? `ended by ${signal}` : `exit code ${exitCode}`;
      resolve({ exitCode: reason === null ? exitCode : null, how: reason ?? how });
    });
  }).finally(() => {
    clearTimeout(late);
    clearInterval(look);
  });
}

/** False: nobody of the group is there any more. */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return group > 0 && process.kill(-group, signal);
  } catch {
    return false;
  }
}

function outputIn(path: string): string {
  return readingFile(path, (fd, bytes) => {
    if (bytes <= SHOWN_BYTES_MAX) return bytesAt(fd, 0, bytes).toString("utf8");
    const half = SHOWN_BYTES_MAX / 2;
    const [head, tail] = [bytesAt(fd, 0, half), bytesAt(fd, bytes - half, half)];
    const left = `[${bytes - 2 * half} bytes are left out; all of it is in ${path}]`;
    return `${head.toString("utf8")}\n${left}\n${tail.toString("utf8")}`;
  });
}
