// How do the files of a run, which people and later workers look at, get from one machine to another?

import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

import { writeFileAtomic } from "../adapters/files/atomic-file.ts";
import type { RunFiles } from "../adapters/log/run-files.ts";
import { bytesIn, filesBelow } from "../adapters/files/small-file.ts";
import { isSafeId } from "../core/model/ids.ts";
import type { Session } from "./database.ts";

/** Of one file, before it is compressed; of a larger one the middle is left out. */
const FILE_BYTES_MAX = 1024 * 1024;

/** What was uploaded, by path: its size and time. */
export type Uploaded = Map<string, string>;

/** Files below this folder of a run's, as far as they changed since. */
export async function upload(
  session: Session,
  { id: run, folder }: RunFiles,
  below: "attempts" | "pinned",
  uploaded: Uploaded,
): Promise<void> {
  for (const inner of filesBelow(join(folder, below)).paths) {
    const path = `${below}/${inner}`;
    const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
    const stamp = stats === undefined ? "" : `${stats.size} ${stats.mtimeMs}`;
    if (stats?.isFile() !== true || uploaded.get(path) === stamp) continue;
    const bytes = gzipSync(bounded(bytesIn(join(folder, path))));
    await session.rows(
      `insert into files (run, path, bytes) values ($1, $2, $3)
       on conflict (run, path) do update set bytes = excluded.bytes, changed_at = clock_timestamp()`,
      [run, path, bytes],
    );
    uploaded.set(path, stamp);
  }
}

function bounded(bytes: Buffer): Buffer {
  if (bytes.length <= FILE_BYTES_MAX) return bytes;
  const half = FILE_BYTES_MAX / 2;
  const cut = `\n… ${bytes.length - FILE_BYTES_MAX} bytes are left out here …\n`;
  return Buffer.concat([bytes.subarray(0, half), Buffer.from(cut), bytes.subarray(-half)]);
}

/**
 * Writes files that changed after `since` into the run's folder; "" is all. Resolves to the moment up to which they
 * are here. A path that is not made of plain names is passed over: the database is written by other machines.
 */
export async function download(
  session: Session,
  { id: run, folder }: RunFiles,
  like: string,
  since: string,
): Promise<string> {
  const rows = await session.rows<{ path: string; bytes: Buffer; at: string }>(
    `select path, bytes, changed_at::text as at from files
     where run = $1 and path like $2 and ($3 = '' or changed_at > $3::timestamptz) order by changed_at`,
    [run, like, since],
  );
  for (const { path, bytes } of rows) {
    if (!path.split("/").every(isSafeId)) continue;
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileAtomic(file, gunzipSync(bytes, { maxOutputLength: 2 * FILE_BYTES_MAX }));
  }
  return rows.at(-1)?.at ?? since;
}
