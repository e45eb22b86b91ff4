// What lies where a session should have left its report, or its plan?

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";

import { assertNever } from "../../core/model/assert.ts";
import { isSafeId } from "../../core/model/ids.ts";
import { planFrom } from "../../core/model/plan.ts";
import type { PlanFinding } from "../../core/model/plan.ts";
import type { ReportFinding } from "../../core/model/report.ts";
import { REPORT_BYTES_MAX, parseReport } from "../../schema/report-file.ts";
import { systemCode } from "../files/disk.ts";
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
 * Reads and judges the report of one session; never throws for anything an agent can leave there.
 * Only a regular file of bounded size is read, and no link is followed on the way to it.
 */
export function readReport(root: string, token: string): FoundReport {
  const left = leftBy(root, token, {
    name: REPORT_NAME,
    called: "the report",
    bytesMax: REPORT_BYTES_MAX,
  });
  switch (left.kind) {
    case "absent":
      return nothing({ kind: "missing" });
    case "refused":
      return nothing({ kind: "unreadable", problems: [left.why] });
    case "read":
      return { finding: judge(left.text), text: left.text, writtenAtMs: left.writtenAtMs };
    default:
      return assertNever(left, "what was left");
  }
}

/** As `readReport`, for the plan that a planning session leaves beside its report. */
export function readPlan(root: string, token: string): PlanFinding {
  const left = leftBy(root, token, {
    name: PLAN_NAME,
    called: "the plan",
    bytesMax: PLAN_BYTES_MAX,
  });
  switch (left.kind) {
    case "absent":
      return { kind: "missing" };
    case "refused":
      return { kind: "unreadable", why: left.why };
    case "read":
      if (left.text.includes("\0")) return { kind: "unreadable", why: "the plan is no text" };
      return left.text.trim() === ""
        ? { kind: "unreadable", why: "the plan is empty" }
        : { kind: "written", plan: planFrom(left.text) };
    default:
      return assertNever(left, "what was left");
  }
}

type Left =
  | { readonly kind: "absent" }
  | { readonly kind: "refused"; readonly why: string }
  | { readonly kind: "read"; readonly text: string; readonly writtenAtMs: number };

interface Wanted {
  readonly name: string;
  readonly called: string;
  readonly bytesMax: number;
}

function leftBy(root: string, token: string, wanted: Wanted): Left {
  const folder = sessionFolder(root, token);
  for (const part of [orchFolder(root), sessionsFolder(root), folder]) {
    const kind = kindOf(part);
    if (kind === "absent") return { kind };
    if (kind !== "a folder") return refused(`${part} is expected to be a folder, and is ${kind}`);
  }
  const path = join(folder, wanted.name);
  const kind = kindOf(path);
  if (kind === "absent") return { kind };
  if (kind !== "a file")
    return refused(`${wanted.called} is expected to be a file, and is ${kind}`);
  try {
    return readRegular(path, wanted);
  } catch (error) {
    return refused(`${wanted.called} cannot be read: ${systemCode(error) || String(error)}`);
  }
}

function readRegular(path: string, { called, bytesMax }: Wanted): Left {
  // Neither a link nor a pipe that took the file's place a moment ago is followed or waited for.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const fd = openSync(path, flags);
  try {
    const { size, mtimeMs } = fstatSync(fd);
    if (!fstatSync(fd).isFile()) return refused(`${called} is expected to be a file`);
    if (size > bytesMax)
      return refused(`${called} is ${size} bytes long; at most ${bytesMax} are read`);
    return { kind: "read", text: readAtMost(fd, size), writtenAtMs: mtimeMs };
  } finally {
    closeSync(fd);
  }
}

function judge(text: string): ReportFinding {
  const parsed = parseReport(text);
  return parsed.ok ? parsed.value : { kind: "unreadable", problems: parsed.problems };
}

/** What is added while it is read belongs to nobody: its session has ended. */
function readAtMost(fd: number, bytesMax: number): string {
  const buffer = Buffer.alloc(bytesMax);
  let length = 0;
  while (length < bytesMax) {
    const read = readSync(fd, buffer, length, bytesMax - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.toString("utf8", 0, length);
}

function kindOf(path: string): "absent" | "a folder" | "a file" | "a link" | "something else" {
  try {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return "a link";
    if (found.isDirectory()) return "a folder";
    return found.isFile() ? "a file" : "something else";
  } catch (error) {
    return systemCode(error) === "ENOENT" ? "absent" : "something else";
  }
}

function refused(why: string): Left {
  return { kind: "refused", why };
}

function nothing(finding: ReportFinding): FoundReport {
  return { finding, text: null, writtenAtMs: null };
}
