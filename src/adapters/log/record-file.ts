// What do the lines of a file of JSON records say?

import { isObject, jsonIn } from "../../core/model/json.ts";
import { readFileSync, statSync, writeFileSync } from "node:fs";

import { OrchError } from "../../errors.ts";
import { systemCode } from "../files/disk.ts";

const BYTES_MAX = 512 * 1024 * 1024;

/** One record a line; empty lines are passed over. Throws OrchError with the number of a bad line. */
export function readRecords(path: string): readonly unknown[] {
  const records: unknown[] = [];
  const text = textOf(path).replace(/^\uFEFF/, "");
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const record = objectIn(line);
    if (record === null)
      throw new OrchError(
        "records-invalid",
        `line ${index + 1} of ${JSON.stringify(path)} is not a JSON object`,
        "write one JSON object on each line",
      );
    records.push(record);
  }
  return records;
}

function objectIn(line: string): object | null {
  const value = jsonIn(line);
  return isObject(value) ? value : null;
}

/** Written through a link, and to what is no file, such as a pipe. Throws OrchError. */
export function writeRecords(path: string, text: string): void {
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
    if (statSync(path).size <= BYTES_MAX) return readFileSync(path, "utf8");
  } catch (error) {
    throw unreadable(
      path,
      systemCode(error) === "ENOENT" ? "there is no such file" : String(error),
    );
  }
  throw unreadable(path, `it is larger than ${BYTES_MAX} bytes`);
}

function unreadable(path: string, why: string): OrchError {
  return new OrchError(
    "records-invalid",
    `${JSON.stringify(path)} cannot be read: ${why}`,
    "name a file with one JSON object on each line",
  );
}
