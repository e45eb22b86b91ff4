// Which test of before is which test of now, wherever it went and whatever it is called now?

import { setOf } from "../shell/call.ts";
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
  const pairs: Pair[] = [];
  let [gone, fresh] = [base, now];
  for (const keyOf of KEYS) {
    const round = matchRound(gone, fresh, sameKey(fresh, keyOf));
    pairs.push(...round.pairs);
    ({ gone, fresh } = round);
  }
  if (gone.length > LIKENESS_MAX || fresh.length > LIKENESS_MAX)
    return { pairs, alike: new Set(), gone, fresh };
  const last = matchRound(gone, fresh, mostAlike(fresh));
  const alike = new Set(last.pairs.map(([old]) => old));
  return { ...last, pairs: [...pairs, ...last.pairs], alike };
}

/** Beyond this many the work is a rewrite, and likeness would be chance. */
const LIKENESS_MAX = 300;

type Pair = Matched["pairs"][number];
/** The counterpart of a test of before; those that are taken have one. */
type Finder = (old: PlacedTest, taken: ReadonlySet<PlacedTest>) => PlacedTest | undefined;

function matchRound(base: readonly PlacedTest[], now: readonly PlacedTest[], find: Finder) {
  const pairs: Pair[] = [];
  const taken = new Set<PlacedTest>();
  const gone = base.filter((old) => {
    const found = find(old, taken);
    if (found === undefined) return true;
    pairs.push([old, found]);
    taken.add(found);
    return false;
  });
  return { pairs, gone, fresh: now.filter((placed) => !taken.has(placed)) };
}

const KEYS: readonly ((placed: PlacedTest) => string)[] = [
  ({ path, test }) => `${path}\n${test.name}`,
  ({ test }) => test.name,
  ({ test }) => test.body.replace(test.name, "").replace(/\s+/g, ""),
];

function sameKey(now: readonly PlacedTest[], keyOf: (placed: PlacedTest) => string): Finder {
  const waiting = new Map<string, PlacedTest[]>();
  for (const placed of now) {
    const same = waiting.get(keyOf(placed)) ?? [];
    waiting.set(keyOf(placed), same);
    same.push(placed);
  }
  return (old) => waiting.get(keyOf(old))?.shift();
}

/** How alike two tests of one file are, and two of different files. */
const ALIKE = 0.5;
const ALIKE_ELSEWHERE = 0.7;

function mostAlike(now: readonly PlacedTest[]): Finder {
  const candidates = now.map((placed) => ({ placed, words: wordsOf(placed) }));
  return (old, taken) => {
    const own = wordsOf(old);
    const alike = candidates.flatMap(({ placed, words }) => {
      const { isTable } = placed.test;
      if (taken.has(placed) && !isTable) return [];
      const shared = [...own].filter((word) => words.has(word)).length;
      // All of an old test in a table of rows: the rest of the table is other tests.
      const likeness = shared / (isTable ? own.size : own.size + words.size - shared);
      const least = isTable || placed.path === old.path ? ALIKE : ALIKE_ELSEWHERE;
      return likeness >= least ? [{ placed, likeness }] : [];
    });
    return alike.sort((a, b) => b.likeness - a.likeness)[0]?.placed;
  };
}

const WORDS_MAX = 200;
/** In every test; equal words of this kind mean nothing. */
const COMMON = setOf(
  "test it expect toBe toEqual toStrictEqual const let var await async function return assert equal def self func testing fn assert_eq should the and for with not true false None True False import from when then that does can are its",
);

function wordsOf({ test: { name, body } }: PlacedTest): ReadonlySet<string> {
  const all = new Set(body.replace(name, " ").split(/[^\w$]+/));
  return new Set([...all].filter((word) => word !== "" && !COMMON.has(word)).slice(0, WORDS_MAX));
}
