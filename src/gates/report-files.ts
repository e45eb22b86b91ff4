// What did a runner leave as a report of its checks?

import { readdirSync, rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";

import { readFileBounded } from "../adapters/files/small-file.ts";
import { compileGlobs } from "../core/model/glob.ts";
import { isObject, jsonIn, objectAt, textAt } from "../core/model/json.ts";
import type { CommandGate } from "../core/model/task.ts";
import { askForReport } from "../readers/tools/asking.ts";
import type { Asked } from "../readers/tools/asking.ts";
import { formOf, readReport } from "../readers/tools/reports.ts";
import type { Report } from "../readers/failure/read-output.ts";
import type { ReportFile } from "../readers/tools/runners.ts";
import type { Beside } from "./judge.ts";

const BYTES_MAX = 64 * 1024 * 1024;

/** What the gate's command is asked for. A report of an earlier run at that place is gone. */
export function prepareReport(
  gate: CommandGate,
  { cwd, logPath }: { readonly cwd: string; readonly logPath: string },
  env: Readonly<Record<string, string>>,
): Asked {
  const line = gate.run;
  if (isByExitCode(gate)) return { runner: null, line, env: {}, reports: [] };
  const report = logPath.replace(/\.log$/, ".report");
  const asked = askForReport({ line, cwd, env, scriptsIn, report });
  if (gate.report !== null)
    return { ...asked, line, env: {}, reports: [{ form: null, file: gate.report, heldBy: null }] };
  removeOwn(asked);
  return asked;
}

export function isByExitCode({ proves, parse }: CommandGate): boolean {
  return proves === "check" || parse === "none";
}

export interface Ended {
  readonly cwd: string;
  readonly startedAtMs: number;
  readonly output: string;
  /** Takes secrets and the names of the tree out of a report. */
  readonly clean: (text: string) => string;
}

/** Linear. What was written for orch is removed: its checks are kept elsewhere, without secrets. */
export function readReports({ report }: CommandGate, asked: Asked, ended: Ended): Beside {
  const { runner } = asked;
  const files = asked.reports.flatMap((one) => filesOf(one, ended));
  const read = files.length === 0 ? null : merged(files, ended);
  removeOwn(asked);
  if (report === null) return { runner, report: read, missing: null };
  return { runner: runner ?? "report", report: read, missing: missingOf(report, files, read) };
}

function missingOf(
  report: string,
  files: readonly Found[],
  read: Report | null,
): Beside["missing"] {
  if (files.length === 0)
    return { why: "nothing-checked", detail: `the report ${report} was not written` };
  if (read !== null) return null;
  return { why: "output-unreadable", detail: `the report ${report} is none, or not whole` };
}

function removeOwn({ reports }: Asked): void {
  for (const { file } of reports) if (isAbsolute(file)) rmSync(file, { force: true });
}

const PACKAGE_BYTES_MAX = 1024 * 1024;

function scriptsIn(folder: string): Readonly<Record<string, string>> {
  const found = readFileBounded(join(folder, "package.json"), PACKAGE_BYTES_MAX);
  const value = found.kind === "read" ? jsonIn(found.text) : null;
  const scripts = isObject(value) ? (objectAt(value, "scripts") ?? {}) : {};
  return Object.fromEntries(
    Object.keys(scripts).map((name) => [name, textAt(scripts, name) ?? ""]),
  );
}

interface Found extends ReportFile {
  readonly text: string | null;
}

const FILES_MAX = 5_000;
/** A file system may stamp a file with a time that is a tick old. */
const TICK_MS = 20;

/** Of this run, or still valid in it. Without a text: too long, or no file. */
function filesOf(report: ReportFile, { cwd, startedAtMs, output }: Ended): readonly Found[] {
  const { file, heldBy } = report;
  const isHeld = heldBy?.test(output) === true;
  const paths = isAbsolute(file) ? [file] : matching(cwd, file);
  let left = BYTES_MAX;
  return paths.flatMap((path): readonly Found[] => {
    const found = readFileBounded(path, left);
    if (found.kind === "absent") return [];
    if (found.kind === "refused") return [{ ...report, text: null }];
    if (!isHeld && found.mtimeMs < startedAtMs - TICK_MS) return [];
    left -= Buffer.byteLength(found.text);
    return [{ ...report, text: found.text }];
  });
}

/** null: one of them is no report, or not whole. */
function merged(files: readonly Found[], { clean }: Ended): Report | null {
  const reports: Report[] = [];
  for (const { form, text } of files) {
    const cleaned = clean(text ?? "");
    const its = form ?? formOf(cleaned);
    const read = its === null ? null : readReport(its, cleaned);
    if (read?.ended !== true) return null;
    reports.push(read);
  }
  return {
    checks: reports.flatMap(({ checks }) => checks),
    failures: reports.flatMap(({ failures }) => failures),
  };
}

const FOLDERS_MAX = 20_000;
const NEVER = new Set([".git", ".orch", "node_modules"]);

/** Files of the tree, in the order of their names; links are not followed. */
function matching(root: string, glob: string): readonly string[] {
  if (!/[*?[{\\]/.test(glob)) return [join(root, glob)];
  const matches = compileGlobs([glob]);
  const found: string[] = [];
  const folders = [""];
  for (let at = 0; at < folders.length && at < FOLDERS_MAX && found.length < FILES_MAX; at += 1) {
    const folder = folders[at] ?? "";
    for (const entry of entriesOf(join(root, folder))) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !NEVER.has(entry.name)) folders.push(path);
      else if (entry.isFile() && matches(path)) found.push(join(root, path));
    }
  }
  return found.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // What cannot be looked at holds no report.
  }
}
