// Was what proves the work weakened between two trees of the repository?

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { realpath } from "node:fs/promises";

import type { Integrity, TreeChange } from "../../core/model/evidence.ts";
import { changedTests } from "../../readers/tamper/changed-tests.ts";
import { scanChange, type Secret, type ClaimedFile } from "../../readers/tamper/find.ts";
import { absentFiles } from "../../readers/task-text/task-names.ts";
import { roleOf, type ChangedFile } from "../../readers/tamper/paths.ts";
import type { ProvedWork } from "../../engine/ports.ts";
import { readBlobs, describeObjects, entriesBetween } from "../git/diff.ts";
import type { Blobs, Entry, Version } from "../git/diff.ts";
import { treeOfBase } from "./change.ts";
import { gitAnswer, gitList, OK_OR_NO, type Git } from "../git/git.ts";
import { provingAt } from "./mixed-tree.ts";
import { HOLDS_SECRET, textAt, type Skipped } from "../keep/index-paths.ts";
import { pathInside } from "../../adapters/files/small-file.ts";
import type { Alarm } from "../../core/model/alarm.ts";
import { entryAt, foldersIn } from "../folders.ts";

export interface IntegrityRequest {
  /** What the task started from: a commit or a tree. */
  readonly base: string;
  readonly change: TreeChange;
  readonly work: ProvedWork;
  readonly secrets: readonly Secret[];
  /** What is in the tree, and in no commit. */
  readonly skipped: readonly Skipped[];
  /** What was made elsewhere, where the work holds nothing. */
  readonly apart: readonly string[];
}

/**
 * Reads what differs and looks for tampering, for work that is claimed complete. Never rejects: what git
 * cannot tell is not checked, which is neither clean nor an alarm.
 */
export async function measureIntegrity(git: Git, request: IntegrityRequest): Promise<Integrity> {
  const { change } = request;
  if (change.kind === "not-measured") return { kind: "not-checked", why: change.why };
  try {
    return await measure(git, { ...request, change });
  } catch (error) {
    return { kind: "not-checked", why: error instanceof Error ? error.message : String(error) };
  }
}

type Measured = IntegrityRequest & { readonly change: { readonly kind: "measured" } };

async function measure(git: Git, request: Measured): Promise<Integrity> {
  const { base, change, work, secrets, skipped, apart } = request;
  const { tree } = change;
  const baseTree = await treeOfBase(git, base);
  const entries = await entriesBetween(git, [baseTree, tree]);
  const chosen = chooseEntries(entries);
  const blobs = await readBlobs(
    git,
    chosen.flatMap(({ before, after }) => [before.id, after.id]),
  );
  const deleted = entries.flatMap(({ path, after }) => (after.kind === "absent" ? [path] : []));
  // As if the report named them: files that the task asks for, and that the session made or changed.
  const made = work.named.filter((path) => changedSince(join(git.root, path), work.sinceMs));
  const artifacts = [...made, ...work.artifacts];
  const claimed = await findClaimed(git, { tree, artifacts, deleted });
  const absent = await absentOf(git, work.named, [baseTree, tree]);
  const files = chosen.flatMap((entry) => changedFile(entry, blobs));
  const scanned = scanChange({
    files: [...files, ...skipped.flatMap((one) => leftOutFile(git, one))],
    // What the gates came to run on the base is what the work is held to.
    lines:
      work.commands.length === 0
        ? []
        : (await provingAt(git, baseTree, work.commands)).proving.lines,
    claim: {
      sinceBaseCount: work.expectsChange ? change.sinceBaseCount : null,
      files: claimed,
      absent,
      apart,
    },
    secrets,
  });
  const notes = [...scanned.notes, ...(await homeNotes(git.env["HOME"], work.sinceMs))];
  return { kind: "checked", alarms: scanned.alarms, notes, tests: changedTests(files, work.lost) };
}

/** Below the home: what changes how programs run, whatever they run on; besides, what Python loads of the user's own. */
const HOME =
  ".npmrc .yarnrc .yarnrc.yml .cargo/config .cargo/config.toml .config/pip/pip.conf .config/go/env";

/** By the time of change, which no program can set. */
function changedSince(path: string, sinceMs: number): boolean {
  return (entryAt(path)?.ctimeMs ?? 0) > sinceMs;
}

async function homeNotes(home = "", sinceMs: number): Promise<readonly Alarm[]> {
  const versions = await foldersIn(join(home, ".local/lib"));
  const ofPython = versions.map((version) => `.local/lib/${version}/site-packages`);
  const all = home === "" ? [] : [...HOME.split(" "), ...ofPython];
  const changed = all.filter((path) => changedSince(join(home, path), sinceMs));
  const detail = "it was changed during the session, and changes how programs run";
  return changed.map((path) => ({ kind: "home-changed", path: `~/${path}`, detail, line: null }));
}

/** Also where it is named by the end of its path. What was there may rightly be gone, and what git ignores is not looked for. */
async function absentOf(
  git: Git,
  named: readonly string[],
  trees: readonly string[],
): Promise<readonly string[]> {
  const missing = named.filter((path) => !existsSync(join(git.root, path)));
  if (missing.length === 0) return [];
  const list = ["ls-tree", "-r", "-z", "--name-only", "--full-tree"];
  const lists = await Promise.all(trees.map((tree) => gitList(git, [...list, tree])));
  const input = missing.map((path) => `${path}\0`).join("");
  const call = { input, env: { GIT_LITERAL_PATHSPECS: "0" } };
  const ignored = await gitAnswer(git, ["check-ignore", "-z", "--stdin"], OK_OR_NO, call);
  const held = missing.filter((path) => !ignored.stdout.split("\0").includes(path));
  return absentFiles(held, lists.flat());
}

const FILES_MAX = 400;

/** Tests first, then code, where there are too many. */
function chooseEntries(entries: readonly Entry[]): readonly Entry[] {
  const rankOf = ({ path }: Entry): number => {
    const role = roleOf(path);
    return role === null ? 2 : role === "test" ? 0 : 1;
  };
  return entries.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, FILES_MAX);
}

/** Nothing is concluded from what is no text, too large, or one too many. */
function changedFile({ path, before, after }: Entry, blobs: Blobs): readonly ChangedFile[] {
  const [was, is] = [textOf(before, blobs), textOf(after, blobs)];
  return was === undefined || is === undefined ? [] : [{ path, before: was, after: is }];
}

/** A file that is in no commit because of what it holds is told by what stands there. */
function leftOutFile(git: Git, { path, why }: Skipped): readonly ChangedFile[] {
  return why === HOLDS_SECRET ? [{ path, before: null, after: textAt(git, path) ?? "" }] : [];
}

/** null: absent; undefined: not read. */
function textOf({ id, kind }: Version, blobs: Blobs): string | null | undefined {
  if (kind === "absent") return null;
  const text = id === null ? undefined : blobs.get(id);
  return text?.includes("\0") === true ? undefined : text;
}

interface Claimed {
  /** The tree that the verdict is about. */
  readonly tree: string;
  /** As the report writes them. */
  readonly artifacts: readonly string[];
  /** Paths that the work deleted: they are rightly named and rightly gone. */
  readonly deleted: readonly string[];
}

const ARTIFACTS_MAX = 200;

/** Looks in the tree, and for what git ignores on the disk. Nothing outside the tree is looked at. */
async function findClaimed(git: Git, claimed: Claimed): Promise<readonly ClaimedFile[]> {
  const named = claimed.artifacts
    .slice(0, ARTIFACTS_MAX)
    .map((text) => ({ text, path: pathWithin(git.root, text) }));
  const inside = named.flatMap(({ path }) => (path === null ? [] : [path]));
  const objects = await describeObjects(
    git,
    inside.map((path) => `${claimed.tree}:${path}`),
  );
  const present = new Set(inside.filter((_path, at) => objects[at] !== null));
  return Promise.all(
    named.map(async ({ text, path }): Promise<ClaimedFile> => {
      if (path === null) return { path: text, presence: "elsewhere" };
      if (present.has(path)) return { path, presence: "present" };
      return { path, presence: await onDisk(git.root, path, claimed.deleted) };
    }),
  );
}

/**
 * Relative to the root, without what agents write around a path: quotes, and the place in the file.
 * null: it leads out of the tree, or is none that a file could have.
 */
function pathWithin(root: string, text: string): string | null {
  const bare = text
    .trim()
    .replace(/^[`"'<]+|(?<![`"'>])[`"'>]+$/g, "")
    .replace(/(?::\d{1,7}){1,2}$|#L\d[\w-]{0,20}$/, "");
  // A line break would be two questions to git; the others name no file of the tree.
  if (/^~|^[a-z][a-z0-9+.-]*:|[\n\r\0]/i.test(bare)) return null;
  const path = pathInside(root, resolve(root, bare));
  return path === "" ? null : path;
}

async function onDisk(
  root: string,
  path: string,
  deleted: readonly string[],
): Promise<ClaimedFile["presence"]> {
  const real = await realpath(join(root, path)).catch(() => null);
  if (real !== null) return pathInside(root, real) === null ? "elsewhere" : "ignored";
  if (deleted.some((gone) => gone === path || gone.startsWith(`${path}/`))) return "elsewhere";
  // A pattern, or words about files: no single path is claimed.
  return /[\s*?{}[\]<>|]|\.\.\./.test(path) ? "elsewhere" : "absent";
}
