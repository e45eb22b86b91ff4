// What do many files of a repository hold, read with two commands?

import { gitBytes, gitText, type Git } from "./git.ts";

/** Text by object id. What is missing here was missing in the repository, or too large. */
export type Blobs = ReadonlyMap<string, string>;

const FILE_BYTES_MAX = 1024 * 1024;
const TOTAL_BYTES_MAX = 24 * 1024 * 1024;
const LINES_BYTES_MAX = 4 * 1024 * 1024;

export async function readBlobs(git: Git, ids: readonly (string | null)[]): Promise<Blobs> {
  const wanted = [...new Set(ids.flatMap((id) => (id === null ? [] : [id])))];
  const chosen = await withinBounds(git, wanted);
  if (chosen.length === 0) return new Map();
  const output = await gitBytes(git, ["cat-file", "--batch", "--buffer"], {
    input: lines(chosen),
    env: LOCAL,
    bytesMax: TOTAL_BYTES_MAX + LINES_BYTES_MAX,
  });
  return blobsIn(output);
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
    bytesMax: LINES_BYTES_MAX,
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
