// Where are an attempt's files, and how do they get there?

import { existsSync, mkdirSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

import { clip, inert } from "../../core/model/excerpt.ts";
import type { PlanFinding, ReportFinding } from "../../core/model/report.ts";
import { planFrom } from "../../readers/task-text/read-plan.ts";
import { REPORT_BYTES_MAX, parseReport } from "../../schema/report-file.ts";
import type { AttemptFiles } from "../../engine/ports.ts";
import { writeCopyAtomic, writeFileAtomic } from "../files/atomic-file.ts";
import { APPEND, PRIVATE_FOLDER, withFile, writeFailure } from "../files/disk.ts";
import { entryKind, isRealFolder, readFileBounded, readSmallFile } from "../files/small-file.ts";
import type { SmallFile } from "../files/small-file.ts";
import type { Redact } from "../redact.ts";
import { attemptFolder, orchFolder, segment, type RunFiles } from "../log/run-files.ts";
import { promptIn } from "../project/templates.ts";

const REPORT_NAME = "report.json";
const PLAN_NAME = "plan.md";
const PLAN_BYTES_MAX = 256 * 1024;

export interface AttemptFilesDeps {
  readonly run: RunFiles;
  /** As they were when the run began; an agent may have changed the files since. */
  readonly prompts: Readonly<Record<string, string>>;
  readonly redact: Redact;
}

/**
 * Agents can write to all of these folders. What they put in the place of one is replaced, and text is
 * redacted before it is kept. What is kept is for people: the log says the same as far as anything
 * rests on it, so nothing here is waited for until it is on the disk.
 */
export function createAttemptFiles({ run, prompts, redact }: AttemptFilesDeps): AttemptFiles {
  const attemptDir: AttemptFiles["attemptDir"] = ({ task, step, attempt }) => {
    const folder = attemptFolder(run, task, step, attempt);
    makeRealFolders([run.attempts, dirname(folder), folder, join(folder, "gates")]);
    return folder;
  };
  return {
    attemptDir,
    open: async (where) => {
      const folder = attemptDir(where);
      const session = sessionFolder(where.root, where.token);
      makeRealFolders([orchFolder(where.root), sessionsFolder(where.root), session]);
      ensureIgnored(where.root);
      return {
        attemptDir: folder,
        reportPath: join(session, REPORT_NAME),
        planPath: join(session, PLAN_NAME),
      };
    },
    keepPrompt: async (folder, prompt) => {
      if (prompt !== "") addPrompt(join(folder, "prompt.md"), redact(prompt));
    },
    collectReport: async (where) => {
      const report = readReport(where.root, where.token, redact);
      keepText(attemptDir(where), REPORT_NAME, report.text);
      return report.finding;
    },
    collectPlan: async (where) => {
      const plan = readPlan(where.root, where.token, redact);
      if (plan.kind === "written") keepText(attemptDir(where), PLAN_NAME, plan.plan.text);
      return plan;
    },
    note: ({ task, step, attempt }, text) =>
      addNote(join(attemptFolder(run, task, step, attempt), "reasoning.log"), redact(text)),
    keepEvidence: async (folder, evidence, diff) => {
      const text = `${JSON.stringify(evidence, null, 2)}\n`;
      writeCopyAtomic(join(folder, "evidence.json"), redact(text));
      const patch = join(folder, "diff.patch");
      if (diff !== "") writeCopyAtomic(patch, redact(diff));
      else if (existsSync(patch)) rmSync(patch, { force: true });
    },
    template: async (name) => promptIn(prompts, name),
  };
}

/** Behind those of the attempt's earlier sessions, which are redacted already. */
function addPrompt(path: string, prompt: string): void {
  const before = readSmallFile(path, TEXT_BYTES_MAX) ?? "";
  writeCopyAtomic(path, before === "" ? prompt : `${before}${NEXT_PROMPT}${prompt}`);
}

const NEXT_PROMPT = "\n\n<!-- the next session of this attempt -->\n\n";

function keepText(folder: string, name: string, text: string | null): void {
  if (text === null) return;
  writeCopyAtomic(join(folder, name), text);
}

/** Each in turn, so that no parent is a link: that goes, and not what it leads to. */
function makeRealFolders(paths: readonly string[]): void {
  for (const path of paths) {
    if (isRealFolder(path)) continue;
    try {
      rmSync(path, { force: true });
      mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
    } catch (error) {
      throw writeFailure(path, error);
    }
  }
}

/** An agent may have removed or emptied the file that keeps `.orch/` out of the repository. */
function ensureIgnored(root: string): void {
  const path = join(orchFolder(root), ".gitignore");
  const rules = readSmallFile(path, TEXT_BYTES_MAX) ?? "";
  if (!rules.split("\n").includes("*")) writeFileAtomic(path, "*\n");
}

const TEXT_BYTES_MAX = 8 * 1024 * 1024;

/** For people alone: what is lost here stands in the run's log. */
function addNote(path: string, text: string): void {
  const line = `${new Date().toISOString().slice(11, 19)} ${clip(inert(text), NOTE_CHARS_MAX)}\n`;
  try {
    withFile(path, APPEND, (fd) => writeSync(fd, line));
  } catch {
    // No such attempt yet, a full disk, or something else in its place.
  }
}

const NOTE_CHARS_MAX = 8_000;

interface ReportOnDisk {
  readonly finding: ReportFinding;
  /** What was read, redacted; null where there was nothing that may be read. */
  readonly text: string | null;
}

/** The folder that a session's token names in a working tree. Throws on text that is no token. */
function sessionFolder(root: string, token: string): string {
  return join(sessionsFolder(root), segment(token));
}

function sessionsFolder(root: string): string {
  return join(orchFolder(root), "session");
}

/**
 * Reads and parses the report of one session; never throws for anything an agent can leave there.
 * Only a regular file of bounded size is read, and no link is followed on the way to it.
 */
function readReport(root: string, token: string, redact: Redact): ReportOnDisk {
  const left = leftBy(root, token, REPORT_NAME, REPORT_BYTES_MAX);
  if (left.kind === "absent") return { finding: { kind: "missing" }, text: null };
  if (left.kind === "refused")
    return { finding: { kind: "unreadable", problems: [left.why] }, text: null };
  // Before anything in it is made shorter.
  const text = redact(left.text);
  const parsed = parseReport(text);
  if (!parsed.ok) return { finding: { kind: "unreadable", problems: parsed.problems }, text };
  const { value } = parsed;
  const noted = value.kind === "read" && !left.isUtf8;
  return { finding: noted ? { ...value, notes: [...value.notes, NO_UTF8] } : value, text };
}

const NO_UTF8 = "the file is no UTF-8 text";

/** As `readReport`, for the plan that a planning session leaves beside its report. */
function readPlan(root: string, token: string, redact: Redact): PlanFinding {
  const left = leftBy(root, token, PLAN_NAME, PLAN_BYTES_MAX);
  if (left.kind === "absent") return { kind: "missing" };
  if (left.kind === "refused") return { kind: "unreadable", why: left.why };
  if (left.text.includes("\0")) return { kind: "unreadable", why: "the plan is no text" };
  if (left.text.trim() === "") return { kind: "unreadable", why: "the plan is empty" };
  return { kind: "written", plan: planFrom(redact(left.text)) };
}

function leftBy(root: string, token: string, name: string, bytesMax: number): SmallFile {
  const folder = sessionFolder(root, token);
  for (const part of [orchFolder(root), sessionsFolder(root), folder]) {
    const kind = entryKind(part);
    if (kind === "absent") return { kind };
    if (kind !== "a folder")
      return { kind: "refused", why: `${part} is ${kind}, and must be a folder` };
  }
  const file = readFileBounded(join(folder, name), bytesMax);
  const called = name === PLAN_NAME ? "the plan" : "the report";
  return file.kind === "refused" ? { ...file, why: `${called} ${file.why}` } : file;
}
