// What did a dead session leave running, and how is it ended?

import type { Orphans } from "../../engine/ports.ts";
import { isAlive } from "./identity.ts";
import { endTree, findTree, union } from "./tree.ts";

const GRACE_MS = 5_000;

/**
 * Finds a session's processes by the recorded pid with its start time, and by the token that all
 * of them carry in their environment. A reused pid has another start time and is left alone.
 */
export function createOrphans(graceMs = GRACE_MS): Orphans {
  return {
    end: (token, recorded) => {
      let known = recorded === null ? [] : [recorded].filter(isAlive);
      // The group's number means this session's group only while its leader still lives.
      const group = known[0]?.pid ?? null;
      const find = (): typeof known => {
        const found = findTree({ roots: known, group, marker: token, sinceTicks: 0 });
        known = [...union(found, known)].filter(isAlive);
        return known;
      };
      return endTree(find, graceMs);
    },
  };
}
