// May an agent write a file?

import { tmpdir } from "node:os";
import { dirname, resolve } from "node:path";

import { pathInside, realPath } from "../adapters/files/small-file.ts";
import { fenceTest, fenceWords, type Fence, type FenceSide } from "../core/model/fence.ts";

interface WriteLimits {
  /** The working tree; absolute. */
  readonly root: string;
  readonly reportPath: string;
  readonly fence: Fence;
}

/** Any program may use these, and nothing there is anybody's work. */
const TEMPORARY = ["/tmp", "/var/tmp"];

/**
 * Why it may not, in words for the agent; null: it may. What a path leads to counts, not how it is
 * written. The same fence is measured after the session, for whatever writes in another way.
 */
export function refusedWrite(
  path: string,
  limits: WriteLimits,
  { cwd = limits.root, temporary = [tmpdir(), ...TEMPORARY] } = {},
): string | null {
  const [root, target] = [realPath(limits.root), realPath(resolve(cwd, path))];
  const way = pathInside(root, target);
  if (way === null) {
    const isTemporary = temporary.some((folder) => pathInside(realPath(folder), target) !== null);
    const where = `${path} is outside your working tree, ${limits.root}`;
    const rule = "write nothing outside it but temporary files";
    return isTemporary ? null : `${where}: ${rule}. ${allowed(limits)}`;
  }
  // The report, and a plan beside it.
  if (dirname(target) === dirname(realPath(limits.reportPath))) return null;
  const side = fenceTest(limits.fence)(way);
  return side === null ? null : `${way} must not be changed. ${allowed(limits)} ${WAY_OUT[side]}`;
}

function allowed({ fence }: WriteLimits): string {
  const words = fenceWords(fence);
  return words === null ? "" : `You may write ${words}.`;
}

const WAY_OUT: Record<FenceSide, string> = {
  allowWrite:
    "If the step cannot be done without it, report a blocker of the type `permission_policy`; do not work around this.",
  scope:
    "If the task cannot be done without it, report a blocker of the type `permission_policy`. If a command must change a file there, such as a lock file, name it under `changed_checks` with its reason.",
};
