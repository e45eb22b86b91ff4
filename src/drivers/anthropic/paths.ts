// What does a path that the model wrote lead to, and may a tool go there?

import { dirname, resolve } from "node:path";

import { pathInside, realPath } from "../../adapters/files/small-file.ts";
import { fenceTest, fenceWords } from "../../core/model/fence.ts";
import type { SessionRequest } from "../../engine/ports.ts";

/** Where the tools of a session may go: into the tree, and into the folder of the report. */
export type Reach = Pick<SessionRequest, "cwd" | "reportPath" | "fence">;

/**
 * The path with every link followed. Throws, in words for the model, where it may not be used.
 *
 * By its words and by what it leads to: `/proc/self/cwd` lies outside although it leads back into the
 * tree. Above a link `..` means another folder for each program, so it is refused wherever it stands.
 * A command may go anywhere; only the sandbox keeps it from there.
 */
export function pathFor(written: string, use: "read" | "write", reach: Reach): string {
  if (written === "" || written.includes("\0")) throw new Error("A path is needed.");
  if (written.split("/").includes(".."))
    throw new Error(`${written} is refused: write paths without \`..\`.`);
  const target = resolve(reach.cwd, written);
  const root = realPath(reach.cwd);
  const path = realPath(target);
  if (isOfReport(target, reach) && isOfReport(path, reach)) return path;
  const way = pathInside(root, path);
  const isInside = [reach.cwd, root].some((one) => pathInside(one, target) !== null);
  if (way === null || !isInside)
    throw new Error(`${written} is refused: it is outside the working tree, ${reach.cwd}.`);
  const names = way.split("/");
  if (names.includes(".orch") || (use === "write" && names.includes(".git")))
    throw new Error(`${written} is refused: what lies there is no part of the work.`);
  if (use === "write" && fenceTest(reach.fence)(way) !== null)
    throw new Error(`${written} is refused: you may write ${fenceWords(reach.fence)}.`);
  return path;
}

/** The folder that the report belongs into, or something in it. */
function isOfReport(path: string, { reportPath }: Reach): boolean {
  const folder = dirname(reportPath);
  return [folder, realPath(folder)].some((one) => pathInside(one, path) !== null);
}
