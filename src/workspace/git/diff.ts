// Which files differ between two trees, and how is the difference shown?

import { gitAnswer, gitList, gitText, OK, type Git } from "./git.ts";
import type { Redact } from "../../adapters/redact.ts";

export interface Version {
  /** null: absent, or no regular file. */
  readonly id: string | null;
  readonly kind: "file" | "absent" | "other";
}

export interface Entry {
  readonly path: string;
  readonly before: Version;
  readonly after: Version;
}

export type Trees = readonly [from: string, to: string];

/** Between two trees, or commits, in git's order; a rename counts as two. Throws where one is missing. */
export async function entriesBetween(git: Git, trees: Trees): Promise<readonly Entry[]> {
  if (trees[0] === trees[1]) return [];
  const name = trees.join(" ");
  if (newest?.name === name) return newest.entries;
  const parts = await gitList(git, [...DIFF, ...trees.map((tree) => `${tree}^{tree}`)]);
  const entries = parts.flatMap((fields, at) =>
    at % 2 === 0 ? [entryOf(fields, parts[at + 1] ?? "")] : [],
  );
  newest = { name, entries };
  return entries;
}

const DIFF = ["diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-commit-id"] as const;

/** What differs from the base is asked for several times for each verdict. */
let newest: { readonly name: string; readonly entries: readonly Entry[] } | null = null;

function entryOf(fields: string, path: string): Entry {
  const [modeBefore = "", modeAfter = "", before = "", after = ""] = fields.slice(1).split(" ");
  return { path, before: version(modeBefore, before), after: version(modeAfter, after) };
}

function version(mode: string, id: string): Version {
  if (Number(mode) === 0) return { id: null, kind: "absent" };
  // Links and submodules have no text of their own.
  return mode.startsWith("100") ? { id, kind: "file" } : { id: null, kind: "other" };
}

/** A rename counts as two files. Throws where a commit is missing. */
export async function changedFiles(git: Git, commits: Trees, redact: Redact) {
  const entries = await entriesBetween(git, commits);
  return entries.map(({ path, before, after }) => {
    const isNew = before.kind === "absent";
    const change = isNew ? "added" : after.kind === "absent" ? "removed" : "changed";
    return { path: redact(path), change };
  });
}

interface DiffLook {
  readonly redact: Redact;
  readonly stat: boolean;
  readonly color: boolean;
  readonly columns: number;
}

/** As git shows it. No program that the repository's settings name is run. Cut where it is huge. */
export async function diffText(git: Git, commits: Trees, look: DiffLook): Promise<string> {
  const what = look.stat ? [`--stat=${look.columns}`] : ["-p"];
  const color = look.color ? "--color=always" : "--no-color";
  const plainly = ["--no-ext-diff", "--no-textconv", "--find-renames", color];
  const args = ["diff-tree", "-r", ...what, ...plainly, ...commits];
  const { stdout, cut } = await gitAnswer(git, args, OK, { bytesMax: DIFF_BYTES_MAX });
  const text = look.redact(stdout);
  return cut ? `${text}\n… cut after ${DIFF_BYTES_MAX} bytes` : text.trimEnd();
}

const DIFF_BYTES_MAX = 32 * 1024 * 1024;

/** Text by object id. What is missing here was missing in the repository, or too large. */
export type Blobs = ReadonlyMap<string, string>;

const FILE_BYTES_MAX = 1024 * 1024;
const TOTAL_BYTES_MAX = 24 * 1024 * 1024;

export async function readBlobs(git: Git, ids: readonly (string | null)[]): Promise<Blobs> {
  const wanted = [...new Set(ids.flatMap((id) => (id === null ? [] : [id])))];
  const chosen = await withinBounds(git, wanted);
  if (chosen.length === 0) return new Map();
  const how = { input: lines(chosen), env: LOCAL, encoding: "latin1" } as const;
  const output = await gitText(git, ["cat-file", "--batch", "--buffer"], how);
  return blobsIn(Buffer.from(output, "latin1"));
}

/** Each is a line with its id, type and length, its content, and a line break. */
function blobsIn(output: Buffer): Blobs {
  const blobs = new Map<string, string>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf("\n", at);
    if (end < 0) break;
    const head = output.toString("latin1", at, end);
    const [, id, bytes] = /^([0-9a-f]+) blob (\d+)$/.exec(head) ?? [];
    const from = end + 1;
    at = from;
    if (id === undefined) continue;
    const to = from + Number(bytes);
    blobs.set(id, output.toString("utf8", from, to));
    at = to + 1;
  }
  return blobs;
}

/** What each name stands for, in the order of the names; null: nothing in the repository. */
export async function describeObjects(
  git: Git,
  names: readonly string[],
): Promise<readonly ({ readonly type: string; readonly bytes: number } | null)[]> {
  if (names.length === 0) return [];
  const output = await gitText(git, ["cat-file", "--batch-check=%(objecttype) %(objectsize)"], {
    input: lines(names),
    env: LOCAL,
  });
  const answers = output.split("\n");
  return names.map((_name, at) => {
    const [, type = "", bytes = ""] = /^([a-z]+) (\d+)$/.exec(answers[at] ?? "") ?? [];
    return type === "" ? null : { type, bytes: Number(bytes) };
  });
}

/** A repository without all its objects must not fetch them for this. */
const LOCAL = { GIT_NO_LAZY_FETCH: "1" };

async function withinBounds(git: Git, ids: readonly string[]): Promise<readonly string[]> {
  const objects = await describeObjects(git, ids);
  let left = TOTAL_BYTES_MAX;
  return ids.filter((_id, at) => {
    const object = objects[at] ?? null;
    if (object?.type !== "blob" || object.bytes > FILE_BYTES_MAX || object.bytes > left)
      return false;
    left -= object.bytes;
    return true;
  });
}

function lines(names: readonly string[]): string {
  return names.map((name) => `${name}\n`).join("");
}
