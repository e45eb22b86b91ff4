// How does a run begin on the fleet, and how is it followed from here?

import type { OpenRun } from "../../adapters/log/event-store.ts";
import { readLog, requireLog } from "../../adapters/log/event-log.ts";
import { isOfFleet, listRuns, type RunFiles } from "../../adapters/log/run-files.ts";
import { invariant } from "../../core/model/assert.ts";
import type { RunBase, RunEvent } from "../../core/model/event.ts";
import { shortener } from "../../core/model/ids.ts";
import { projectRun } from "../../core/views/projection.ts";
import { fold } from "../../core/run/reduce.ts";
import { OrchError } from "../../errors.ts";
import { baseRef, push, repositoryName, requireRemote } from "../../fleet/clone.ts";
import { announce, openDatabase, type Database } from "../../fleet/database.ts";
import { createBell } from "../../fleet/bell.ts";
import { upload } from "../../fleet/files.ts";
import { markOfFleet, mirrorRun, resumeRun, type Mirrored } from "../../fleet/mirror.ts";
import { writeLines } from "../../fleet/store.ts";
import { LINE_VERSION } from "../../schema/event-line.ts";
import { findRepository } from "../../workspace/git/find-repository.ts";
import { type Given, usage } from "../command-line/options.ts";
import { type CliIo, printErr, printResult } from "../io.ts";
import { readerOf } from "../running/at-terminal.ts";
import { createAnswerHint } from "../running/people.ts";
import type { RunPlace } from "../running/context.ts";
import { writeResult } from "../running/drive.ts";
import { createDisplay } from "../running/view.ts";
import { remoteIn, requireAddress } from "./address.ts";

const LOOK_MS = 1_000;

export interface Submission {
  readonly place: RunPlace;
  readonly store: OpenRun;
  readonly base: RunBase | null;
  readonly opening: readonly RunEvent[];
}

/** The run's folder stands, with its pinned settings. Resolves to the exit code. */
export async function submit(
  { place, store, base, opening }: Submission,
  given: Given,
  io: CliIo,
): Promise<number> {
  const { files } = store;
  const open = async (): Promise<Database> => openDatabase(requireAddress(io));
  const db = await open().catch((error: unknown) => {
    store.discard();
    throw error;
  });
  try {
    await enqueue(db, { place, store, base, opening }, { io, needs: given.needs ?? [] });
    store.release();
    markOfFleet(files);
    await mirrorRun(db, files);
    if (given.detach === true) {
      printResult(io, given, { run: files.id }, () => `${files.id}\nfollow it with \`orch watch\``);
      return 0;
    }
    return await follow(db, files, { given, io, root: place.root });
  } catch (error) {
    if (!isOfFleet(files)) store.discard();
    throw error;
  } finally {
    await db.close();
  }
}

async function enqueue(
  db: Database,
  { place, store, base, opening }: Submission,
  { io, needs }: { readonly io: CliIo; readonly needs: readonly string[] },
): Promise<void> {
  const { id: run } = store.files;
  const begins = opening.flatMap((event) => (event.type === "run-started" ? [event] : []));
  if (base === null || begins.some(({ isolation }) => isolation === "none"))
    throw usage(
      "work gets to the fleet by git, and there is no commit to begin with here",
      "make a repository with a commit, and omit `--isolation none`",
    );
  if (begins.some(({ landing }) => landing !== "leave"))
    throw usage(
      "the fleet leaves finished work on its branch",
      "omit `--landing`; `orch merge` takes the work when the run is done",
    );
  const git = await findRepository(place.root, place.env);
  invariant(git !== null, "the run has a base");
  const name = remoteIn(io);
  const remote = await requireRemote(git, name);
  await push(git, name, [`${base.commit}:${baseRef(run)}`]);
  await db.transaction(async (session) => {
    await session.rows(
      "insert into runs (run, repository, remote, labels, format) values ($1, $2, $3, $4, $5)",
      [run, repositoryName(remote), remote, needs, LINE_VERSION],
    );
    await writeLines(session, opening, { db, run, redact: place.redact });
    await upload(session, store.files, "pinned", new Map());
    await announce(session, db.schema, "look", run);
  });
}

/** Follows it to where it rests again; one that was stopped goes on. */
export async function resumeOnFleet(files: RunFiles, following: Following): Promise<number> {
  const db = await openDatabase(requireAddress(following.io));
  try {
    await resumeRun(db, files.id);
    return await follow(db, files, following);
  } finally {
    await db.close();
  }
}

interface Following {
  readonly given: Given;
  readonly io: CliIo;
  readonly root: string;
}

/** On the same screen as a run of this process, to the same exit code. Leaving it changes nothing about the run. */
async function follow(
  db: Database,
  files: RunFiles,
  { given, io, root }: Following,
): Promise<number> {
  const run = files.id;
  const display = createDisplay(io, { ...given, run, short: shortener(listRuns(root))(run) });
  const hint = createAnswerHint(run, io);
  const left = new AbortController();
  const news = createBell();
  const leave = (): void => {
    left.abort();
    news.ring();
  };
  process.once("SIGINT", leave).once("SIGTERM", leave);
  const { read } = readerOf(files);
  const session = await db.hold(() => news.ring());
  try {
    await session.listen("lines", (_what, about) => about === run && news.ring());
    for (let mirrored: Mirrored | null = null; ; await news.next(LOOK_MS)) {
      mirrored = (await mirrorRun(db, files)) ?? mirrored;
      const { events, state } = read();
      if (events.length > 0) display.view.recorded(events, state);
      hint(state, false);
      if (left.signal.aborted) {
        display.stop();
        printErr(io, `the run goes on; follow it with \`orch watch\`, end it with \`orch stop\``);
        return 130;
      }
      const isAtWork = mirrored?.standing === "open" || mirrored?.standing === "stopping";
      if (isAtWork || state.process === "live") continue;
      if (mirrored?.trouble) throw stopped(mirrored.trouble);
      const { view, result } = writeResult(state, state.exitCode ?? 0, files);
      display.end(view, result.exitCode);
      return result.exitCode;
    }
  } finally {
    process.off("SIGINT", leave).off("SIGTERM", leave);
    display.stop();
    await session.close().catch(() => undefined);
  }
}

function stopped(trouble: string): OrchError {
  const hint = "mend it, then run `orch resume`; everything recorded so far is kept";
  return new OrchError("fleet-unavailable", `a worker could not go on: ${trouble}`, hint, {
    exitCode: 75,
  });
}

/** For commands that look at a run of the fleet: result.json and state.json as the log has it. */
export function refreshResult(files: RunFiles): void {
  const state = fold(requireLog(files.log, readLog(files.log)).events);
  if (state.process === "live" || projectRun(state) === null) return;
  writeResult(state, state.exitCode ?? 0, files);
}
