// What did a runner leave as a report of its checks?

import { mkdirSync, rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";

import { filesBelow, readFileBounded } from "../adapters/files/small-file.ts";
import { compileGlobs } from "../core/model/glob.ts";
import { isObject, jsonIn, objectAt, textAt } from "../core/model/json.ts";
import type { CommandGate } from "../core/model/task.ts";
import { unknown } from "../core/model/verdict.ts";
import { askForReport, type Asked } from "../readers/tools/asking.ts";
import { formOf, readReport, type Report } from "../readers/tools/reports.ts";
import type { ReportFile } from "../readers/tools/runners.ts";
import type { Beside } from "./judge.ts";
import { shortHash } from "../core/model/ids.ts";
import { excerpt } from "../core/model/excerpt.ts";

const BYTES_MAX = 64 * 1024 * 1024;

/** What the gate's command is asked for. A report of an earlier run at that place is gone. */
export function prepareReport(
  gate: CommandGate,
  { cwd, logPath }: { readonly cwd: string; readonly logPath: string },
  env: Readonly<Record<string, string>>,
): Asked {
  const line = gate.run;
  if (gate.proves === "check" || gate.parse === "none")
    return { runner: null, line, env: {}, reports: [] };
  const folder = reportFolder(logPath);
  const report = join(folder, "report");
  const asked = askForReport({ line, cwd, env, scriptsIn, report });
  if (gate.report !== null)
    return { ...asked, line, env: {}, reports: [{ form: null, file: gate.report }] };
  rmSync(folder, { recursive: true, force: true });
  if (asked.reports.some(({ file }) => isAbsolute(file)))
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  return asked;
}

/** The one place beside its tree where a gate may write. */
export function reportFolder(logPath: string): string {
  return besideLog(logPath, ".report");
}

export interface Ended {
  readonly cwd: string;
  readonly logPath: string;
  readonly startedAtMs: number;
  /** Takes secrets and the names of the tree out of a report. */
  readonly clean: (text: string) => string;
}

/** Linear. What was written for orch is removed: its checks are kept elsewhere, without secrets. */
export function readReports({ report }: CommandGate, asked: Asked, ended: Ended): Beside {
  const { runner } = asked;
  const read = asked.reports.flatMap((one) => reportsIn(one, ended));
  const whole = read.flatMap((one) => (one?.ended === true ? [one] : []));
  rmSync(reportFolder(ended.logPath), { recursive: true, force: true });
  if (read.length > 0 && whole.length === read.length) {
    const checks = whole.flatMap((one) => one.checks);
    const failures = whole.flatMap((one) => one.failures);
    const named = report === null ? null : "report";
    return { runner: runner ?? named, report: { checks, failures, ended: true }, missing: null };
  }
  if (report === null) return { runner, report: null, missing: null };
  const missing =
    read.length === 0
      ? unknown("nothing-checked", `the report ${report} was not written`)
      : unknown("output-unreadable", `the report ${report} is incomplete or not a test report`);
  return { runner: runner ?? "report", report: null, missing };
}

const PACKAGE_BYTES_MAX = 1024 * 1024;

function scriptsIn(folder: string): Readonly<Record<string, string>> {
  const manifest = readFileBounded(join(folder, "package.json"), PACKAGE_BYTES_MAX);
  const value = manifest.kind === "read" ? jsonIn(manifest.text) : null;
  const scripts = isObject(value) ? (objectAt(value, "scripts") ?? {}) : {};
  const names = Object.keys(scripts);
  return Object.fromEntries(names.map((name) => [name, textAt(scripts, name) ?? ""]));
}

const FILES_MAX = 5_000;
/** A file system may stamp a file with a time that is a tick old. */
const TICK_MS = 20;

/** Those of this run. null in place of one: it is too long, or no report. */
function reportsIn({ form, file }: ReportFile, ended: Ended): readonly (Report | null)[] {
  const paths = isAbsolute(file) ? [file] : matching(ended.cwd, file);
  let left = BYTES_MAX;
  return paths.flatMap((path) => {
    const read = readFileBounded(path, left);
    if (read.kind === "absent") return [];
    if (read.kind === "refused") return [null];
    if (read.mtimeMs < ended.startedAtMs - TICK_MS) return [];
    left -= Buffer.byteLength(read.text);
    const text = ended.clean(read.text);
    const its = form ?? formOf(text);
    return [its === null ? null : readReport(its, text)];
  });
}

/** Files of the tree, in the order of their names. */
function matching(root: string, glob: string): readonly string[] {
  if (!/[*?[{\\]/.test(glob)) return [join(root, glob)];
  const paths = filesBelow(root).paths.filter(compileGlobs([glob]));
  const files = paths.map((path) => join(root, path));
  return files.sort().slice(0, FILES_MAX);
}

/** What a gate leaves beside its log. */
export function besideLog(logPath: string, ending: string): string {
  return `${logPath.endsWith(".log") ? logPath.slice(0, -".log".length) : logPath}${ending}`;
}

const NAME_CHARS_MAX = 300;

/** On one line and harmless. What tells long names apart may stand at their ends. */
export function shownName(name: string): string {
  if (name.length <= NAME_CHARS_MAX) return excerpt(name, NAME_CHARS_MAX);
  return `${excerpt(name, NAME_CHARS_MAX - 17)} ${shortHash(name)}`;
}
