// What happens around a command where a fleet is named: its runs are brought here before, what was left for them goes there after?

import { findRuns, hasResult } from "../../adapters/log/run-reader.ts";
import { isOfFleet, listRuns, runFiles } from "../../adapters/log/run-files.ts";
import { openDatabase, type Database, type FleetAddress } from "../../fleet/database.ts";
import { repositoryName } from "../../fleet/clone.ts";
import { adoptRuns, mirrorRun, sendInbox } from "../../fleet/mirror.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import { gitAnswer, gitText, type Git } from "../../workspace/git/git.ts";
import { runPrefix } from "../../workspace/git/refs.ts";
import { OrchError } from "../../errors.ts";
import { type CliIo, printErr } from "../io.ts";
import { addressIn, remoteIn } from "./address.ts";
import { refreshResult } from "./submit.ts";

/** Commands that look at runs, or leave something for them. */
const LOOKING = new Set(
  "status list show watch log explain diff stats answer tell stop resume merge rescue web".split(
    " ",
  ),
);
/** They go on while they run. */
const STAYING = new Set(["watch", "log", "web", "answer", "tell", "stop"]);
const AGAIN_MS = 300;

/** Returns what is to be done when the command is through. */
export async function aroundCommand(name: string, io: CliIo): Promise<() => Promise<void>> {
  const address = LOOKING.has(name) ? addressIn(io) : null;
  if (address === null) return async () => undefined;
  const git = await findRepository(io.cwd, io.env).catch(() => null);
  const root = git?.root ?? findRuns(io.cwd).root;
  const db = await reached(address, io);
  if (db === null) return async () => undefined;
  await bringRuns(db, root, git, remoteIn(io));
  if (name === "merge" || name === "diff" || name === "rescue") await fetchWork(root, io);
  const over = new AbortController();
  const going = (async (): Promise<void> => {
    while (!over.signal.aborted && STAYING.has(name)) {
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS).unref());
      if (!over.signal.aborted) await exchange(db, root).catch(() => undefined);
    }
  })();
  return async () => {
    over.abort();
    await going;
    await exchange(db, root);
    await db.close();
  };
}

/** What is here can be looked at without it. */
async function reached(address: FleetAddress, io: CliIo): Promise<Database | null> {
  try {
    return await openDatabase(address);
  } catch (error) {
    if (!(error instanceof OrchError)) throw error;
    printErr(io, `note: ${error.message}; what is shown may be old`);
    return null;
  }
}

async function bringRuns(
  db: Database,
  root: string,
  git: Git | null,
  remote: string,
): Promise<void> {
  const address = git && (await gitAnswer(git, ["remote", "get-url", remote], [0, 2, 128]));
  if (address?.exitCode === 0) {
    const repository = repositoryName(address.stdout.trim());
    await adoptRuns(db, { root, repository }, refreshResult);
  }
  await exchange(db, root);
}

/** Both ways, for runs that are not over. */
async function exchange(db: Database, root: string): Promise<void> {
  for (const run of listRuns(root)) {
    const files = runFiles(root, run);
    if (!isOfFleet(files)) continue;
    await sendInbox(db, files);
    if (hasResult(files)) continue;
    const mirrored = await mirrorRun(db, files);
    if (mirrored !== null && mirrored.added > 0) refreshResult(files);
  }
}

/** Refs of the fleet's runs, and branches that this checkout has not, or has older. */
async function fetchWork(root: string, io: CliIo): Promise<void> {
  const git = await findRepository(root, io.env);
  const runs = listRuns(root).filter((run) => isOfFleet(runFiles(root, run)));
  if (git === null || runs.length === 0) return;
  const fetch = ["fetch", "--quiet", "--no-tags", remoteIn(io)];
  await gitText(git, [...fetch, ...runs.map((run) => `+${runPrefix(run)}/*:${runPrefix(run)}/*`)]);
  await gitAnswer(git, [...fetch, "refs/heads/orch/*:refs/heads/orch/*"], [0, 1, 128]);
}
