// Which words in a command's output say that it gives no verdict, and why?

const LINES_MAX = 60;

function lastLine(lines: readonly string[], fits: (line: string) => boolean): string | null {
  return lines.slice(-LINES_MAX).find(fits)?.trim() ?? null;
}

/** What shells answer with 126 and 127: the program is none, or is not there. */
const NO_PROGRAM =
  /\bnot found$|No such file(?: or directory)?$|permission denied$|cannot execute|is a directory$|exec format error$/i;
/** Runners of modules and scripts have exit codes of their own for the same thing. */
const NO_MODULE =
  /^npm (?:ERR!|error) (?:could not determine executable|npx canceled)|^\s?ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\b|^error: no such (?:sub)?command|^\S{0,300}python[\d.]*(?:\.exe)?: No module named \S|^make(?:\[\d+\])?: \S{1,200}: (?:No such file or directory|Command not found)$/;
/** With "needed by" it is a source file that make misses, and that is the work's own fault. */
const NO_SCRIPT =
  /^npm (?:ERR!|error) missing script\b|^\s?ERR_PNPM_NO_SCRIPT\b|^error Command "[^"]{1,200}" not found|Couldn't find a script named|^error: Script not found "|^\S{0,300}sh: 0: (?:cannot|can't) open |^make(?:\[\d+\])?: \*\*\* No rule to make target [^,]{1,200}\. {1,2}Stop\.$/i;
/** A script or a target for tests a task may be there to write; any other was mistyped in the gate. */
const OF_TESTS = /\btests?\b/i;

/** The line that says which tool is missing; null: none does. */
export function missingTool(exitCode: number, lines: readonly string[]): string | null {
  const isShell = exitCode === 126 || exitCode === 127;
  return lastLine(
    lines,
    (line) =>
      (isShell && NO_PROGRAM.test(line)) ||
      NO_MODULE.test(line) ||
      (NO_SCRIPT.test(line) && !OF_TESTS.test(line)),
  );
}

/** The first is what `npm init` writes. */
const NO_TESTS =
  /^Error: no test specified$|^(?:Error: )?No test(?: file)?s found(?:, exiting with code \d+)?\.?$|^Could not find '[^']{1,300}'$/;

/** The line that says that the project has no such check yet; null: none does. */
export function notWritten(lines: readonly string[]): string | null {
  return lastLine(
    lines,
    (line) => NO_TESTS.test(line) || (NO_SCRIPT.test(line) && OF_TESTS.test(line)),
  );
}

/** A package or library, and not a file of the project. */
const BROKEN =
  /\bCannot find (?:module|package) '(?:@[\w.-]{1,100}\/)?[\w-]{1,100}'|\bCannot find native binding\b|\binvalid ELF header\b|\bcannot open shared object file\b|\bLibrary not loaded\b/;

/** The line that says why a runner died before its first check: a part of it is missing; null: none does. */
export function brokenTool(lines: readonly string[]): string | null {
  return lines.find((line) => BROKEN.test(line))?.trim() ?? null;
}

const NOT_LOADED =
  /\b(?:SyntaxError|ModuleNotFoundError|ImportError|IndentationError|COMPILATION ERROR)\b|\bCannot find (?:module|package)\b|\berror(?: TS\d|\[E\d{4}\])|\bcould not compile\b|\bcannot find symbol\b|\[build failed\]/;

/** The line that says why the checks could not be loaded or built; null: none does. */
export function neverLoaded(lines: readonly string[]): string | null {
  return lines.find((line) => NOT_LOADED.test(line))?.trim() ?? null;
}

const DURATION = /[([]?\d{1,9}(?:\.\d{1,9})? ?m?s\b[)\]]?/g;
const SOMETHING =
  /\b[1-9]\d{0,8} (?:\w{1,20} )?(?:tests?|specs?|examples?|checks?|assertions?|passing|passed|ok)\b/i;
/** Where a number says it, nothing else is counted in such a line. */
const NOTHING =
  /^[^1-9]*(?:\b0 (?:tests?|specs?|examples?|checks?|passing|total)|\btests?(?: run)?: {1,8}0)\b[^1-9]*$|\bno (?:tests?|specs?|examples?)(?: files?| suites?| cases?| classes)? (?:found|ran|executed|matched|to run|were|is available)\b|^\W*no tests?(?: files?)?\W*$|\bno test files\b|\bany files to test$|\bcollected 0 items\b|\bnothing to test\b|^1\.\.0\b/i;

/** The line that says that there was nothing to check; null: none does, or something was. */
export function nothingChecked(lines: readonly string[]): string | null {
  const plain = lines.map((line) => line.replace(DURATION, ""));
  if (plain.some((line) => SOMETHING.test(line))) return null;
  return lines[plain.findIndex((line) => NOTHING.test(line))]?.trim() ?? null;
}
