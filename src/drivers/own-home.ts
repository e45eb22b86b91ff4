// What does a confined agent have of its user's home folder, and what of it comes back?

import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";

import { writeFileAtomic } from "../adapters/files/atomic-file.ts";
import { bytesIn, entryKind, filesBelow, isRealFolder } from "../adapters/files/small-file.ts";
import { readFileBounded, realPath } from "../adapters/files/small-file.ts";
import { untilNew } from "../adapters/files/watch.ts";
import type { Confined, OwnFolder } from "../adapters/process/confine.ts";
import { isObject, jsonIn } from "../core/model/json.ts";
import type { KnownAgent } from "../core/model/known-agents.ts";

export interface OwnHome {
  readonly needs: Required<Pick<Confined, "read" | "inPlace">>;
  /** After the session. Never throws. */
  close(): Promise<void>;
}

/** One file of the user's, and the session's own, which lies in `from`. */
type Pair = Readonly<Record<"users" | "copy" | "from", string>>;

/**
 * A home folder for the sessions of one agent in one step of a task. The user's settings are read in it and not
 * written, and what else stands in it nobody outside reads: an agent can set up nothing for another session.
 * Its sign-in is the user's, in both directions, and its conversations are brought to the user's.
 */
export function openOwnHome(
  agent: KnownAgent,
  env: Readonly<Record<string, string>>,
  attemptDir: string,
): OwnHome {
  const step = basename(attemptDir).replace(/-\d+$/, "");
  const folder = join(dirname(attemptDir), "homes", step, agent.name);
  const places = placesIn(folder, agent, env);
  const pairsOf = (paths: readonly string[]): readonly Pair[] =>
    paths.map((path) => pairOf(path, places));
  const { settings, copied, credentials, conversations } = agent.home;
  for (const place of places)
    if (place !== undefined) mkdirSync(place.from, { recursive: true, mode: 0o700 });
  for (const pair of pairsOf(copied)) copyOnce(pair);
  const signIn = pairsOf(credentials).filter(({ users }) => entryKind(users) === "a file");
  const keepAllEqual = (): void => signIn.forEach(keepEqual);
  keepAllEqual();
  const over = new AbortController();
  const folders = signIn.flatMap(({ users, copy }) => [dirname(users), dirname(copy)]);
  if (folders.length === 0) over.abort();
  const watching = untilNew(folders, () => (keepAllEqual(), false), over.signal).catch(() => {});
  return {
    needs: {
      read: pairsOf(settings).map(({ users }) => users),
      inPlace: places.flatMap((place) => place ?? []),
    },
    close: async () => {
      over.abort();
      await watching;
      try {
        keepAllEqual();
        for (const { copy, from } of signIn)
          if (isInside(copy, from)) rmSync(copy, { force: true });
        for (const pair of pairsOf(conversations)) takeBack(pair);
      } catch {
        // What the session did is worth more than what could not be brought back, for want of room.
      }
    },
  };
}

type Places = readonly [OwnFolder, OwnFolder?];

/** The home folder, and the agent's own one where a variable leads it elsewhere. */
function placesIn(
  folder: string,
  { folderVariable }: KnownAgent,
  env: Readonly<Record<string, string>>,
): Places {
  const home = { at: env["HOME"] ?? homedir(), from: join(folder, "home") };
  const named = folderVariable === null ? undefined : env[folderVariable];
  return named === undefined ? [home] : [home, { at: named, from: join(folder, "named") }];
}

/** A path is given from the home folder on; of the agent's own folder, its first part stands for that. */
function pairOf(path: string, [home, named]: Places): Pair {
  const slash = path.indexOf("/");
  const [place, rest] =
    named === undefined || slash < 0 ? [home, path] : [named, path.slice(slash + 1)];
  return { users: join(place.at, rest), copy: join(place.from, rest), from: place.from };
}

function copyOnce({ users, copy, from }: Pair): void {
  if (entryKind(users) !== "a file" || !isInside(copy, from) || entryKind(copy) !== "absent")
    return;
  copyFileSync(users, copy);
}

/** An agent can put a link in the place of a folder: nothing is read or written through one. */
function isInside(path: string, from: string): boolean {
  const folder = dirname(path);
  if (realPath(folder) !== join(realPath(from), relative(from, folder))) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return true;
}

const SIGN_IN_BYTES_MAX = 1024 * 1024;

/** The newer one counts: tokens are renewed, by the session and outside of it, and the one before is void. */
function keepEqual({ users, copy, from }: Pair): void {
  if (!isInside(copy, from)) return;
  const [outer, inner] = [users, copy].map((path) => readFileBounded(path, SIGN_IN_BYTES_MAX));
  if (outer?.kind !== "read" || inner === undefined || inner.kind === "refused") return;
  const isRenewed = inner.kind === "read" && inner.mtimeMs > outer.mtimeMs;
  if (inner.kind === "read" && inner.text === outer.text) return;
  if (!isRenewed) writeFileAtomic(copy, outer.text);
  else if (hasSameKeys(inner.text, outer.text)) writeFileAtomic(users, inner.text);
}

/** Half a file, or one that is none of the kind, makes no sign-in void. */
function hasSameKeys(text: string, before: string): boolean {
  const [now, then] = [jsonIn(text), jsonIn(before)];
  const keys = [now, then].map((one) =>
    isObject(one) ? Object.keys(one).toSorted().join() : null,
  );
  return keys[0] !== null && keys[0] === keys[1];
}

/** So that a person can take one up again. One that is there already is only ever gone on with. */
function takeBack({ users, copy, from }: Pair): void {
  if (!isInside(copy, from) || !isRealFolder(copy) || !isRealFolder(dirname(users))) return;
  const paths = filesBelow(copy).paths.filter((path) => path.endsWith(".jsonl"));
  for (const path of paths.slice(0, 1_000)) {
    const [source, target] = [join(copy, path), join(users, path)];
    if (entryKind(source) !== "a file" || !["a file", "absent"].includes(entryKind(target)))
      continue;
    const [now, kept] = [bytesIn(source), entryKind(target) === "a file" ? bytesIn(target) : null];
    if (kept !== null && !now.subarray(0, kept.length).equals(kept)) continue;
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileAtomic(target, now);
  }
}
