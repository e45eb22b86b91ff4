// What do two tasks of a run have in common?

/** The one; what is equal in the other is held once for both. The tasks of a run are much alike. */
export function sharing<T extends object>(one: T, other: object | undefined): T {
  return { ...one, ...Object.fromEntries(commonEntries({ ...one }, { ...other })) };
}

function commonEntries(one: object, other: object): readonly (readonly [string, unknown])[] {
  const others = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one).map(([key, value]) => [key, common(value, others.get(key))]);
}

function common(one: unknown, other: unknown): unknown {
  if (one === other) return other; // Of equal texts, too, one is kept.
  if (Array.isArray(one) && Array.isArray(other)) {
    const parts = one.map((part: unknown, at) => common(part, other[at]));
    return isSame(parts, other) ? other : parts;
  }
  if (typeof one !== "object" || typeof other !== "object") return one;
  if (one === null || other === null || Array.isArray(one) || Array.isArray(other)) return one;
  const entries = commonEntries(one, other);
  const parts = entries.map(([, value]) => value);
  const isAlike = Object.keys(other).every((key, at) => key === entries[at]?.[0]);
  return isAlike && isSame(parts, Object.values(other)) ? other : Object.fromEntries(entries);
}

function isSame(parts: readonly unknown[], others: readonly unknown[]): boolean {
  return parts.length === others.length && parts.every((part, at) => part === others[at]);
}
