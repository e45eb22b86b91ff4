// Is there room where a run writes?

import { existsSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";

import { orchFolder } from "../../adapters/log/run-files.ts";
import type { Settings } from "../../core/model/settings.ts";
import { OrchError, THEN_RESUME } from "../../errors.ts";
import { treesFolder } from "../../workspace/worktrees/places.ts";
import { plural, size } from "../render/text.ts";

export interface DiskPlace {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly settings: Pick<Settings, "worktree">;
}

interface Room {
  readonly what: string;
  /** As a person knows it; it may be still to be made. */
  readonly folder: string;
  readonly freeBytes: number;
  /** Infinite where the file system does not count them. */
  readonly freeFiles: number;
  readonly leastBytes: number;
  readonly leastFiles: number;
  /** Besides making room. */
  readonly orElse: string;
}

const MIB = 1024 ** 2;
const SMALL = { leastBytes: MIB, leastFiles: 100 } as const;
const LARGE = { leastBytes: 32 * MIB, leastFiles: 1_000 } as const;
const CLEANING = "`orch clean` removes what runs left behind";

/** Where tasks work, where runs are recorded, and where git keeps what was made. */
function roomFor({ root, env, settings }: DiskPlace): readonly Room[] {
  const trees = treesFolder(settings.worktree.root, env);
  const orElse = ", or name another place under `worktree.root` in the config";
  const git = join(root, ".git", "objects");
  return [
    roomAt({ what: "trees of tasks", folder: trees, ...LARGE, orElse }),
    roomAt({ what: "records of runs", folder: orchFolder(root), ...SMALL, orElse: "" }),
    ...(existsSync(git)
      ? [roomAt({ what: "what git keeps", folder: git, ...SMALL, orElse: "" })]
      : []),
  ];
}

function roomAt(
  place: Pick<Room, "what" | "folder" | "leastBytes" | "leastFiles" | "orElse">,
): Room {
  const { bavail, bsize, files, ffree } = statfsSync(nearest(place.folder));
  const freeFiles = files === 0 ? Infinity : ffree;
  return { ...place, freeBytes: bavail * bsize, freeFiles };
}

function isShort({ freeBytes, freeFiles, leastBytes, leastFiles }: Room): boolean {
  return freeBytes < leastBytes || freeFiles < leastFiles;
}

/** "3.1 MB and 12 files". */
function freeWords({ freeBytes, freeFiles }: Pick<Room, "freeBytes" | "freeFiles">): string {
  return Number.isFinite(freeFiles)
    ? `${size(freeBytes)} and ${plural(freeFiles, "file")}`
    : size(freeBytes);
}

/** Throws OrchError "disk-full": better than to find it in the middle of a session that was paid for. */
export function requireRoom(place: DiskPlace): void {
  const short = roomFor(place).find(isShort);
  if (short === undefined) return;
  const { what, folder, leastBytes, leastFiles, orElse } = short;
  const least = freeWords({ freeBytes: leastBytes, freeFiles: leastFiles });
  throw new OrchError(
    "disk-full",
    `no space left for ${what} in ${JSON.stringify(folder)}: free are ${freeWords(short)}, needed ${least}`,
    `free some space there (${CLEANING})${orElse}, ${THEN_RESUME}`,
    { exitCode: 75 },
  );
}

function nearest(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearest(dirname(folder));
}
