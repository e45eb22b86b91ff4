// Where is a path: in the repository, among what tools make again, or elsewhere on the machine?

import { matchesGlob } from "../../core/model/glob.ts";
import { absolutePath, tidyPath, type Standpoint } from "../shell/folder.ts";
import { isKnown, knownStart } from "../shell/word.ts";

/**
 * "inside": kept by checkpoints. "history": what they are made of, so nothing keeps that. "passing":
 * temporary folders, and caches that tools fill again. "unknown": a variable decides.
 */
export type Place = "inside" | "history" | "passing" | "outside" | "unknown";

export function placeOf(path: string, { root, cwd, home }: Standpoint): Place {
  const base = tidyPath(root);
  const own = home === null ? null : tidyPath(home);
  if (isKnown(path)) {
    const full = path === "" ? null : absolutePath(path, cwd);
    return full === null ? "unknown" : placeOfKnown(full, base, own);
  }
  // `/opt/app/$VERSION` is below /opt/app, whatever the version is.
  const start = knownStart(path);
  const folder = absolutePath(start.slice(0, start.lastIndexOf("/") + 1), cwd);
  if (folder === null || !start.includes("/")) return "unknown";
  const below = placeOfKnown(tidyPath(`${folder}/=any`), base, own);
  const mayBe = [base, own ?? base, "/tmp", "/var/tmp", "/var/cache", "/home/x", "/Users/x"];
  return mayBe.some((one) => `${one}/`.startsWith(folder === "/" ? folder : `${folder}/`))
    ? "unknown"
    : below;
}

function placeOfKnown(path: string, root: string, home: string | null): Place {
  const below = root === "/" ? root : `${root}/`;
  if (path === root) return "history";
  if (path.startsWith(below)) return isHistory(path.slice(below.length)) ? "history" : "inside";
  const around = path.replace(/\/[*.]*\*$/, "");
  if (below.startsWith(`${around}/`)) return "outside";
  const beside = root.slice(0, root.lastIndexOf("/"));
  const isBuilt = [beside, home ?? ""].some(
    (one) => one !== "" && path.startsWith(`${one}/`) && BUILT.test(path.slice(one.length)),
  );
  return isBuilt || isPassing(path, home) ? "passing" : "outside";
}

/** What of `.git` holds commits; a lock or a half-done rebase in it is removed every day. */
const COMMITS =
  /^\.git\/(?:\*+|objects|objects\/pack|objects\/(?:pack\/)?\*|refs|refs\/\*|refs\/(?:heads|tags)(?:\/\*)?|refs\/orch(?:\/.*)?|packed-refs|HEAD|logs|logs\/\*)$/;
/** The folder in which a session leaves its report is its own. */
const RECORDS = /^\.orch\/(?!session(?:\/|$))/;
const PATTERN = /[*?[{]/;

function isHistory(path: string): boolean {
  const [first = "", ...rest] = path.split("/");
  const isNamed = (name: string): boolean =>
    first === name ||
    (PATTERN.test(first) && /^[.{[]/.test(first) && matchesGlob(first.replace("[^", "[!"), name));
  if (rest.length === 0) return isNamed(".git") || isNamed(".orch");
  return COMMITS.test(path) || RECORDS.test(path);
}

const TEMPORARY =
  /^\/(?:tmp|var\/tmp|var\/folders|var\/cache|var\/lib\/apt\/lists|dev\/shm|run|var\/run)(?:\/|$)/;

/** Below any folder: made again by an installation or a build. */
const MADE_AGAIN =
  /\/(?:node_modules|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.turbo|\.parcel-cache|\.next|\.nuxt|\.angular\/cache|\.terraform)(?:\/|$)/;

/** The last part of a path beside the repository, or below a home: what a build leaves. */
const BUILT = /^\/[^/]+(?:\/[^/]+)*\/(?:dist|build|target|coverage|\.venv)(?:\/\*)?$/;

/** Below the home of a user: folders that tools fill again. */
const CACHES = [
  ".cache .ccache .conan .conan2 .jest-cache .expo .metro .npm .pnpm-store .bundle .deno .pub-cache",
  ".cocoapods .node-gyp .electron .electron-gyp .tmp tmp .nvm/versions .pyenv/versions",
  ".local/share/pnpm .local/share/uv .local/share/mise .local/share/Trash .local/share/virtualenvs",
  ".local/share/NuGet .nuget/packages .yarn/cache .yarn/berry/cache .bun/install/cache",
  ".cargo/registry .cargo/git .cargo/bin .rustup/downloads .rustup/tmp .rustup/toolchains",
  ".gradle/caches .gradle/configuration-cache .gradle/daemon .gradle/notifications .gradle/wrapper",
  ".m2/repository .ivy2/cache .ivy2/local .sbt/boot go/bin go/pkg .composer/cache .kube/cache",
  ".android/cache .android/build-cache .terraform.d/plugin-cache",
  "Library/Caches Library/Developer/Xcode/DerivedData AppData/Local/Temp AppData/Local/npm-cache",
].flatMap((row) => row.split(" "));
const ANY_HOME = /^(?:\/root|\/(?:home|Users)\/[^/]+)(?=\/)/;

function isPassing(path: string, home: string | null): boolean {
  if (TEMPORARY.test(path) || MADE_AGAIN.test(path)) return true;
  const own = home !== null && path.startsWith(`${home}/`) ? home : ANY_HOME.exec(path)?.[0];
  return own !== undefined && CACHES.some((folder) => `${path}/`.startsWith(`${own}/${folder}/`));
}
