// How long is "1h30m"?

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const UNITS: ReadonlyMap<string, number> = new Map(Object.entries(UNIT_MS));
const PART = /(\d{1,9})(ms|s|m|h|d)/g;

/** Longer than any sensible wait, and well inside what a timer can count. */
export const LONGEST_MS = 30 * UNIT_MS.d;

export const DURATION = /^(?:\d{1,9}(?:ms|s|m|h|d))+$/;
export const DURATION_WORDS = 'a time with its unit, like "90s", "15m", "2h" or "1h30m"';

/** Milliseconds, or null for anything that is no duration from 1 ms to 30 days. */
export function parseDuration(text: string): number | null {
  if (text.length > 50 || !DURATION.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(PART))
    total += Number(amount) * (UNITS.get(unit ?? "") ?? 0);
  return total > 0 && total <= LONGEST_MS ? total : null;
}

/** Of a time that the schema has accepted. */
export function milliseconds(written: string): number {
  return parseDuration(written) ?? 0;
}

/** As a config writes it: "1h30m". */
export function formatDuration(ms: number): string {
  let rest = ms;
  const parts = (["h", "m", "s", "ms"] as const).map((unit) => {
    const count = Math.floor(rest / UNIT_MS[unit]);
    rest -= count * UNIT_MS[unit];
    return count === 0 ? "" : `${count}${unit}`;
  });
  return parts.join("") || "0s";
}
