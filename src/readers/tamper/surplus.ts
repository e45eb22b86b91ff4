// What does one list have that another does not, counting repetitions?

export function surplus<T>(
  list: readonly T[],
  other: readonly T[],
  keyOf: (one: T) => string,
): readonly T[] {
  const left = new Map<string, number>();
  for (const one of other) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
  return list.filter((one) => {
    const count = left.get(keyOf(one)) ?? 0;
    left.set(keyOf(one), count - 1);
    return count <= 0;
  });
}
