// What do the lines of a file of JSON records say?

import { readFileSync, statSync, writeFileSync } from "node:fs";

import { OrchError } from "../errors.ts";
import { writeFileAtomic } from "./atomic-file.ts";
import { systemCode } from "./disk.ts";

const BYTES_MAX = 512 * 1024 * 1024;

/** One record a line; empty lines are passed over. Throws OrchError with the number of a bad line. */
export function readRecords(path: string): readonly unknown[] {
  const records: unknown[] = [];
  for (const [index, line] of textOf(path).split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      records.push(JSON.parse(line));
    } catch {
      throw new OrchError(
        "records-invalid",
        `line ${index + 1} of ${JSON.stringify(path)} is not JSON`,
        "write one JSON object on each line",
      );
    }
  }
  return records;
}

/** A file is replaced whole; what is none, such as a pipe or a terminal, is written to. */
export function writeRecords(path: string, text: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return writeFileAtomic(path, text);
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new OrchError(
      "records-invalid",
      `${JSON.stringify(path)} cannot be written: ${systemCode(error) || String(error)}`,
      "name a file in a folder that is there",
    );
  }
}

function textOf(path: string): string {
  try {
    if (statSync(path).size > BYTES_MAX)
      throw unreadable(path, `it is larger than ${BYTES_MAX} bytes`);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof OrchError) throw error;
    throw unreadable(
      path,
      systemCode(error) === "ENOENT" ? "there is no such file" : String(error),
    );
  }
}

function unreadable(path: string, why: string): OrchError {
  return new OrchError(
    "records-invalid",
    `${JSON.stringify(path)} cannot be read: ${why}`,
    "name a file with one JSON object on each line",
  );
}
