// Which calls delete files that no checkpoint keeps?

import type { IrreversibleAction } from "../../core/model/irreversible.ts";
import { positionals, type Call, absolutePath, tidyPath, type Standpoint } from "../shell/call.ts";

/**
 * "inside": kept by checkpoints. "history": what they are made of, so nothing keeps that. "passing":
 * temporary folders, and what tools make again. "unknown": only a run would know.
 */
type Place = "inside" | "history" | "passing" | "outside" | "unknown";

export function placeOf(path: string, where: Standpoint): Place {
  const full = path === "" ? null : absolutePath(path, where);
  const root = tidyPath(where.root);
  if (full === null) return "unknown";
  if (full === root) return "history";
  const below = root === "/" ? root : `${root}/`;
  if (full.startsWith(below)) return HISTORY.test(full.slice(below.length)) ? "history" : "inside";
  // A folder that holds the repository, or all that is in one, goes with what is in it.
  if (below.startsWith(full.endsWith("/*") ? full.slice(0, -1) : `${full}/`)) return "outside";
  const isMadeAgain = MADE_AGAIN.some((folder) => `${full}/`.includes(`/${folder}/`));
  return isMadeAgain || TEMPORARY.test(full) ? "passing" : "outside";
}

/**
 * What of `.git` and `.orch` is more than a lock, a half-done rebase, or the folder in which a
 * session leaves its report.
 */
const HISTORY =
  /^(?:\.\*|\.git(?:\/(?:\*|(?:objects|refs|logs)(?:\/\*)?|packed-refs|HEAD))?|\.orch(?:\/(?!session(?:\/|$)).*)?)$/;

const TEMPORARY = /^\/(?:tmp|dev\/shm|run|var\/(?:tmp|folders|cache|run|lib\/apt\/lists))(?:\/|$)/;

/** Folders that an installation, a build or a program fills again, wherever they are. */
const MADE_AGAIN = [
  "node_modules __pycache__ dist build target coverage venv .venv .next .nuxt .turbo .terraform",
  ".cache Caches caches DerivedData Trash .tmp .npm .pnpm-store .ccache .nuget/packages",
  ".cargo/registry .cargo/git .rustup/toolchains .gradle/daemon .m2/repository .nvm/versions",
  ".pyenv/versions go/pkg .yarn/cache .bun/install .local/share/pnpm .local/share/uv",
].flatMap((row) => row.split(" "));

export function deletedBy({ args, where }: Call): IrreversibleAction | null {
  const places = positionals(args).map((path) => placeOf(path, where));
  if (places.includes("history")) return "delete-history";
  return places.includes("outside") ? "delete-outside" : null;
}

/** `> ~/.bashrc`, whatever the program is: what the file held is gone. */
export function overwrittenBy({ redirects, where }: Call): IrreversibleAction | null {
  const { home } = where;
  const isSetting = ({ operator, target }: Call["redirects"][number]): boolean => {
    if (home === null || !/^>\|?$/.test(operator)) return false;
    const isHidden = absolutePath(target, where)?.startsWith(`${tidyPath(home)}/.`) ?? false;
    return isHidden && placeOf(target, where) === "outside";
  };
  return redirects.some(isSetting) ? "delete-outside" : null;
}
