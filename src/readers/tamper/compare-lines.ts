// Do build files, pipelines and the scripts of gates still stop at a failed check?

import type { Alarm } from "../../core/model/alarm.ts";
import { clip } from "../../core/model/excerpt.ts";
import { alarmOf } from "./reading.ts";
import type { ReadFile } from "./reading.ts";
import { isCheck, purposeOf, softenerIn, stepsOf } from "./shell-words.ts";
import type { Step } from "./shell-words.ts";

export function lineAlarms(
  files: readonly ReadFile[],
  commands: readonly string[],
): readonly Alarm[] {
  const words = new Set(commands.flatMap(wordsOf));
  return files.flatMap((file) => {
    const tool = file.role.settings?.tool ?? null;
    const edited = editedAlarms(file, words);
    if (file.before === null || tool === null) return edited;
    if (file.after === null) return [...edited, ...goneAlarms(file, files)];
    if (!["ci", "make", "shell"].includes(tool)) return edited;
    return [...edited, ...softenedAlarms(file), ...lostAlarms(file, words)];
  });
}

const COMMAND_CHARS_MAX = 4_000;

function wordsOf(command: string): readonly string[] {
  return command
    .slice(0, COMMAND_CHARS_MAX)
    .split(/[\s;&|()"'=]+/)
    .map((word) => word.replace(/^\.\//, ""))
    .filter((word) => word !== "");
}

// ---- edited -------------------------------------------------------------------------------------

const SCRIPT =
  /\.(?:sh|bash|ps1|bat|cmd)$|(?:^|\/)(?:scripts?|ci|tools?|hack|bin|\.github|\.husky)\//;

/** A script that a gate's command names; more lines in it are no harm. */
function editedAlarms(file: ReadFile, words: ReadonlySet<string>): readonly Alarm[] {
  const { path, role, before, after } = file;
  const isOwn = role.settings?.tool === "orch";
  if (!isOwn && (role.isTest || !SCRIPT.test(path) || !words.has(path))) return [];
  if (before === null || file.afterKind === "unread") return [];
  if (after === null) return [alarmOf("gate-edited", path, "was deleted")];
  const now = new Set(linesOf(after));
  const gone = linesOf(before).find((line) => !now.has(line) && !/^(?:#|\/\/|\*)/.test(line));
  if (gone === undefined) return [];
  const who = isOwn ? "the config of orch" : "a script that a gate runs";
  const detail = `${who} was changed; gone: ${clip(gone, LINE_SHOWN_MAX)}`;
  return [alarmOf("gate-edited", path, detail)];
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .slice(0, LINES_MAX)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

const LINES_MAX = 20_000;
const LINE_SHOWN_MAX = 100;

// ---- softened -----------------------------------------------------------------------------------

function softenedAlarms({ path, role, before, after }: ReadFile): readonly Alarm[] {
  const isMake = role.settings?.tool === "make";
  const base = softenedIn(before ?? "", isMake);
  const now = softenedIn(after ?? "", isMake);
  if (now.length <= base.length) return strictness(path, before ?? "", after ?? "");
  const old = new Set(base.map(({ text }) => text));
  return now
    .filter(({ text }) => !old.has(text))
    .map(({ text, line }) => {
      const detail = `can no longer fail: ${clip(text, LINE_SHOWN_MAX)}`;
      return alarmOf("gate-weakened", path, detail, line);
    });
}

function softenedIn(text: string, isMake: boolean) {
  return text
    .split("\n")
    .slice(0, LINES_MAX)
    .flatMap((whole, index) => {
      const line = whole.trim();
      if (line.startsWith("#")) return [];
      const ignored = isMake && /^\t@?-/.test(whole) && stepsOf(line).some(isCheck);
      return ignored || softenerIn(line) !== null ? [{ line: index + 1, text: line }] : [];
    });
}

const STOPS = /^[ \t]{0,40}set\s{1,9}-\w{0,8}e/m;

/** A script that went on after a failure is no check of what came before its last line. */
function strictness(path: string, base: string, now: string): readonly Alarm[] {
  if (!STOPS.test(base) || STOPS.test(now) || /pipefail|set -o errexit/.test(now)) return [];
  if (!linesOf(now).some((line) => stepsOf(line).some(isCheck))) return [];
  return [alarmOf("gate-weakened", path, "no longer stops at a failure: set -e is gone")];
}

// ---- lost ---------------------------------------------------------------------------------------

/**
 * A check that ran and runs nowhere in the file now. Of shell files only those that gates run. Where
 * as many other scripts or targets are run instead, what they hold is not known.
 */
function lostAlarms(
  { path, role, before, after }: ReadFile,
  words: ReadonlySet<string>,
): readonly Alarm[] {
  if (role.settings?.tool === "shell" && !words.has(path)) return [];
  const lost = lostChecks(before ?? "", [after ?? ""]);
  if (lost.length === 0) return [];
  const detail = `no longer runs ${lost.map((tool) => tool.replace(/^script:/, "script ")).join(", ")}`;
  return [alarmOf("gate-weakened", path, detail)];
}

function lostChecks(before: string, texts: readonly string[]): readonly string[] {
  const was = stepsIn(before);
  const is = texts.flatMap(stepsIn);
  const kept = new Set(is.map(({ tool }) => purposeOf(tool)));
  const checks = new Set(was.filter(isCheck).map(({ tool }) => tool));
  const lost = [...checks].filter((tool) => !kept.has(purposeOf(tool)));
  const known = new Set(was.map(({ tool }) => tool));
  const others = new Set(is.map(({ tool }) => tool).filter((tool) => INDIRECT.test(tool)));
  return [...others].filter((tool) => !known.has(tool)).length >= lost.length ? [] : lost;
}

const INDIRECT = /^(?:script:|make |just |task |rake |mise |nox|tox|turbo |nx )/;

function stepsIn(text: string): readonly Step[] {
  return linesOf(text)
    .filter((line) => !line.startsWith("#"))
    .flatMap(stepsOf);
}

// ---- gone ---------------------------------------------------------------------------------------

const GONE = {
  "rules-loosened":
    /^(?:typescript|eslint|oxlint|biome|mypy|pyright|python-lint|golangci|rubocop)$/,
  "threshold-loosened": /^(?:js-coverage|python-coverage|codecov)$/,
} as const;

function kindOfLoss({ settings }: ReadFile["role"]): keyof typeof GONE | undefined {
  // A list of what is left out is no loss.
  if (settings === null || settings.syntax === "lines") return undefined;
  const { tool } = settings;
  return (["rules-loosened", "threshold-loosened"] as const).find((kind) => GONE[kind].test(tool));
}

/** Settings often move: any other changed file that may hold them now is enough for no alarm. */
function goneAlarms(file: ReadFile, files: readonly ReadFile[]): readonly Alarm[] {
  const { path, role, before, afterKind } = file;
  if (afterKind !== "absent") return [];
  const others = files.filter(({ after }) => after !== null);
  if (role.settings?.tool === "ci") {
    // Many pipelines check nothing; those that do may have moved to another file.
    const pipelines = others.filter((other) => other.role.settings?.tool === "ci");
    const lost = lostChecks(
      before ?? "",
      pipelines.map(({ after }) => after ?? ""),
    );
    const detail = `the file was deleted; it ran ${lost.join(", ")}`;
    return lost.length === 0 ? [] : [alarmOf("gate-weakened", path, detail)];
  }
  const kind = kindOfLoss(role);
  const isMoved = others.some(
    (other) => HEIRS.has(other.role.settings?.tool ?? "") || kindOfLoss(other.role) === kind,
  );
  if (kind === undefined || isMoved) return [];
  return [alarmOf(kind, path, "the file was deleted")];
}

/** Files that hold settings of many programs. */
const HEIRS = new Set(["package", "python", "vitest", "jest", "deno"]);
