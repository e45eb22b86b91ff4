// How often was the decision core right?

/** A share with what it is a share of; null where there was nothing to count. */
export interface Share {
  readonly percent: number | null;
  readonly of: number;
}

export interface PerLabel {
  readonly label: string;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number;
  /** Records that carry the label. */
  readonly of: number;
}

export function shareOf<T>(rows: readonly T[], holds: (row: T) => boolean): Share {
  return { percent: percent(rows.filter(holds).length, rows.length), of: rows.length };
}

export function binary<T>(
  rows: readonly T[],
  isSo: (row: T) => boolean,
  isCalledSo: (row: T) => boolean,
) {
  const count = (so: boolean, called: boolean) =>
    rows.filter((row) => isSo(row) === so && isCalledSo(row) === called).length;
  const [hits, misses, alarms] = [count(true, true), count(true, false), count(false, true)];
  return {
    precision: percent(hits, hits + alarms),
    recall: percent(hits, hits + misses),
    f1: percent(2 * hits, 2 * hits + alarms + misses),
  };
}

/** One row for each label that occurs, in the order of the first occurrence. */
export function perLabel<T>(
  rows: readonly T[],
  label: (row: T) => string,
  called: (row: T) => string,
): readonly PerLabel[] {
  return [...new Set(rows.map(label))].map((one) => {
    const { precision, recall, f1 } = binary(
      rows,
      (row) => label(row) === one,
      (row) => called(row) === one,
    );
    const of = rows.filter((row) => label(row) === one).length;
    return { label: one, precision, recall, f1: f1 ?? 0, of };
  });
}

/** Every label weighs the same, however rare. null: there is none. */
export function macroF1(labels: readonly PerLabel[]): number | null {
  if (labels.length === 0) return null;
  return rounded(labels.reduce((sum, { f1 }) => sum + f1, 0) / labels.length);
}

function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded((100 * part) / whole);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
