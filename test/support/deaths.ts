// How many deaths does a test of dying go through? One of each kind, as a rule.

/** `npm run test:crash`: every one there is. */
export const EVERY_DEATH = process.env["ORCH_TEST_DEATHS"] === "every";

/** The first of each kind, or all of them. */
export function deathsOf<T>(all: readonly T[], kindOf: (one: T) => string): readonly T[] {
  if (EVERY_DEATH) return all;
  const kinds = all.map(kindOf);
  return all.filter((_, index) => kinds.indexOf(kinds[index] ?? "") === index);
}

/** So many times where one of a kind is enough, or as often as it takes to meet rare moments. */
export function times(few: number, many: number): number {
  return EVERY_DEATH ? many : few;
}
