// Does a path match a glob, in bounded time whatever the pattern is?

import { assertNever } from "./assert.ts";

/**
 * Paths are relative to the working tree, with "/" between segments.
 *
 * `*` and `?` stay within one segment, a segment `**` spans any number of segments, `{a,b}` lists
 * alternatives, `[a-z]` and `[!a-z]` name one character, and `\` takes the next character as it
 * is. Names that begin with a dot are matched like any other. A pattern whose last segment is a
 * plain name covers the file or folder of that name with everything below it, and so does a
 * pattern that ends in "/".
 */
export function matchesGlob(pattern: string, path: string): boolean {
  return compileGlobs([pattern])(path);
}

/** As `matchesGlob` for any of several patterns, which are read once. */
export function compileGlobs(patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns.flatMap((pattern) =>
    globProblem(pattern) === null ? alternatives(pattern).map(normal).flatMap(compile) : [],
  );
  return (path) => {
    const segments = normal(path).split("/");
    return globs.some((glob) => matchSegments(glob, segments));
  };
}

/** Why a pattern cannot be used; null: it can. A pattern with a problem matches nothing. */
export function globProblem(pattern: string): string | null {
  if (pattern.length > PATTERN_CHARS_MAX) return `is longer than ${PATTERN_CHARS_MAX} characters`;
  if (pattern.includes("\0")) return "contains a NUL character";
  if (pattern.startsWith("!")) return 'begins with "!"; exclusions are not supported';
  const plain = normal(pattern);
  if (plain === "") return "is empty";
  if (plain.split("/").includes("..")) return 'contains ".."; it must stay inside the working tree';
  if (!bracesBalance(plain)) return 'has a "{" without its "}"';
  if (countAlternatives(plain) > ALTERNATIVES_MAX)
    return `lists more than ${ALTERNATIVES_MAX} alternatives`;
  return null;
}

const PATTERN_CHARS_MAX = 1_000;
const ALTERNATIVES_MAX = 256;

type Atom =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "one" }
  | { readonly kind: "many" }
  | {
      readonly kind: "set";
      readonly negated: boolean;
      readonly ranges: readonly (readonly [string, string])[];
    };

type Segment =
  | { readonly kind: "span" }
  | { readonly kind: "name"; readonly atoms: readonly Atom[] };

function normal(text: string): string {
  return text.replace(/^(?:\.?\/+)+/, "").replace(/\/{2,}/g, "/");
}

/** A list of one glob; of none for an alternative that is empty, as the second of `{a,}` is. */
function compile(pattern: string): readonly (readonly Segment[])[] {
  if (pattern === "") return [];
  const names = pattern.split("/");
  const folder = names.at(-1) === "";
  const segments = (folder ? names.slice(0, -1) : names).map(compileSegment);
  const last = segments.at(-1);
  const plainName = last?.kind === "name" && last.atoms.every((atom) => atom.kind === "char");
  return [folder || plainName ? [...segments, { kind: "span" }] : segments];
}

function compileSegment(text: string): Segment {
  if (text === "**") return { kind: "span" };
  const chars = Array.from(text);
  const atoms: Atom[] = [];
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? "";
    const set = char === "[" ? readSet(chars, i) : null;
    if (set !== null) {
      atoms.push(set.atom);
      i = set.end;
    } else if (char === "\\" && i + 1 < chars.length) {
      i += 1;
      atoms.push({ kind: "char", char: chars[i] ?? "" });
    } else if (char === "*") {
      if (atoms.at(-1)?.kind !== "many") atoms.push({ kind: "many" });
    } else {
      atoms.push(char === "?" ? { kind: "one" } : { kind: "char", char });
    }
  }
  return { kind: "name", atoms };
}

/** The set that opens at `start`; null where it is never closed, so that "[" stands for itself. */
function readSet(chars: readonly string[], start: number): { atom: Atom; end: number } | null {
  const negated = chars[start + 1] === "!" || chars[start + 1] === "^";
  const first = start + (negated ? 2 : 1);
  // A "]" in first place is a member, as everywhere.
  const end = chars.indexOf("]", first + 1);
  if (end < 0) return null;
  const ranges: (readonly [string, string])[] = [];
  for (let i = first; i < end; i++) {
    const from = chars[i] ?? "";
    const isRange = chars[i + 1] === "-" && i + 2 < end;
    ranges.push([from, isRange ? (chars[i + 2] ?? from) : from]);
    if (isRange) i += 2;
  }
  return { atom: { kind: "set", negated, ranges }, end };
}

function matchSegments(glob: readonly Segment[], path: readonly string[]): boolean {
  return matchGreedily(
    glob,
    path,
    (segment) => segment.kind === "span",
    (segment, name) => segment.kind === "name" && matchName(segment.atoms, name),
  );
}

function matchName(atoms: readonly Atom[], name: string): boolean {
  return matchGreedily(atoms, Array.from(name), (atom) => atom.kind === "many", matchChar);
}

function matchChar(atom: Atom, char: string): boolean {
  switch (atom.kind) {
    case "char":
      return atom.char === char;
    case "set":
      return atom.ranges.some(([from, to]) => from <= char && char <= to) !== atom.negated;
    case "one":
    case "many":
      return true;
    default:
      return assertNever(atom, "atom");
  }
}

/**
 * Wildcard matching that goes back to the last star only: earlier stars never need to give up
 * what they took, so the time is at most the product of the two lengths.
 */
function matchGreedily<P, T>(
  pattern: readonly P[],
  text: readonly T[],
  isStar: (p: P) => boolean,
  matches: (p: P, t: T) => boolean,
): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let starText = 0;
  while (t < text.length) {
    const head = pattern[p];
    const item = text[t];
    if (head !== undefined && isStar(head)) {
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
  return pattern.slice(p).every(isStar);
}

// ---- braces ---------------------------------------------------------------------------------------

function bracesBalance(pattern: string): boolean {
  let depth = 0;
  for (const { char, escaped } of charsOf(pattern)) {
    if (escaped) continue;
    if (char === "{") depth += 1;
    if (char === "}" && depth > 0) depth -= 1;
  }
  return depth === 0;
}

/** Every pattern without braces that this one stands for. */
function alternatives(pattern: string): readonly string[] {
  const group = firstGroup(pattern);
  if (group === null) return [pattern];
  return group.members.flatMap((member) =>
    alternatives(pattern.slice(0, group.start) + member + pattern.slice(group.end)),
  );
}

/** Counted before anything is expanded: `{a,b}` thirty times over would be a billion patterns. */
function countAlternatives(pattern: string): number {
  const group = firstGroup(pattern);
  if (group === null) return 1;
  const inside = group.members.reduce((sum, member) => sum + countAlternatives(member), 0);
  return inside * countAlternatives(pattern.slice(group.end));
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly members: readonly string[];
}

function firstGroup(pattern: string): Group | null {
  const members: string[] = [];
  let depth = 0;
  let start = 0;
  let memberStart = 0;
  for (const { char, escaped, at } of charsOf(pattern)) {
    if (escaped) continue;
    if (char === "{") {
      if (depth === 0) [start, memberStart] = [at, at + 1];
      depth += 1;
    } else if (depth === 1 && (char === "," || char === "}")) {
      members.push(pattern.slice(memberStart, at));
      memberStart = at + 1;
      if (char === "}") return { start, end: at + 1, members };
    } else if (char === "}" && depth > 0) {
      depth -= 1;
    }
  }
  return null;
}

function* charsOf(text: string): Generator<{ char: string; escaped: boolean; at: number }> {
  let escaped = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? "";
    yield { char, escaped, at };
    escaped = char === "\\" && !escaped;
  }
}
