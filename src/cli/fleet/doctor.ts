// What stands in the way of a run on the fleet from here?

import { repositoryName, push, requireRemote } from "../../fleet/clone.ts";
import { openDatabase, requireSessions } from "../../fleet/database.ts";
import { takersOf } from "../../fleet/standing.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import type { CliIo } from "../io.ts";
import { remoteIn, requireAddress } from "./address.ts";

/**
 * Who would work for this repository; null: there is none here. Nothing is written, neither at the remote nor in the
 * database. Throws OrchError where a run could not begin.
 */
export async function takersFor(io: CliIo) {
  const git = await findRepository(io.cwd, io.env);
  if (git === null) return null;
  const repository = repositoryName(await requireRemote(git, remoteIn(io)));
  await push(git, remoteIn(io), ["--dry-run", "HEAD:refs/orch/_doctor"]);
  const db = await openDatabase(requireAddress(io));
  try {
    await requireSessions(db);
    return { repository, takers: await takersOf(db, repository) };
  } finally {
    await db.close();
  }
}
