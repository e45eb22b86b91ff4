// Would a shell command do something that cannot be undone, or that others see?

import { excerpt, visible } from "../../core/model/excerpt.ts";
import type { FolderOfAction, DetectedAct } from "../../core/model/irreversible.ts";
import { shortHash } from "../../core/model/ids.ts";
import { eachCall } from "../shell/each-call.ts";
import type { Standpoint, Where } from "../shell/folder.ts";
import { actOf } from "./rules.ts";

const COMMAND_CHARS_MAX = 150_000;
const COMMAND_START_CHARS = 220;
const COMMAND_END_CHARS = 60;
const ACTS_MAX = 20;

/**
 * What of this a script would do, each command once, in its order; the first twenty. null: the
 * script is too long or nested too deeply to be read.
 *
 * This guards against accidents, and is no sandbox: whoever wants to hide an act from it can, in a
 * file, in a variable, in another language. Nothing is run or looked up: where only a run would
 * know (a variable, a remote, a context), the call counts as harmless. What happens to files in the
 * work tree is no such act, because checkpoints keep them.
 */
export function irreversibleIn(script: string, where: Where): readonly DetectedAct[] | null {
  const acts = new Map<string, DetectedAct>();
  const isWhole = eachCall(script, where, (call) => {
    const action = acts.size < ACTS_MAX ? actOf(call, script) : null;
    if (action === null) return;
    const act = { action, command: shown(call.text), folder: folderOf(call.where) };
    const key = JSON.stringify([act.command, act.folder]);
    if (!acts.has(key)) acts.set(key, act);
  });
  return isWhole ? [...acts.values()] : null;
}

function folderOf({ root, cwd }: Standpoint): FolderOfAction {
  if (cwd === null) return { kind: "unknown" };
  return cwd === root ? { kind: "root" } : { kind: "other", path: cwd };
}

/** Beginning and end of a long one, and what tells it from others that begin and end alike. */
function shown(text: string): string {
  const line = excerpt(visible(text), COMMAND_CHARS_MAX);
  if (line.length <= COMMAND_START_CHARS + COMMAND_END_CHARS) return line;
  const [start, end] = [line.slice(0, COMMAND_START_CHARS), line.slice(-COMMAND_END_CHARS)];
  return `${start} … ${end} [${line.length} characters, ${shortHash(line).slice(0, 12)}]`;
}
