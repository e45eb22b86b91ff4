// What ends a child's tree when orch itself is killed?

import { spawn, type ChildProcessByStdio } from "node:child_process";
import { Socket } from "node:net";
import type { Writable } from "node:stream";

import { MARKER_VARIABLE } from "./tree.ts";

/**
 * Sets a guard on the tree; a sentence where that is impossible. It must be there before the child:
 * the end of the pipe comes by the kernel's hand however orch dies, and a guard that looks before
 * the child has got its environment looks again. One guard per child at a time: it holds a pipe
 * whose only writer is orch.
 */
export function startGuard(marker: string) {
  try {
    const guard = idleGuard(marker) ?? newGuard(marker);
    if (guard.pid === undefined) return "the guard of the session could not be started (/bin/sh)";
    return {
      /** Names the child's process group, for systems where the marker cannot be read. */
      watch: (group: number) => void guard.stdin.write(`group ${group}\n`),
      /** The tree is gone: the guard waits for the next one. */
      release: () => {
        guard.stdin.write("done\n");
        idle.push(guard);
      },
    };
  } catch (error) {
    return `the guard of the session could not be started: ${String(error)}`;
  }
}

type GuardProcess = ChildProcessByStdio<Writable, null, null>;

/** To start a process costs more than most of what else orch does around it. */
const idle: GuardProcess[] = [];

function idleGuard(marker: string): GuardProcess | null {
  const guard = idle.pop();
  if (guard === undefined) return null;
  if (guard.exitCode !== null || guard.signalCode !== null) return idleGuard(marker);
  // Written before the child is started: the pipe keeps it for the guard, whatever happens to orch.
  guard.stdin.write(`mark ${MARKER_VARIABLE}=${marker}\n`);
  return guard;
}

function newGuard(marker: string): GuardProcess {
  // Its own session, so that no Ctrl-C and no hang-up of the terminal reaches it; its own small
  // environment, so that it is not taken for a part of any tree.
  const guard = spawn("/bin/sh", guardArguments(marker, GRACE_MS), {
    detached: true,
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.on("error", () => {}); // The missing pid says so already.
  guard.stdin.on("error", () => {}); // Somebody ended the guard; its work is not lost, only late.
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return guard;
}

/** The shell's arguments: the script, the name that `ps` shows, and what the script looks for. */
export function guardArguments(marker: string, graceMs: number): string[] {
  const rounds = String(Math.ceil(graceMs / ROUND_MS));
  return ["-c", GUARD, "orch-guard", `${MARKER_VARIABLE}=${marker}`, rounds];
}

const GRACE_MS = 10_000;
/** One look at the tree, as the script below pauses between two. */
const ROUND_MS = 200;

/**
 * POSIX sh, because it is there and starts in a millisecond. TERM, a grace, KILL.
 * A process counts as the tree's when it carries the marker, when it is in the group, or when it
 * descends from the group's leader; what was found once is remembered, because a descendant can no
 * longer be told from others after its parent died.
 */
const GUARD = `
trap '' HUP INT TERM
mark=$1 rounds=$2 group= known=
while IFS= read -r line; do
  case $line in
    done) mark= group= ;;
    mark\\ *) mark=\${line#mark } ;;
    group\\ *) group=\${line#group } ;;
  esac
done
[ -n "$mark" ] || exit 0

marked() {
  [ -d /proc/self ] || return 0
  grep -lszxF -e "$mark" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3
}
related() {
  [ -n "$group" ] || return 0
  ps -A -o pid= -o ppid= -o pgid= 2>/dev/null | awk -v root="$group" '
    { parent[$1] = $2; if ($1 == root || $3 == root) found[$1] = 1 }
    END {
      do { more = 0
        for (pid in parent) if (!(pid in found) && (parent[pid] in found)) { found[pid] = 1; more = 1 }
      } while (more)
      for (pid in found) print pid
    }'
}
living() {
  for pid in $known $(marked) $(related); do
    case " $seen " in *" $pid "*) continue ;; esac
    seen="$seen $pid"
    [ -r "/proc/$pid/stat" ] && case $(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null) in [ZX]*) continue ;; esac
    kill -0 "$pid" 2>/dev/null && echo "$pid"
  done
}
fresh() {
  for pid in $known; do
    case " $asked " in *" $pid "*) ;; *) echo "$pid" ;; esac
  done
}
finish() {
  empty=0 round=0
  while [ "$round" -lt "$2" ]; do
    seen= known=$(living | tr '\\n' ' ')
    if [ -z "$known" ]; then
      # A child that is just being started has no environment yet: nothing must be found twice.
      empty=$((empty + 1))
      [ "$empty" -ge 2 ] && exit 0
    else
      empty=0
      # Asked once each: many programs take a second TERM for impatience.
      [ "$1" = KILL ] && asked=
      new=$(fresh | tr '\\n' ' ')
      [ -n "$new" ] && kill -s "$1" $new 2>/dev/null
      asked="$asked $new"
    fi
    round=$((round + 1))
    sleep 0.2
  done
}
asked=
finish TERM "$rounds"
finish KILL 150
`;
