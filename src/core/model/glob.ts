// Does a path match a glob, and can one path match two of them, in bounded time?

/**
 * Paths are relative to the working tree, with "/" between segments.
 *
 * `*` and `?` stay within one segment, a segment `**` spans any number of segments, and `\` takes the
 * next character as it is. `[id]` is a name, as routers have it. Names that begin with a dot are matched
 * like any other. A pattern whose last segment is a plain name covers the file or folder of that name with
 * everything below it, and so does a pattern that ends in "/".
 */
export function matchesGlob(pattern: string, path: string): boolean {
  return compileGlobs([pattern])(path);
}

/** As `matchesGlob` for any of several patterns, which are read once. */
export function compileGlobs(patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns.map(readGlob).filter((glob) => glob !== null);
  return (path) => {
    // A path is a glob that nothing else matches.
    const names = normal(path)
      .split("/")
      .map((name) => Array.from(name));
    return globs.some((glob) => globsMeet(glob, names));
  };
}

/** Why a pattern cannot be used; null: it can. A pattern with a problem matches nothing. */
export function globProblem(pattern: string): string | null {
  if (pattern.length > PATTERN_CHARS_MAX) return `is longer than ${PATTERN_CHARS_MAX} characters`;
  if (pattern.includes("\0")) return "contains a NUL character";
  if (pattern.startsWith("!")) return 'begins with "!"; exclusions are not supported';
  if (pattern.replace(/\\[^]/g, "").includes("{"))
    return 'has a "{"; write a pattern for each alternative, or "\\{" for a name with a brace';
  const plain = normal(pattern);
  if (plain === "") return "is empty";
  if (plain.split("/").includes("..")) return 'contains ".."; it must stay inside the working tree';
  return null;
}

/** What a pattern covers; null: it cannot be used. */
export function readGlob(pattern: string): Glob | null {
  return globProblem(pattern) === null ? compile(normal(pattern)) : null;
}

const PATTERN_CHARS_MAX = 1_000;

/** Characters; "" is any one, null any number. */
type Name = readonly (string | null)[];

/** null: any number of segments. */
export type Glob = readonly (Name | null)[];

function normal(text: string): string {
  return text.replace(/^(?:\.?\/+)+/, "").replace(/\/{2,}/g, "/");
}

function compile(pattern: string): Glob {
  const names = pattern.split("/");
  const folder = names.at(-1) === "";
  const segments = (folder ? names.slice(0, -1) : names).map(compileSegment);
  const plainName = segments.at(-1)?.every(Boolean) === true;
  return folder || plainName ? [...segments, null] : segments;
}

function compileSegment(text: string): Name | null {
  if (text === "**") return null;
  return [...text.matchAll(/\\([^])|\*+|[^]/gu)].map(([atom, escaped]) => {
    if (atom.startsWith("*")) return null;
    return escaped ?? (atom === "?" ? "" : atom);
  });
}

/**
 * For paths as text, case counting, in at most the product of the two lengths: both patterns are walked
 * together, over segments and within them over characters.
 *
 * Of the file system it knows nothing. Where a folder is a symbolic link, or a disk takes "A" for
 * "a", two patterns without a common path may still mean one file.
 */
export function globsMeet(a: Glob, b: Glob): boolean {
  const charsMeet = (x: string, y: string) => x === y || x === "" || y === "";
  return meet(a, b, (one, other) => meet(one, other, charsMeet));
}

/**
 * Have two sequences with stars (null: any number of items) a common one? `row[j]`: what stands
 * before `i` in the one and before `j` in the other can be the same. A star takes the other's item,
 * or a star, or ends, which are the same two moves.
 */
function meet<T>(
  a: readonly (T | null)[],
  b: readonly (T | null)[],
  itemsMeet: (a: T, b: T) => boolean,
): boolean {
  let row = [true];
  for (let i = 0; i <= a.length; i += 1) {
    const below: boolean[] = [];
    const mine = a[i];
    for (let j = 0; j <= b.length; j += 1) {
      if (row[j] !== true) continue;
      const theirs = b[j];
      if (mine === null || theirs === null) {
        row[j + 1] = true;
        below[j] = true;
      } else if (mine !== undefined && theirs !== undefined && itemsMeet(mine, theirs)) {
        below[j + 1] = true;
      }
    }
    if (i === a.length) return row[b.length] === true;
    if (below.length === 0) return false;
    row = below;
  }
  return false;
}
