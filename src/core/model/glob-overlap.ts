// Is there a path that two globs both match?

import { ANY_CHAR, type Atom, type CharSet, type Glob, isOf, type Name } from "./glob.ts";

/**
 * Exact for paths as text, case counting, in at most the product of the two lengths: both patterns
 * are walked together, over segments and within them over characters.
 *
 * Of the file system it knows nothing. Where a folder is a symbolic link, or a disk takes "A" for
 * "a", two patterns without a common path may still mean one file.
 */
export function globsMeet(a: Glob, b: Glob): boolean {
  return isMatchable(a) && isMatchable(b) && meet(a, b, namesMeet);
}

function namesMeet(a: Name, b: Name): boolean {
  return meet(a, b, atomsMeet);
}

/** A set such as `[z-a]` has no member, so that nothing matches; a star would not notice. */
function isMatchable(glob: Glob): boolean {
  return glob.every((name) => name?.every((atom) => atom === null || isSatisfiable(atom)) ?? true);
}

function isSatisfiable(atom: Atom): boolean {
  return typeof atom === "string" || atomsMeet(atom, ANY_CHAR);
}

/** What both sets hold begins at one of these, or it holds nothing. */
function atomsMeet(a: Atom, b: Atom): boolean {
  if (typeof a === "string") return isOf(b, a);
  if (typeof b === "string") return isOf(a, b);
  return [FIRST, ...beginnings(a), ...beginnings(b)].some((char) => isOf(a, char) && isOf(b, char));
}

/** No name holds a NUL. */
const FIRST = "\u0001";

/** Where the members of a set begin, or stop for those of a negated one. */
function beginnings({ ranges, isNegated }: CharSet): readonly string[] {
  return ranges.flatMap(([from, to]) => notSlash(isNegated ? after(to) : from));
}

function notSlash(char: string): readonly string[] {
  return char === "/" ? ["0"] : char === "" ? [] : [char];
}

/** The next one as texts are compared, which is by UTF-16 units; "": there is none. */
function after(char: string): string {
  const point = char.codePointAt(0) ?? 0;
  if (point === 0xff_ff) return "";
  if (point === 0x10_ff_ff) return "\ue000";
  return String.fromCodePoint(point === 0xd7_ff ? 0x1_00_00 : point + 1);
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
