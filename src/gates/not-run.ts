// Which words in a command's output say that its checks were never made?

/** The line that says which tool is missing; null: none does. */
export function missingTool(exitCode: number, lines: readonly string[]): string | null {
  const last = lines.slice(-LINES_MAX);
  const patterns = [...(BY_EXIT_CODE.get(exitCode) ?? []), ...MISSING];
  const isMissing = (line: string): boolean =>
    patterns.some((pattern) => pattern.test(line)) || (hasNoEntry(line) && !TESTS.test(line));
  return last.find(isMissing)?.trim() ?? null;
}

/** The line that says why a runner died before its first check: a part of it is missing; null: none does. */
export function brokenTool(lines: readonly string[]): string | null {
  return lines.find((line) => BROKEN.some((pattern) => pattern.test(line)))?.trim() ?? null;
}

/** A package or library, and not a file of the project. */
const BROKEN: readonly RegExp[] = [
  /\bCannot find (?:module|package) '(?:@[\w.-]{1,100}\/)?[\w-]{1,100}'/,
  /\bCannot find native binding\b|\binvalid ELF header\b/,
  /\bcannot open shared object file\b|\bLibrary not loaded\b/,
];

/** The line that says why the checks could not be loaded or built; null: none does. */
export function neverLoaded(lines: readonly string[]): string | null {
  return lines.find((line) => NOT_LOADED.some((pattern) => pattern.test(line)))?.trim() ?? null;
}

/** The line that says that the project has no such check yet; null: none does. */
export function notWritten(lines: readonly string[]): string | null {
  const last = lines.slice(-LINES_MAX);
  const isOpen = (line: string): boolean =>
    NOT_WRITTEN.some((pattern) => pattern.test(line)) || (hasNoEntry(line) && TESTS.test(line));
  return last.find(isOpen)?.trim() ?? null;
}

/** The line that says that there was nothing to check; null: none does, or something was. */
export function nothingChecked(lines: readonly string[]): string | null {
  const plain = lines.map((line) => line.replace(DURATION, ""));
  if (plain.some((line) => SOMETHING.test(line))) return null;
  const at = plain.findIndex((line) => NOTHING.some((pattern) => pattern.test(line)));
  return lines[at]?.trim() ?? null;
}

const DURATION = /[([]?\d{1,9}(?:\.\d{1,9})? ?m?s\b[)\]]?/g;
const SOMETHING =
  /\b[1-9]\d{0,8} (?:\w{1,20} )?(?:tests?|specs?|examples?|checks?|assertions?|passing|passed|ok)\b/i;
/** Nothing else is counted in such a line. */
const NOTHING: readonly RegExp[] = [
  /^[^1-9]*\b0 (?:tests?|specs?|examples?|checks?|passing|total)\b[^1-9]*$/i,
  /^[^1-9]*\btests?(?: run)?: {1,8}0\b[^1-9]*$/i,
  /\bno (?:tests?|specs?|examples?)(?: files?| suites?| cases?| classes)? (?:found|ran|executed|matched|to run|were)\b/i,
  /^\W*no tests?(?: files?)?\W*$|\bno test files\b|\bcollected 0 items\b|\brunning 0 tests\b/i,
  /\bnothing to test\b|^1\.\.0\b/i,
];

const LINES_MAX = 60;

/** Shells answer 127 for a program that is not there and 126 for one that cannot be run. */
const BY_EXIT_CODE: ReadonlyMap<number, readonly RegExp[]> = new Map([
  [127, [/: not found$/, /command not found/, /No such file or directory$/, /No such file$/]],
  [126, [/permission denied$/i, /cannot execute/i, /is a directory$/i, /exec format error$/i]],
]);

/** Runners of modules have exit codes of their own for the same thing. */
const MISSING: readonly RegExp[] = [
  /^npm (?:ERR!|error) (?:could not determine executable to run|npx canceled due to missing packages)/,
  /^\s?ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\b.{0,200}ENOENT/,
  /^error: no such (?:sub)?command/,
  /^\S{0,300}python[\d.]*(?:\.exe)?: No module named \S/,
  /^make(?:\[\d+\])?: \S{1,200}: (?:No such file or directory|Command not found)$/,
];

/** Tests that a task may be there to write; the first is what `npm init` writes. */
const NOT_WRITTEN: readonly RegExp[] = [
  /^Error: no test specified$/,
  /^(?:Error: )?No test(?: file)?s found(?:, exiting with code \d+)?\.?$/,
  /^Could not find '[^']{1,300}'$/,
];

/** So is a script or a target for tests; any other that is not there was mistyped in the gate. */
const TESTS = /\btests?\b/i;
const NO_ENTRY: readonly RegExp[] = [
  /^npm (?:ERR!|error) missing script\b/i,
  /^\s?ERR_PNPM_NO_SCRIPT\b|^error Command "[^"]{1,200}" not found/,
  /^(?:Usage Error: )?Couldn't find a script named/,
  /^error: Script not found "/,
  /^\S{0,300}sh: 0: (?:cannot|can't) open /i,
  // With "needed by" it is a source file that is missing, and that is the work's own fault.
  /^make(?:\[\d+\])?: \*\*\* No rule to make target [^,]{1,200}\. {1,2}Stop\.$/,
];

function hasNoEntry(line: string): boolean {
  return NO_ENTRY.some((pattern) => pattern.test(line));
}

const NOT_LOADED: readonly RegExp[] = [
  /\b(?:SyntaxError|ModuleNotFoundError|ImportError|IndentationError)\b/,
  /\bCannot find (?:module|package)\b|\berror TS\d|\berror\[E\d{4}\]|\bcould not compile\b/,
  /\bCOMPILATION ERROR\b|\bcannot find symbol\b|\[build failed\]/,
];
