// Where is a program that orch starts, which no agent put in its way, and can it be started?

import { spawnSync } from "node:child_process";
import { accessSync, constants, realpathSync, statSync, existsSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

import { pathInside } from "../files/small-file.ts";
import { refusedBy } from "../../core/model/machine.ts";
import { BECOME_MARKED } from "./identity.ts";

/** The absolute folders of PATH, as they lie to a folder in which agents work. */
export function ownPath(path: string, root: string) {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder));
  const [real, inside] = [realOf(root), (at: string) => pathInside(real, realOf(at)) !== null];
  return { outside: folders.filter((folder) => !inside(folder)), inside: folders.filter(inside) };
}

const PATH_DEFAULT = "/usr/bin:/bin";
const programs = new Map<string, string>();

/**
 * A program that orch starts itself, by absolute path: the first that was found stays, and what lies
 * in `root` is none, for whoever works there can have written it.
 */
export function ownProgram(name: string, path: string | undefined, root: string): string | null {
  const key = [name, path, root].join("\0");
  const remembered = programs.get(key);
  if (remembered !== undefined) return remembered;
  const resolved = findProgram(name, ownPath(path ?? PATH_DEFAULT, root).outside.join(delimiter));
  if (resolved !== null) programs.set(key, resolved);
  return resolved;
}

export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // Nothing is there.
  }
}

/** The absolute path of a program, or null where PATH does not lead to it. */
export function findProgram(name: string, path: string): string | null {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isExecutable) ?? null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // Missing and forbidden come to the same: it cannot be started.
  }
}

/** Text as one word of a POSIX shell, whatever it holds. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export interface Refused {
  readonly kind: "not-started";
  readonly why: "program-missing" | "refused" | "machine";
  readonly detail: string;
}

type Environment = Readonly<Record<string, string>>;

export function refused(detail: string): Refused {
  return { kind: "not-started", why: refusedBy(detail), detail };
}

const SETPRIV = "/usr/bin/setpriv";
const DYING = ["--pdeathsig", "KILL"];
let dying: readonly string[] | null = null;

/** Words before a program that the kernel is to kill when orch dies; none where no setpriv can do that. */
export function dyingWithOrch(): readonly string[] {
  dying ??= spawnSync(SETPRIV, [...DYING, "true"]).status === 0 ? [SETPRIV, ...DYING] : [];
  return dying;
}

/** A shell takes the mark and becomes the program; without a mark the program is started itself. */
export function wordsFor(
  program: readonly string[],
  mark: string | null,
  env: Environment,
): readonly string[] {
  if (mark === null) return program;
  // Variables that no shell can name get lost in some, so they are said again.
  const odd = Object.entries(env).filter(([name]) => !/^[A-Za-z_]\w*$/.test(name));
  const again = odd.map(([name, value]) => `${name}=${value}`);
  const setting = again.length === 0 ? [] : ["/usr/bin/env", ...again];
  return ["/bin/sh", "-c", BECOME_MARKED, "orch", mark, ...setting, ...program];
}

/** Asked before, because the shell would only say it in words. null: nothing is in the way. */
export function obstacle(file: string, cwd: string, env: Environment): Refused | null {
  if (!existsSync(cwd)) return refused(`the working directory ${cwd} does not exist`);
  const folders = file.includes("/") ? [""] : (env["PATH"] ?? "/usr/bin:/bin").split(":");
  const there = folders.map((folder) => resolve(cwd, folder, file)).filter(existsSync);
  if (there.length === 0)
    return { kind: "not-started", why: "program-missing", detail: `${file} was not found` };
  if (there.some(isExecutable)) return null;
  return refused(`${there[0]} is not an executable file (EACCES)`);
}
