// Which test of before is which test of now, wherever it went and whatever it is called now?

import type { TestCase } from "./test-facts.ts";

export interface PlacedTest {
  readonly path: string;
  readonly test: TestCase;
}

export interface Matched {
  readonly pairs: readonly (readonly [base: PlacedTest, now: PlacedTest])[];
  /** Pairs that are only alike: the test may have been replaced by another of its kind. */
  readonly alike: ReadonlySet<PlacedTest>;
  /** Of before, with no counterpart. */
  readonly gone: readonly PlacedTest[];
  /** Of now, with no counterpart. */
  readonly fresh: readonly PlacedTest[];
}

/**
 * Matches in rounds, the surest first: name in the same file, name in any file, body, then
 * likeness. A table of rows may stand for several tests of before.
 */
export function matchTests(base: readonly PlacedTest[], now: readonly PlacedTest[]): Matched {
  const pairs: (readonly [PlacedTest, PlacedTest])[] = [];
  let gone = base;
  let fresh = now;
  for (const keyOf of KEYS) {
    const round = matchByKey(gone, fresh, keyOf);
    pairs.push(...round.pairs);
    ({ gone, fresh } = round);
  }
  if (gone.length > LIKENESS_MAX || fresh.length > LIKENESS_MAX)
    return { pairs, alike: new Set(), gone, fresh };
  const last = matchByLikeness(gone, fresh);
  return {
    pairs: [...pairs, ...last.pairs],
    alike: new Set(last.pairs.map(([old]) => old)),
    gone: last.gone,
    fresh: last.fresh,
  };
}

/** Beyond this many the work is a rewrite, and likeness would be chance. */
const LIKENESS_MAX = 300;

const KEYS: readonly ((placed: PlacedTest) => string)[] = [
  ({ path, test }) => `${path}\n${test.name}`,
  ({ test }) => test.name,
  ({ test }) => test.body.replace(test.name, "").replace(/\s+/g, ""),
];

type Round = Omit<Matched, "alike">;

function matchByKey(
  base: readonly PlacedTest[],
  now: readonly PlacedTest[],
  keyOf: (placed: PlacedTest) => string,
): Round {
  const waiting = new Map<string, PlacedTest[]>();
  for (const placed of now) {
    const key = keyOf(placed);
    const same = waiting.get(key);
    if (same === undefined) waiting.set(key, [placed]);
    else same.push(placed);
  }
  const pairs: (readonly [PlacedTest, PlacedTest])[] = [];
  const taken = new Set<PlacedTest>();
  const gone = base.filter((placed) => {
    const found = waiting.get(keyOf(placed))?.shift();
    if (found === undefined) return true;
    pairs.push([placed, found]);
    taken.add(found);
    return false;
  });
  return { pairs, gone, fresh: now.filter((placed) => !taken.has(placed)) };
}

interface Profile {
  readonly placed: PlacedTest;
  readonly name: ReadonlySet<string>;
  readonly body: ReadonlySet<string>;
}

function matchByLikeness(base: readonly PlacedTest[], now: readonly PlacedTest[]): Round {
  const candidates = now.map(profile);
  const taken = new Set<PlacedTest>();
  const pairs: (readonly [PlacedTest, PlacedTest])[] = [];
  const gone = base.filter((placed) => {
    const old = profile(placed);
    let best: { readonly placed: PlacedTest; readonly likeness: number } | null = null;
    for (const candidate of candidates) {
      const isFree = candidate.placed.test.isTable || !taken.has(candidate.placed);
      const likeness = isFree ? likenessOf(old, candidate) : 0;
      if (likeness >= ALIKE && likeness > (best?.likeness ?? 0))
        best = { placed: candidate.placed, likeness };
    }
    if (best === null) return true;
    pairs.push([placed, best.placed]);
    taken.add(best.placed);
    return false;
  });
  return { pairs, gone, fresh: now.filter((placed) => !taken.has(placed)) };
}

const ALIKE = 0.5;
const WORDS_MAX = 200;
/** In every test; equal words of this kind mean nothing. */
const COMMON = new Set(
  "test it expect toBe toEqual toStrictEqual const let var await async function return assert equal def self func testing fn assert_eq should the and for with not true false None True False import from when then that does can are its".split(
    " ",
  ),
);

function profile(placed: PlacedTest): Profile {
  const { name, body } = placed.test;
  const spaced = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return {
    placed,
    name: words(spaced.split(/[^a-z0-9]+/)),
    body: words(
      body
        .slice(0, 20_000)
        .replace(name, " ")
        .split(/[^\w$]+/),
    ),
  };
}

function words(all: readonly string[]): ReadonlySet<string> {
  const kept = new Set<string>();
  for (const word of all) {
    if (kept.size >= WORDS_MAX) break;
    if (word !== "" && !COMMON.has(word)) kept.add(word);
  }
  return kept;
}

function likenessOf(old: Profile, candidate: Profile): number {
  const shared = countShared(old.body, candidate.body);
  // All of an old test in a table of rows: the rest of the table is other tests.
  if (candidate.placed.test.isTable && old.body.size > 0) return shared / old.body.size;
  const all = old.body.size + candidate.body.size - shared;
  const byBody = all === 0 ? 0 : shared / all;
  if (old.placed.path !== candidate.placed.path) return byBody > 0.7 ? byBody : 0;
  const sharedName = countShared(old.name, candidate.name);
  const allNames = old.name.size + candidate.name.size - sharedName;
  return Math.max(byBody, allNames === 0 ? 0 : sharedName / allNames);
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared;
}
