// By what can a process not help being known as a session's?

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * On Linux every process of a session has its number as the limit of "file locks". The kernel has not
 * asked that limit for anything since 2.4, but it hands it on with every fork and exec, shows
 * it to everybody, and lets nobody raise it who is not privileged. Neither a double fork nor an empty
 * environment, another session, another name or closed files take it off.
 */
export interface Mark {
  /** The limit. */
  readonly value: string;
  /** What limits of the session's processes begin with; those of an orch in it have another end. */
  readonly prefix: string;
}

const OWN_DIGITS = 12;
const INNER_DIGITS = 6;
/** Largest there is, so that an orch inside the session has lower ones to give. */
const OUTERMOST = "9".repeat(INNER_DIGITS);

/**
 * The mark follows from the session's marker, so whoever knows that finds what a dead orch left.
 * null: this system has no such limit, or it is taken: two orchs around this one, or an administrator.
 */
export function markOf(marker: string, outer = ownLimit()): Mark | null {
  const digits = digitsOf(marker);
  if (outer === "unlimited") return { value: `${digits}${OUTERMOST}`, prefix: digits };
  if (outer?.length !== OWN_DIGITS + INNER_DIGITS || !outer.endsWith(OUTERMOST)) return null;
  const value = `${outer.slice(0, OWN_DIGITS)}${digits.slice(-INNER_DIGITS)}`;
  return value === outer ? null : { value, prefix: value };
}

export function carries(pid: number, { prefix, value }: Mark): boolean {
  const limit = limitOf(pid);
  return limit?.length === value.length && limit.startsWith(prefix);
}

/** For a shell that is to become the session's program: `-w` and `-x` are two shells' names for it. */
export const BECOME_MARKED = '{ ulimit -w "$1" || ulimit -x "$1"; } 2>/dev/null; shift; exec "$@"';

/** No leading zero: it is compared as text. */
function digitsOf(marker: string): string {
  const number = createHash("sha256").update(marker).digest().readUIntBE(0, 6);
  const span = 10 ** (OWN_DIGITS - 1);
  return String(span + (number % (9 * span)));
}

/** null: no such process, or no such limit here. */
function limitOf(pid: number | "self"): string | null {
  try {
    const limits = readFileSync(`/proc/${pid}/limits`, "latin1");
    return /^Max file locks +\S+ +(\S+)/m.exec(limits)?.[1] ?? null;
  } catch {
    return null;
  }
}

let own: string | null | undefined;

function ownLimit(): string | null {
  if (own === undefined) own = limitOf("self");
  return own;
}
