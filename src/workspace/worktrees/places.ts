// Where does the working tree of a task lie, so that nothing of the repository finds it?

import { tmpdir, userInfo } from "node:os";
import { basename, isAbsolute, join, resolve } from "node:path";

import { isSafeId, type RunId, type TaskId, digestOf } from "../../core/model/ids.ts";
import { OrchError } from "../../errors.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The folder of all trees, from `worktree.root` and the user's folders. Absolute. */
export function treesFolder(setting: string | null, env: Variables): string {
  const home = absolute(env["HOME"]);
  if (setting?.startsWith("~/") === true) {
    if (home !== null) return join(home, setting.slice(2));
    throw new OrchError(
      "config-invalid",
      `worktree.root is ${JSON.stringify(setting)}, and HOME is not a folder`,
      "set HOME, or write the whole path",
    );
  }
  if (setting !== null) return resolve(setting);
  const state = absolute(env["XDG_STATE_HOME"]);
  if (state !== null) return join(state, "orch", "worktrees");
  if (home !== null) return join(home, ".local", "state", "orch", "worktrees");
  // Each user has one: whose it is keeps others out.
  return join(tmpdir(), `orch-worktrees-${userInfo().uid}`);
}

export interface SlotPlace {
  readonly treesFolder: string;
  /** The git folder that all trees of the repository share; its real path. */
  readonly commonDir: string;
  /** The repository's, as `repositoryName` has it. */
  readonly name: string;
  readonly run: RunId;
  readonly task: TaskId;
}

/** The folder that holds a task's tree and what orch keeps beside it. */
export function slotOf({ treesFolder: folder, commonDir, name, run, task }: SlotPlace): string {
  for (const id of [run, task])
    if (!isSafeId(id)) throw new Error(`not a usable id: ${JSON.stringify(id)}`);
  const hash = repositoryHash(commonDir);
  return join(folder, `${segment(name).slice(0, NAME_CHARS_MAX)}-${hash}`, run, task);
}

/** The end of the name of each folder that holds trees of the repository. */
export function repositoryHash(commonDir: string): string {
  return digestOf(commonDir).slice(0, HASH_CHARS);
}

/** Called as the checkout is, because tools name a project after its folder. */
export function worktreeIn(slot: string, name: string): string {
  return join(slot, segment(name));
}

/** What the checkout is called; that of a whole disk has no name. */
export function repositoryName(root: string): string {
  return basename(root) || "root";
}

const HASH_CHARS = 8;
/** With the hash, within what any file system allows in bytes. */
const NAME_CHARS_MAX = 60;

function segment(name: string): string {
  if (name === "" || name === "." || name === ".." || /[/\0]/.test(name))
    throw new Error(`not the name of a folder: ${JSON.stringify(name)}`);
  return name;
}

function absolute(path: string | undefined): string | null {
  return path !== undefined && isAbsolute(path) ? path : null;
}
