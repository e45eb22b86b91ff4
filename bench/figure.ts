// What was measured, and is it good enough?

export interface Figure {
  readonly name: string;
  /** null: it cannot be measured on this system. */
  readonly measured: number | null;
  readonly unit: "×" | "µs" | "ms" | "s" | "/s" | "MB" | "MB/s" | "%";
  /** null: printed for reference. */
  readonly goal: Goal | null;
}

export interface Goal {
  readonly kind: "at most" | "at least";
  readonly value: number;
}

export function atMost(value: number): Goal {
  return { kind: "at most", value };
}

export function atLeast(value: number): Goal {
  return { kind: "at least", value };
}

export function isShort({ measured, goal }: Figure): boolean {
  if (measured === null || goal === null) return false;
  return goal.kind === "at most" ? measured > goal.value : measured < goal.value;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function renderFigures(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    figure.measured === null ? "–" : amount(figure.measured, figure.unit),
    figure.goal === null ? "" : `${figure.goal.kind} ${amount(figure.goal.value, figure.unit)}`,
    verdict(figure),
  ]);
  const all = [["figure", "measured", "goal", ""], ...rows];
  const widths = [0, 1, 2].map((at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  return all
    .map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

function verdict(figure: Figure): string {
  if (figure.measured === null) return "not measured here";
  if (figure.goal === null) return "for reference";
  return isShort(figure) ? "short" : "ok";
}

function amount(value: number, unit: Figure["unit"]): string {
  const digits = unit === "×" || unit === "s" ? 2 : unit === "%" ? 1 : value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}
