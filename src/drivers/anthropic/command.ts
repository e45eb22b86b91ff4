// How does the agent run a command so that its output costs no memory and nothing of it stays?

import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";

import { bytesAt, PRIVATE_FILE, readingFile } from "../../adapters/files/disk.ts";

export interface CommandEnd {
  /** null: it was ended. */
  readonly exitCode: number | null;
  readonly how: string;
  /** Beginning and end of a long one, with where all of it lies. */
  readonly output: string;
}

const OUTPUT_BYTES_MAX = 256 * 1024 * 1024;
const SHOWN_BYTES_MAX = 30_000;
const LOOK_MS = 250;

export type Commands = ReturnType<typeof createCommands>;

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
