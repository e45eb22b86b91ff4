// What does one list have that another does not, counting repetitions?

export function surplus<T>(
  list: readonly T[],
  other: readonly T[],
  keyOf: (one: T) => string,
): readonly T[] {
  const left = countBy(other, keyOf);
  return list.filter((one) => !takeOne(left, keyOf(one)));
}

export function countBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
}

/** True where one is left; it is used up. */
export function takeOne(left: Map<string, number>, key: string): boolean {
  const count = left.get(key) ?? 0;
  if (count > 0) left.set(key, count - 1);
  return count > 0;
}
