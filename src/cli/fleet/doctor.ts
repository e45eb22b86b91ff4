// What stands in the way of a run on the fleet from here?

import { repositoryName, requirePush, requireRemote } from "../../fleet/clone.ts";
import { openDatabase, requireSessions } from "../../fleet/database.ts";
import { takersOf } from "../../fleet/standing.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import type { CliIo } from "../io.ts";
import { plural } from "../render/text.ts";
import { remoteIn, requireAddress } from "./address.ts";

export interface Found {
  /** "note": a run can begin all the same. */
  readonly state: "ok" | "note" | "bad";
  readonly text: string;
  /** What to do; null: nothing. */
  readonly hint: string | null;
}

/** Nothing is written, neither at the remote nor in the database. Throws OrchError where a run could not begin. */
export async function lookAtFleet(io: CliIo): Promise<readonly Found[]> {
  const git = await findRepository(io.cwd, io.env);
  if (git === null) return []; // That is said of git.
  const remote = await requireRemote(git, remoteIn(io));
  await requirePush(git, remoteIn(io));
  const repository = repositoryName(remote);
  const db = await openDatabase(requireAddress(io));
  try {
    await requireSessions(db);
    const takers = await takersOf(db, repository);
    return [
      { state: "ok", text: `${repository} takes what is pushed`, hint: null },
      takers > 0
        ? { state: "ok", text: `${plural(takers, "worker")} for ${repository}`, hint: null }
        : {
            state: "note",
            text: `no worker takes runs of ${repository}`,
            hint: `start one: orch worker --repository '${repository}'`,
          },
    ];
  } finally {
    await db.close();
  }
}
