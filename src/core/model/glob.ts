// Does a path match a glob, and can one path match two of them, in bounded time?

/**
 * Paths are relative to the working tree, with "/" between segments.
 *
 * `*` and `?` stay within one segment, a segment `**` spans any number of segments, `{a,b}` lists
 * alternatives, and `\` takes the next character as it is. `[id]` is a name, as routers have it. Names
 * that begin with a dot are matched like any other. A pattern whose last segment is a plain name covers the
 * file or folder of that name with everything below it, and so does a pattern that ends in "/".
 */
export function matchesGlob(pattern: string, path: string): boolean {
  return compileGlobs([pattern])(path);
}

/** As `matchesGlob` for any of several patterns, which are read once. */
export function compileGlobs(patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns.flatMap((pattern) => readGlob(pattern) ?? []);
  return (path) => {
    const segments = normal(path).split("/");
    return globs.some((glob) => matchGreedily(glob, segments, matchName));
  };
}

/** Why a pattern cannot be used; null: it can. A pattern with a problem matches nothing. */
export function globProblem(pattern: string): string | null {
  const read = alternatives(pattern);
  return typeof read === "string" ? read : null;
}

/** What a pattern covers: any of these; null: it cannot be used. */
export function readGlob(pattern: string): readonly Glob[] | null {
  const read = alternatives(pattern);
  return typeof read === "string" ? null : read.map(normal).flatMap(compile);
}

const PATTERN_CHARS_MAX = 1_000;
const ALTERNATIVES_MAX = 256;

/** Characters; "" is any one, null any number. */
type Name = readonly (string | null)[];

/** null: any number of segments. */
export type Glob = readonly (Name | null)[];

function charsMeet(a: string, b: string): boolean {
  return a === b || a === "" || b === "";
}

function normal(text: string): string {
  return text.replace(/^(?:\.?\/+)+/, "").replace(/\/{2,}/g, "/");
}

/** A list of one glob; of none for an alternative that is empty, as the second of `{a,}` is. */
function compile(pattern: string): readonly Glob[] {
  if (pattern === "") return [];
  const names = pattern.split("/");
  const folder = names.at(-1) === "";
  const segments = (folder ? names.slice(0, -1) : names).map(compileSegment);
  const plainName = segments.at(-1)?.every(Boolean) === true;
  return [folder || plainName ? [...segments, null] : segments];
}

function compileSegment(text: string): Name | null {
  if (text === "**") return null;
  return [...text.matchAll(/\\([^])|\*+|[^]/gu)].map(([atom, escaped]) => {
    if (atom.startsWith("*")) return null;
    return escaped ?? (atom === "?" ? "" : atom);
  });
}

function matchName(name: Name, text: string): boolean {
  return matchGreedily(name, Array.from(text), charsMeet);
}

/**
 * Wildcard matching that goes back to the last star only: earlier stars never need to give up
 * what they took, so the time is at most the product of the two lengths.
 */
function matchGreedily<P, T>(
  pattern: readonly (P | null)[],
  text: readonly T[],
  matches: (p: P, t: T) => boolean,
): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let starText = 0;
  while (t < text.length) {
    const head = pattern[p];
    const item = text[t];
    if (head === null) {
      star = p;
      starText = t;
      p += 1;
    } else if (head !== undefined && item !== undefined && matches(head, item)) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      starText += 1;
      t = starText;
    } else {
      return false;
    }
  }
  return pattern.slice(p).every((rest) => rest === null);
}

/**
 * Every pattern without braces that this one stands for, or why it cannot be used. Counted while they
 * are expanded: `{a,b}` thirty times over would be a billion patterns.
 */
function alternatives(pattern: string): readonly string[] | string {
  if (pattern.length > PATTERN_CHARS_MAX) return `is longer than ${PATTERN_CHARS_MAX} characters`;
  if (pattern.includes("\0")) return "contains a NUL character";
  if (pattern.startsWith("!")) return 'begins with "!"; exclusions are not supported';
  const plain = normal(pattern);
  if (plain === "") return "is empty";
  if (plain.split("/").includes("..")) return 'contains ".."; it must stay inside the working tree';
  const open = [pattern];
  const read: string[] = [];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [before, members, after] = firstGroup(next);
    if (members === null) return 'has a "{" without its "}"';
    if (members.length === 0) read.push(before);
    open.push(...members.map((member) => before + member + after));
    if (open.length + read.length > ALTERNATIVES_MAX)
      return `lists more than ${ALTERNATIVES_MAX} alternatives`;
  }
  return read;
}

/** What stands before, in and after the first braces; no members: there are none; null: none closes. */
function firstGroup(pattern: string): [string, readonly string[] | null, string] {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  let memberStart = 0;
  for (const { 0: mark, index: at } of pattern.matchAll(/\\[^]|[{},]/g)) {
    if (mark === "{") {
      if (depth === 0) [start, memberStart] = [at, at + 1];
      depth += 1;
    } else if (depth === 1 && (mark === "," || mark === "}")) {
      members.push(pattern.slice(memberStart, at));
      memberStart = at + 1;
      if (mark === "}") return [pattern.slice(0, start), members, pattern.slice(at + 1)];
    } else if (mark === "}" && depth > 0) {
      depth -= 1;
    }
  }
  return depth > 0 ? ["", null, ""] : [pattern, [], ""];
}

/**
 * For paths as text, case counting, in at most the product of the two lengths: both patterns are walked
 * together, over segments and within them over characters.
 *
 * Of the file system it knows nothing. Where a folder is a symbolic link, or a disk takes "A" for
 * "a", two patterns without a common path may still mean one file.
 */
export function globsMeet(a: Glob, b: Glob): boolean {
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
