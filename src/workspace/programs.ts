// Which programs run the checks, and are they the ones that were there before?

import { createHash } from "node:crypto";
import { readFileSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";

/** Installed, so git does not see them. */
const FOLDERS = ["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"];

const ENTRIES_MAX = 2_000;
const FILE_BYTES_MAX = 4 * 1024 * 1024;
const BYTES_MAX = 64 * 1024 * 1024;

interface Budget {
  entries: number;
  bytes: number;
  /** By the real file: many links lead to one program. */
  readonly known: Map<string, string>;
}

/** By path, what each program is: where its link leads, and what the file there holds. Never throws. */
export function programsIn(root: string): Readonly<Record<string, string>> {
  const budget: Budget = { entries: ENTRIES_MAX, bytes: BYTES_MAX, known: new Map() };
  return Object.fromEntries(
    FOLDERS.flatMap((folder) =>
      namesIn(join(root, folder)).flatMap((name): readonly (readonly [string, string])[] => {
        budget.entries -= 1;
        if (budget.entries < 0) return [];
        return [[`${folder}/${name}`, identityOf(join(root, folder, name), budget)]];
      }),
    ),
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // Nothing is installed there.
  }
}

function identityOf(path: string, budget: Budget): string {
  try {
    const real = realpathSync(path);
    const known = budget.known.get(real) ?? contentOf(real, budget);
    budget.known.set(real, known);
    return `${targetOf(path)} ${known}`;
  } catch {
    return "unreadable";
  }
}

function targetOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // No link.
  }
}

/** A larger file is known by its size: times say nothing, for whoever replaces it can set them. */
function contentOf(real: string, budget: Budget): string {
  const found = statSync(real);
  if (!found.isFile()) return "no file";
  if (found.size > Math.min(FILE_BYTES_MAX, budget.bytes)) return `${found.size} bytes`;
  budget.bytes -= found.size;
  return createHash("sha256").update(readFileSync(real)).digest("hex");
}
