// What is in an entry of the checkout: how much, and what of it names the checkout?

import { readdirSync, readlinkSync, type Dirent, type Stats } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { setImmediate as pause } from "node:timers/promises";

import { pathInside } from "../../adapters/files/inside.ts";
import { diskPath, entryAt, nameFrom } from "../path-names.ts";
import { NEVER, OPENED } from "./entries.ts";

export interface Amount {
  readonly files: number;
  /** On the disk. */
  readonly bytes: number;
}

export function totalOf(parts: readonly Amount[]): Amount {
  let [files, bytes] = [0, 0];
  for (const part of parts) [files, bytes] = [files + part.files, bytes + part.bytes];
  return { files, bytes };
}

/** A file or folder, and how much it is with all that is in it. */
export interface Part extends Amount {
  readonly path: string;
  /** What is to be copied of a folder; null: it is a file. */
  readonly parts: readonly Part[] | null;
  /** Something in it is not copied, so it cannot be copied as a whole. */
  readonly isPartial: boolean;
}

export interface Survey {
  readonly from: string;
  /** Names that the checkout goes by, its real path among them. */
  readonly names: readonly string[];
  /** The tree. */
  readonly to: string;
  /** Links that would not lead where they should, with where they are to lead. */
  readonly links: { readonly path: string; readonly target: string }[];
  /** Links that lead out of the checkout. */
  readonly leadOut: string[];
  /** Small files that may name the checkout. */
  readonly texts: string[];
  /** One of the files, with something in it. */
  sample: string | null;
  textBytes: number;
  folders: number;
}

export function newSurvey(from: string, names: readonly string[], to: string): Survey {
  const found = { links: [], leadOut: [], texts: [], sample: null, textBytes: 0, folders: 0 };
  return { from, names, to, ...found };
}

/** Larger files are hardly scripts or settings. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;
/** Read of one entry in search of the checkout's name. */
const TEXTS_BYTES_MAX = 128 * 1024 * 1024;
/** Folders that are looked into before others have their turn. */
const FOLDERS_AT_ONCE = 200;

/** null: there is nothing any more. Adds to the survey what it finds. */
export async function surveyEntry(path: string, survey: Survey): Promise<Part | null> {
  const found = entryAt(join(survey.from, path));
  if (found?.isDirectory() === true) return surveyFolder(path, true, survey);
  return found === null ? null : surveyFile(path, found, { isOpened: true, survey });
}

async function surveyFolder(path: string, isOpened: boolean, survey: Survey): Promise<Part> {
  survey.folders += 1;
  if (survey.folders % FOLDERS_AT_ONCE === 0) await pause();
  const parts: Part[] = [];
  let isPartial = false;
  for (const entry of entriesOf(join(survey.from, path))) {
    const name = nameFrom(entry.name);
    const below = `${path}/${name}`;
    isPartial ||= NEVER.has(name);
    if (NEVER.has(name)) continue;
    const found = entry.isDirectory() ? null : entryAt(`${survey.from}/${below}`);
    if (found !== null) parts.push(surveyFile(below, found, { isOpened, survey }));
    else if (entry.isDirectory())
      parts.push(await surveyFolder(below, isOpened && OPENED.test(name), survey));
  }
  isPartial ||= parts.some((part) => part.isPartial);
  return { path, ...totalOf(parts), parts, isPartial };
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(diskPath(folder), { withFileTypes: true, encoding: "latin1" });
  } catch {
    return []; // Whoever copies it says why it cannot be read.
  }
}

const BLOCK_BYTES = 512;

function surveyFile(
  path: string,
  found: Stats,
  { isOpened, survey }: { readonly isOpened: boolean; readonly survey: Survey },
): Part {
  if (found.isSymbolicLink()) surveyLink(path, survey);
  if (found.isFile() && found.size > 0) survey.sample ??= join(survey.from, path);
  const isSmall = found.isFile() && found.size <= TEXT_BYTES_MAX;
  if (isOpened && isSmall && survey.textBytes + found.size <= TEXTS_BYTES_MAX) {
    survey.texts.push(path);
    survey.textBytes += found.size;
  }
  return { path, files: 1, bytes: found.blocks * BLOCK_BYTES, parts: null, isPartial: false };
}

/** A link into the checkout is to lead into the tree; one that leads out, where it did. */
function surveyLink(path: string, { from, names, to, links, leadOut }: Survey): void {
  const written = nameFrom(readlinkSync(diskPath(join(from, path)), "latin1"));
  const target = resolve(dirname(join(from, path)), written);
  const [inside] = names.flatMap((name) => pathInside(name, target) ?? []);
  if (inside === undefined) leadOut.push(path);
  if (isAbsolute(written) === (inside === undefined)) return;
  links.push({ path, target: inside === undefined ? target : join(to, inside) });
}
