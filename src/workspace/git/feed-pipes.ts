// What if an agent leaves a pipe where git expects a file, and git waits for its writer?

import { closeSync, constants, lstatSync, openSync } from "node:fs";
import { basename, join } from "node:path";

import { filesBelow } from "../../adapters/files/small-file.ts";

/** git reads them wherever they lie, and looks at what they are afterwards. */
const READ_BY_GIT: ReadonlySet<string> = new Set([".gitattributes", ".gitignore"]);
/** Hardly a call takes as long. */
const FIRST_LOOK_MS = 1_000;
const AGAIN_MS = 50;

/** While a call of git lasts, such pipes are empty files to it. The returned function ends that. */
export function feedPipes(root: string): () => void {
  let timer = setTimeout(() => feed(pipesBelow(root)), FIRST_LOOK_MS);
  const feed = (pipes: readonly string[]): void => {
    pipes.forEach(openForMoment);
    if (pipes.length > 0) timer = setTimeout(() => feed(pipes), AGAIN_MS);
  };
  return () => clearTimeout(timer);
}

function pipesBelow(root: string): readonly string[] {
  const named = filesBelow(root).paths.filter((path) => READ_BY_GIT.has(basename(path)));
  return named.map((path) => join(root, path)).filter(isPipe);
}

function isPipe(path: string): boolean {
  try {
    return lstatSync(path).isFIFO();
  } catch {
    return false;
  }
}

/** Whoever waits for a writer has one, and then reads that there is nothing. */
function openForMoment(pipe: string): void {
  try {
    closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW));
  } catch {
    // Nobody waits for it.
  }
}
