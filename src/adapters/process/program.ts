// Can this program be started, and with which words?

import { existsSync } from "node:fs";
import { resolve } from "node:path";

import { refusedBy } from "../../core/model/machine.ts";
import { isExecutable } from "./find-program.ts";
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
  const setting = again.length === 0 ? [] : ["/usr/bin/env", ...again];
  return ["/bin/sh", "-c", BECOME_MARKED, "orch", mark.value, ...setting, ...program];
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
