// Can this program be started, and with which words?

import { accessSync, constants, existsSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";

import { refusedBy } from "../../core/model/machine.ts";
import { withFile } from "../files/disk.ts";
import { BECOME_MARKED, type Mark } from "./mark.ts";

export interface Refused {
  readonly kind: "not-started";
  readonly why: "program-missing" | "refused" | "machine";
  readonly detail: string;
}

type Environment = Readonly<Record<string, string>>;

export function refused(detail: string): Refused {
  return { kind: "not-started", why: refusedBy(detail), detail };
}

/** A shell takes the mark and becomes the program; without a mark the program is started itself. */
export function wordsFor(
  program: readonly string[],
  mark: Mark | null,
  env: Environment,
): readonly string[] {
  if (mark === null) return program;
  // Variables that no shell can name get lost in some, so they are said again.
  const odd = Object.entries(env).filter(([name]) => !/^[A-Za-z_]\w*$/.test(name));
  const again = odd.map(([name, value]) => `${name}=${value}`);
  const said = again.length === 0 ? [] : ["/usr/bin/env", ...again];
  return ["/bin/sh", "-c", BECOME_MARKED, "orch", mark.value, ...said, ...program];
}

/** Asked before, because the shell would only say it in words. null: nothing is in the way. */
export function obstacle(file: string, cwd: string, env: Environment): Refused | null {
  if (!existsSync(cwd)) return refused(`the working directory ${cwd} does not exist`);
  const folders = file.includes("/") ? [""] : (env["PATH"] ?? "/usr/bin:/bin").split(":");
  const there = folders.map((folder) => resolve(cwd, folder, file)).filter(existsSync);
  if (there.length === 0)
    return { kind: "not-started", why: "program-missing", detail: `${file} was not found` };
  const path = there.find(isExecutable);
  if (path === undefined) return refused(`${there[0]} is not an executable file (EACCES)`);
  const interpreter = interpreterOf(path);
  if (interpreter === null || existsSync(resolve(cwd, interpreter))) return null;
  return refused(`${path} exists, but the interpreter its first line names does not`);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const FIRST_LINE_BYTES = 256;

/** null: it is no script, or may be run and not read. */
function interpreterOf(path: string): string | null {
  const start = Buffer.alloc(FIRST_LINE_BYTES);
  try {
    withFile(path, "r", (fd) => readSync(fd, start));
  } catch {
    return null;
  }
  return /^#![ \t]*([^\s\0]+)/.exec(start.toString("latin1"))?.[1] ?? null;
}
