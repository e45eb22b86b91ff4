// Which known name did someone most likely mean?

import { distance } from "fastest-levenshtein";

const LONGEST = 80;

/** The closest of the known names, or null where none is close enough to be a slip of the fingers. */
function closest(name: string, names: readonly string[]): string | null {
  const wanted = name.slice(0, LONGEST).toLowerCase();
  const most = Math.ceil(wanted.length / 3);
  const slipsIn = (one: string): number => distance(wanted, one.slice(0, LONGEST).toLowerCase());
  const all = names.map((one) => ({ one, slips: slipsIn(one) }));
  const [best] = all.toSorted((a, b) => a.slips - b.slips);
  const isNear = best !== undefined && best.slips <= most && best.slips < wanted.length;
  return isNear ? best.one : null;
}

/** What does it, of keys that were removed, or that people try. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["judge", "a step may have a coach"],
  ["fleet", "ORCH_DATABASE_URL names a fleet"],
]);

/** A sentence for a problem's suggestion: what took its place, the closest name, else all that there are. */
export function suggestName(name: string, names: readonly string[]): string | null {
  const instead = INSTEAD.get(name);
  if (instead !== undefined) return instead;
  const near = closest(name, names);
  if (near !== null) return `did you mean ${JSON.stringify(near)}?`;
  if (names.length === 0) return null;
  const shown = names.slice(0, 12).map((each) => JSON.stringify(each));
  return `known: ${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`;
}
