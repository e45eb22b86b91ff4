// What do the lines of a file of JSON records say?

import { isObject, jsonIn } from "../../core/model/json.ts";
import { readFileSync, statSync, writeFileSync } from "node:fs";

import { OrchError } from "../../errors.ts";
import { systemCode } from "../files/disk.ts";

const BYTES_MAX = 512 * 1024 * 1024;

/** One record a line; empty lines are passed over. Throws OrchError with the number of a bad line. */
export function readRecords(path: string): readonly unknown[] {
  const records: unknown[] = [];
  for (const [index, line] of textOf(path).split("\n").entries()) {
    if (line.trim() === "") continue;
    const record = jsonIn(line);
    if (!isObject(record))
      throw invalid(`line ${index + 1} of ${JSON.stringify(path)} is not a JSON object`);
    records.push(record);
  }
  return records;
}

/** Written through a link, and to what is no file, such as a pipe. Throws OrchError. */
export function writeRecords(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw invalid(`${JSON.stringify(path)} cannot be written: ${wordsOf(error)}`, WRITABLE);
  }
}

function textOf(path: string): string {
  try {
    if (statSync(path).size <= BYTES_MAX) return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw invalid(`${JSON.stringify(path)} cannot be read: ${wordsOf(error)}`);
  }
  throw invalid(`${JSON.stringify(path)} cannot be read: it is larger than ${BYTES_MAX} bytes`);
}

function wordsOf(error: unknown): string {
  const code = systemCode(error);
  if (code === "EISDIR") return "it is a folder";
  return code === "ENOENT" ? "there is no such file or folder" : code || String(error);
}

const RECORDS = "name a file with one JSON object on each line";
const WRITABLE = "name a file in a folder that is there";

function invalid(message: string, hint = RECORDS): OrchError {
  return new OrchError("records-invalid", message, hint);
}
