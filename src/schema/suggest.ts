// Which known name did someone most likely mean?

const LONGEST = 80;

/** The closest of the known names, or null where none is close enough to be a slip of the fingers. */
function closest(name: string, names: readonly string[]): string | null {
  const wanted = name.slice(0, LONGEST).toLowerCase();
  const most = Math.max(1, Math.floor(wanted.length / 3));
  let best: { readonly name: string; readonly distance: number } | null = null;
  for (const candidate of names) {
    const distance = editDistance(wanted, candidate.slice(0, LONGEST).toLowerCase());
    if (distance <= most && distance < wanted.length && (best === null || distance < best.distance))
      best = { name: candidate, distance };
  }
  return best?.name ?? null;
}

/** A sentence for a problem's suggestion: the closest name, else all that there are. */
export function suggestName(name: string, names: readonly string[]): string | null {
  const near = closest(name, names);
  if (near !== null) return `did you mean ${JSON.stringify(near)}?`;
  if (names.length === 0) return null;
  const shown = names.slice(0, 12).map((each) => JSON.stringify(each));
  return `known: ${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`;
}

/** Optimal string alignment: insertions, deletions, replacements and swapped neighbours cost one each. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? 0) + 1);
      }
      current.push(cost);
    }
    before = above;
    above = current;
  }
  return above[b.length] ?? 0;
}
