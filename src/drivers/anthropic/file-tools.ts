// Which files may the model read and change, and how?

import { closeSync, constants, fstatSync, ftruncateSync, mkdirSync } from "node:fs";
import { openSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

import {
  entriesIn,
  entryKind,
  pathInside,
  readFileBounded,
  realPath,
} from "../../adapters/files/small-file.ts";
import { clip, firstOf } from "../../core/model/excerpt.ts";
import { fenceTest, fenceWords } from "../../core/model/fence.ts";
import { nameAt, numberAt, type JsonObject } from "../../core/model/json.ts";
import type { SessionRequest } from "../../engine/ports.ts";
import { defineTool, type Tool } from "./tool.ts";

/** Where the tools of a session may go: into the tree, and into the folder of the report. */
export type Reach = Pick<SessionRequest, "cwd" | "reportPath" | "fence">;

const FILE_BYTES_MAX = 10 * 1024 * 1024;
const LINES_MAX = 2_000;
const LINE_CHARS_MAX = 2_000;
const READ_CHARS_MAX = 60_000;
const NAMES_MAX = 500;

const READ = "Shows a text file with its line numbers, or the names in a folder.";
const WRITE =
  "Creates a file, or replaces all of it; folders are made as needed. To change a part, use edit.";
const EDIT =
  "Replaces one place in a file. The old text must be there exactly once, as read shows it without the line numbers.";
const PATH = ["string", "Relative to the working tree, or absolute inside it."] as const;

const READ_ARGS = {
  path: PATH,
  offset: ["integer?", "The first line to show, from 1."],
  limit: ["integer?", `How many lines; at most ${LINES_MAX}.`],
} as const;
const WRITE_ARGS = { path: PATH, content: ["string", "The whole new content."] } as const;
const EDIT_ARGS = {
  path: PATH,
  old: ["string", "The text to be replaced, with enough around it to be unique."],
  new: ["string", "What stands there afterwards."],
} as const;

export function fileTools(reach: Reach): readonly Tool[] {
  const pathOf = (input: JsonObject, use: "read" | "write"): string =>
    pathFor(nameAt(input, "path"), use, reach);
  return [
    defineTool(["read", READ], READ_ARGS, async (input) => read(pathOf(input, "read"), input)),
    defineTool(["write", WRITE], WRITE_ARGS, async (input) => {
      writeWhole(pathOf(input, "write"), nameAt(input, "content"));
      return "Written.";
    }),
    defineTool(["edit", EDIT], EDIT_ARGS, async (input) =>
      edit(pathOf(input, "write"), nameAt(input, "old"), nameAt(input, "new")),
    ),
  ];
}

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

function read(path: string, input: JsonObject): string {
  if (entryKind(path) === "a folder") return namesAt(path);
  const lines = textIn(path).replace(/\n$/, "").split("\n");
  const from = Math.max(1, numberAt(input, "offset") ?? 1);
  const most = Math.min(LINES_MAX, Math.max(1, numberAt(input, "limit") ?? LINES_MAX));
  const part = lines.slice(from - 1, from - 1 + most);
  const numbered = part.map((line, at) => `${from + at}\t${clip(line, LINE_CHARS_MAX)}`).join("\n");
  const isAll = part.length === lines.length && numbered.length <= READ_CHARS_MAX;
  return isAll ? numbered : `${clip(numbered, READ_CHARS_MAX)}\n(of ${lines.length} lines)`;
}

function namesAt(folder: string): string {
  const names = entriesIn(folder).map((one) => (one.isDirectory() ? `${one.name}/` : one.name));
  return firstOf(names.toSorted(), NAMES_MAX, { between: "\n" });
}

function edit(path: string, old: string, after: string): string {
  const parts = textIn(path).split(old);
  const times = old === "" ? 0 : parts.length - 1;
  if (times !== 1) throw new Error(`The old text is there ${times} times; read the file again.`);
  writeWhole(path, parts.join(after));
  return "Replaced.";
}

/** Of a regular text file; anything else is refused. */
function textIn(path: string): string {
  const file = readFileBounded(path, FILE_BYTES_MAX);
  if (file.kind === "absent") throw new Error("There is no such file.");
  if (file.kind === "refused") throw new Error(`The file ${file.why}; try a command.`);
  if (file.isUtf8 && !file.text.includes("\0")) return file.text;
  throw new Error("This is no UTF-8 text; look at it with a command.");
}

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;

/** Into the file itself, which keeps its mode. No link or pipe that took its place is followed or waited for. */
function writeWhole(path: string, content: string): void {
  const kind = entryKind(path);
  if (kind !== "absent" && kind !== "a file") throw new Error(`It is ${kind}, and must be a file.`);
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw new Error("It must be a regular file.");
    ftruncateSync(fd);
    writeFileSync(fd, content);
  } finally {
    closeSync(fd);
  }
}
