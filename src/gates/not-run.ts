// Which words in a command's output say that its checks were never made?

/** The line that says which tool is missing; null: none does. */
export function missingTool(exitCode: number, lines: readonly string[]): string | null {
  const last = lines.slice(-LINES_MAX);
  const patterns = [...(BY_EXIT_CODE.get(exitCode) ?? []), ...MISSING];
  const line = last.find((candidate) => patterns.some((pattern) => pattern.test(candidate)));
  return line?.trim() ?? null;
}

/** The line that says why the checks could not be loaded or built; null: none does. */
export function neverLoaded(lines: readonly string[]): string | null {
  return lines.find((line) => NOT_LOADED.some((pattern) => pattern.test(line)))?.trim() ?? null;
}

const LINES_MAX = 60;

/** Shells answer 127 for a program that is not there and 126 for one that cannot be run. */
const BY_EXIT_CODE: ReadonlyMap<number, readonly RegExp[]> = new Map([
  [127, [/: not found$/, /command not found/, /No such file or directory$/, /No such file$/]],
  [126, [/permission denied$/i, /cannot execute/i, /is a directory$/i, /exec format error$/i]],
]);

/** Runners of scripts and modules have exit codes of their own for the same thing. */
const MISSING: readonly RegExp[] = [
  /^npm (?:ERR!|error) missing script\b/i,
  /^npm (?:ERR!|error) could not determine executable to run/,
  /^\s?ERR_PNPM_NO_SCRIPT\b/,
  /^\s?ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\b.{0,200}ENOENT/,
  /^error Command "[^"]{1,200}" not found/,
  /^(?:Usage Error: )?Couldn't find a script named/,
  /^error: Script not found "/,
  /^error: no such (?:sub)?command/,
  /^\S{0,300}python[\d.]*(?:\.exe)?: No module named \S/,
  /^\S{0,300}sh: 0: (?:cannot|can't) open /i,
  /^make(?:\[\d+\])?: \S{1,200}: (?:No such file or directory|Command not found)$/,
  // With "needed by" it is a source file that is missing, and that is the work's own fault.
  /^make(?:\[\d+\])?: \*\*\* No rule to make target [^,]{1,200}\. {1,2}Stop\.$/,
];

const NOT_LOADED: readonly RegExp[] = [
  /\b(?:SyntaxError|ModuleNotFoundError|ImportError|IndentationError)\b/,
  /\bCannot find (?:module|package)\b|\berror TS\d|\berror\[E\d{4}\]|\bcould not compile\b/,
  /\bCOMPILATION ERROR\b|\bcannot find symbol\b|\[build failed\]/,
];
