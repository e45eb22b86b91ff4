// What do the lines of a file of JSON records say?

import { readFileSync, statSync } from "node:fs";

import { OrchError } from "../errors.ts";
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
