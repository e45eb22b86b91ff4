// What lies where a session should have left its report, or its plan?

import { join } from "node:path";

import { isSafeId } from "../../core/model/ids.ts";
import { planFrom } from "../../readers/task-text/read-plan.ts";
import type { PlanFinding } from "../../core/model/plan.ts";
import type { ReportFinding } from "../../core/model/report.ts";
import { REPORT_BYTES_MAX, parseReport } from "../../schema/report-file.ts";
import { entryKind, readFileBounded, type SmallFile } from "../files/small-file.ts";
import { orchFolder } from "../log/run-files.ts";

export const REPORT_NAME = "report.json";
export const PLAN_NAME = "plan.md";
const PLAN_BYTES_MAX = 256 * 1024;

export interface FoundReport {
  readonly finding: ReportFinding;
  /** What was read; null where there was nothing that may be read. */
  readonly text: string | null;
  /** Epoch milliseconds of the last write; null without a file. */
  readonly writtenAtMs: number | null;
}

/** The folder that a session's token names in a working tree. Throws on text that is no token. */
export function sessionFolder(root: string, token: string): string {
  if (!isSafeId(token)) throw new Error(`not a path segment: ${JSON.stringify(token)}`);
  return join(sessionsFolder(root), token);
}

export function sessionsFolder(root: string): string {
  return join(orchFolder(root), "session");
}

/**
 * Reads and parses the report of one session; never throws for anything an agent can leave there.
 * Only a regular file of bounded size is read, and no link is followed on the way to it.
 */
export function readReport(root: string, token: string): FoundReport {
  const left = leftBy(root, token, REPORT_NAME, REPORT_BYTES_MAX);
  const nothing = { text: null, writtenAtMs: null };
  if (left.kind === "absent") return { finding: { kind: "missing" }, ...nothing };
  if (left.kind === "refused")
    return { finding: { kind: "unreadable", problems: [left.why] }, ...nothing };
  const { text, mtimeMs } = left;
  const parsed = parseReport(text);
  const finding: ReportFinding = parsed.ok
    ? parsed.value
    : { kind: "unreadable", problems: parsed.problems };
  return { finding, text, writtenAtMs: mtimeMs };
}

/** As `readReport`, for the plan that a planning session leaves beside its report. */
export function readPlan(root: string, token: string): PlanFinding {
  const left = leftBy(root, token, PLAN_NAME, PLAN_BYTES_MAX);
  if (left.kind === "absent") return { kind: "missing" };
  if (left.kind === "refused") return { kind: "unreadable", why: left.why };
  if (left.text.includes("\0")) return { kind: "unreadable", why: "the plan is no text" };
  if (left.text.trim() === "") return { kind: "unreadable", why: "the plan is empty" };
  return { kind: "written", plan: planFrom(left.text) };
}

function leftBy(root: string, token: string, name: string, bytesMax: number): SmallFile {
  const folder = sessionFolder(root, token);
  for (const part of [orchFolder(root), sessionsFolder(root), folder]) {
    const kind = entryKind(part);
    if (kind === "absent") return { kind };
    if (kind !== "a folder")
      return { kind: "refused", why: `${part} is expected to be a folder, and is ${kind}` };
  }
  const found = readFileBounded(join(folder, name), bytesMax);
  const called = name === PLAN_NAME ? "the plan" : "the report";
  return found.kind === "refused" ? { ...found, why: `${called} ${found.why}` } : found;
}
