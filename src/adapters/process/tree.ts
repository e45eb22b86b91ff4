// Which processes belong to a child, wherever they went, and how are they all ended?

import { execFileSync, type ChildProcess } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import type { ProcessIdentity } from "../../core/model/session.ts";
import type { Orphans } from "../../engine/ports.ts";
import { identityOf, isAlive, isHidden, limitOf, markOf, procStat } from "./identity.ts";

/** The variable that every process of a session carries in its environment. */
export const MARKER_VARIABLE = "ORCH_SESSION";

/** What is known of a tree: any one of these is enough to find a process. */
export interface TreeClues {
  /** Processes whose descendants belong to the tree; dead ones are passed over. */
  readonly roots: readonly ProcessIdentity[];
  /** Process group, and session, that the child was started in; null: not known, or not certain. */
  readonly group: number | null;
  readonly marker: string;
  /** From `startTicks`: nothing started earlier belongs to the tree. 0: not known. */
  readonly sinceTicks: number;
}

/** Every living process of the tree; orch itself and its own ancestors are never among them. */
export function findTree(clues: TreeClues): readonly ProcessIdentity[] {
  const rows = process.platform === "linux" ? rowsFromProc(clues) : rowsFromPs(clues.marker);
  const parents = new Map(rows.map((row) => [row.pid, row.parent]));
  const spared = lineage(process.pid, parents);
  const roots = new Set(clues.roots.filter(isAlive).map((root) => root.pid));
  const belongs = (row: ProcessRow): boolean =>
    row.marked ||
    (clues.group !== null && (row.group === clues.group || row.session === clues.group)) ||
    [...lineage(row.pid, parents)].some((pid) => roots.has(pid));
  return (
    rows
      .filter((row) => row.ticks >= clues.sinceTicks && !spared.has(row.pid) && belongs(row))
      // What `sudo` started may be the session's, but orch can only wait for it in vain.
      .filter((row) => !isHidden(row.pid))
      .map((row) => identityOf(row.pid))
      .filter((identity) => identity !== null)
  );
}

/** How long a process takes that cannot be killed at all: stuck in the kernel, or not ours to signal. */
const UNKILLABLE_MS = 30_000;

/**
 * Asks every process of the tree to end, kills what is left after the grace, and resolves when
 * nothing is left. `find` is asked again and again, because a process may start another one
 * between being found and being killed. Resolves to the pids that were ended.
 */
export async function endTree(
  find: () => readonly ProcessIdentity[],
  graceMs: number,
): Promise<readonly number[]> {
  const asked = new Map<number, ProcessIdentity>();
  const startedAt = performance.now();
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 100)) {
    const living = union(find(), [...asked.values()].filter(isAlive));
    const waitedMs = performance.now() - startedAt;
    if (living.length === 0 || waitedMs > graceMs + UNKILLABLE_MS) return [...asked.keys()];
    for (const member of living) {
      if (waitedMs >= graceMs) sendSignal(member.pid, "SIGKILL");
      else if (!asked.has(member.pid)) sendSignal(member.pid, "SIGTERM");
      asked.set(member.pid, member);
    }
    await sleep(pauseMs);
  }
}

/** Sends a signal to a process, or to a group by its negative number; false where nobody got it. */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // Gone in the meantime, or not ours to signal.
  }
}

/** What processes that escaped hold open is let go, once what is in it was read. */
export async function releasePipes(child: Pick<ChildProcess, "stdout" | "stderr">): Promise<void> {
  // After a long stall of orch itself the time is over before anything was read at all.
  await new Promise((resolve) => setImmediate(resolve));
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** When the process started, in the kernel's own ticks; 0 where that is not known. */
export function startTicks({ pid, startTime }: ProcessIdentity): number {
  if (process.platform !== "linux") return 0;
  // One that is dead already has no identity, but until it is waited for it has an entry.
  const ticks = /:(\d+)$/.exec(startTime)?.[1] ?? procStat(pid)?.ticks ?? 0;
  return Number(ticks);
}

/** Both lists, each process once. */
function union(
  one: readonly ProcessIdentity[],
  other: readonly ProcessIdentity[],
): readonly ProcessIdentity[] {
  return [...new Map([...one, ...other].map((member) => [member.pid, member])).values()];
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly ticks: number;
  readonly marked: boolean;
}

/** The process and its ancestors, as far as they are known. */
function lineage(pid: number, parents: ReadonlyMap<number, number>): ReadonlySet<number> {
  const seen = new Set<number>();
  for (let at: number | undefined = pid; at !== undefined && at > 0; at = parents.get(at)) {
    if (seen.has(at)) break;
    seen.add(at);
  }
  return seen;
}

function rowsFromProc(clues: TreeClues): readonly ProcessRow[] {
  const isMarked = markOn(clues.marker);
  const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    const stat = procStat(pid);
    if (stat === null) return [];
    // The costly look into the environment is spared for everything older than the child.
    return [{ ...stat, pid, marked: stat.ticks >= clues.sinceTicks && isMarked(pid) }];
  });
}

/** Whether a process carries the marker in its environment, or the mark that it cannot take off. */
function markOn(marker: string): (pid: number) => boolean {
  const mark = markOf(marker);
  const wanted = `\0${MARKER_VARIABLE}=${marker}\0`;
  const isIn = (variables = ""): boolean => `\0${variables}\0`.includes(wanted);
  return (pid) =>
    isIn(environmentOf(pid)?.toString("latin1")) || (mark !== null && limitOf(pid) === mark);
}

/** A process that is just becoming another program has none for a moment. */
const LOOKS_MAX = 10;

/** null: another user's process, or gone. Empty: it has none. */
export function environmentOf(pid: number): Buffer | null {
  try {
    let variables = readFileSync(`/proc/${pid}/environ`);
    for (let looks = 1; variables.length === 0 && looks < LOOKS_MAX; looks += 1)
      variables = readFileSync(`/proc/${pid}/environ`);
    return variables;
  } catch {
    return null;
  }
}

/** Systems without /proc: `ps` prints the environment behind the command with -E. */
function rowsFromPs(marker: string): readonly ProcessRow[] {
  const columns = ["-AEww", "-o", "pid=", "-o", "ppid=", "-o", "pgid=", "-o", "command="];
  try {
    const text = execFileSync("/bin/ps", columns, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 64 << 20,
    });
    return rowsFromText(text, marker);
  } catch {
    return []; // Without ps only the group's own signal reaches the tree.
  }
}

/** Exported for its test: the lines of `ps`, as rows. */
export function rowsFromText(text: string, marker: string): readonly ProcessRow[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, parent, group, command] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || command === undefined) return [];
    const marked = `${command} `.includes(` ${MARKER_VARIABLE}=${marker} `);
    const session = Number(group);
    return [
      { pid: Number(pid), parent: Number(parent), group: session, session, ticks: 0, marked },
    ];
  });
}

/** Finds the tree again and again, and forgets no process that was in it once. */
export function treeFinder({ roots, ...clues }: TreeClues): () => readonly ProcessIdentity[] {
  // A descendant cannot be told from others after its parent died, so it must be known before.
  let members = roots;
  return () => {
    members = union(findTree({ ...clues, roots: members }), members).filter(isAlive);
    return members;
  };
}

const ORPHANS_GRACE_MS = 5_000;

/**
 * Finds the processes of a dead session by the recorded pid with its start time, and by the token
 * that all of them carry in their environment. A reused pid has another start time and is left alone.
 */
export function createOrphans(graceMs = ORPHANS_GRACE_MS): Orphans {
  return {
    end: (token, recorded) => {
      const roots = recorded === null ? [] : [recorded].filter(isAlive);
      // The group's number means this session's group only while its leader still lives.
      const group = roots[0]?.pid ?? null;
      return endTree(treeFinder({ roots, group, marker: token, sinceTicks: 0 }), graceMs);
    },
  };
}
