// How does a run of a fleet become files of this checkout, which all commands read?

import { appendFileSync, existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

import { makeFolderDurable, writeFileAtomic } from "../adapters/files/atomic-file.ts";
import { namesIn, readSmallFile } from "../adapters/files/small-file.ts";
import { readLog, requireLog } from "../adapters/log/event-log.ts";
import { noteOwnerElsewhere, takeOwnership, type Ownership } from "../adapters/log/owner.ts";
import {
  createRunFolder,
  FLEET_FOLDER,
  runFiles,
  type RunFiles,
} from "../adapters/log/run-files.ts";
import { jsonIn } from "../core/model/json.ts";
import { idFrom, type RunId } from "../core/model/ids.ts";
import { OrchError, nullIfWorded } from "../errors.ts";
import type { Standing } from "./coordinate.ts";
import { announce, type Database } from "./database.ts";
import { download } from "./files.ts";
import { textsAfter } from "./store.ts";

/** As it stands in owner files, where other runs have the name of a machine. */
const OWNER = "the fleet";

/** From here on what the run's folder holds comes from the fleet. */
export function markOfFleet({ folder }: RunFiles): void {
  makeFolderDurable(join(folder, FLEET_FOLDER));
  noteOwnerElsewhere(folder, OWNER, true);
}

export interface Mirrored {
  readonly standing: Standing;
  readonly trouble: string | null;
  /** How many lines came. */
  readonly added: number;
}

/** Brings the log and the files of a run up to date; null where another process here does it, nobody knows it, or it cannot be had now. */
export async function mirrorRun(db: Database, files: RunFiles): Promise<Mirrored | null> {
  const lock = lockOf(files);
  if (lock === null) return null;
  try {
    return await bring(db, files);
  } catch (error) {
    if (error instanceof OrchError && error.code === "fleet-unavailable") return null;
    throw error;
  } finally {
    lock.release();
  }
}

function lockOf({ folder }: RunFiles): Ownership | null {
  try {
    return takeOwnership(join(folder, FLEET_FOLDER));
  } catch (error) {
    return nullIfWorded(error);
  }
}

async function bring(db: Database, files: RunFiles): Promise<Mirrored | null> {
  const { id: run, folder } = files;
  const [row] = await db.rows<{ state: Standing; trouble: string | null }>(
    "select state, trouble from runs where run = $1",
    [run],
  );
  if (row === undefined) return null;
  const before = existsSync(files.log) ? requireLog(files.log, readLog(files.log)).position.seq : 0;
  const lines = await textsAfter(db, run, before);
  if (lines.length > 0)
    appendFileSync(files.log, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  const since = readSmallFile(join(folder, FLEET_FOLDER, SINCE), 100) ?? "";
  const until = await download(db, files, "%", since);
  if (until !== since) writeFileAtomic(join(folder, FLEET_FOLDER, SINCE), until);
  noteOwnerElsewhere(folder, OWNER, row.state !== "resting" && row.state !== "over");
  return { standing: row.state, trouble: row.trouble, added: lines.length };
}

const SINCE = "files-until";

/** Runs of the repository that are not over, and the newest that are; those that are not here yet get a folder. */
export async function adoptRuns(
  db: Database,
  { root, repository }: { readonly root: string; readonly repository: string },
  adopted: (files: RunFiles) => void,
): Promise<void> {
  const rows = await db.rows<{ run: string }>(
    `(select run from runs where repository = $1 and state <> 'over')
     union (select run from runs where repository = $1 order by created_at desc limit 50)`,
    [repository],
  );
  for (const { run } of rows) {
    const id = idFrom<RunId>(run);
    if (id === null || existsSync(runFiles(root, id).folder)) continue;
    const files = createRunFolder(root, id);
    markOfFleet(files);
    await mirrorRun(db, files);
    adopted(files);
  }
}

/** What commands left in the inbox of this checkout goes where the run's workers look. */
export async function sendInbox(db: Database, { id: run, inbox }: RunFiles): Promise<void> {
  for (const name of namesIn(inbox).filter((one) => one.endsWith(".json"))) {
    const body = jsonIn(readSmallFile(join(inbox, name), FILE_BYTES_MAX) ?? "");
    if (body === null) continue;
    const id = basename(name, ".json");
    await db.transaction(async (session) => {
      await session.rows(
        "insert into inbox (run, id, body) values ($1, $2, $3) on conflict do nothing",
        [run, id, JSON.stringify(body)],
      );
      await announce(session, db.schema, "look", run);
    });
    rmSync(join(inbox, name), { force: true });
  }
}

const FILE_BYTES_MAX = 1024 * 1024;

/** Goes on with a run that was stopped, or could not go on; nothing where the fleet works on it. */
export async function resumeRun(db: Database, run: RunId): Promise<void> {
  await db.transaction(async (session) => {
    await session.rows(
      "update runs set state = 'open', trouble = null where run = $1 and state = 'resting'",
      [run],
    );
    await session.rows("update parts set trouble = null, idle_ends = 0 where run = $1", [run]);
    await announce(session, db.schema, "look", run);
  });
}
