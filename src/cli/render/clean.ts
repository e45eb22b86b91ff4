// What can go, by kind, and what came of it?

import type { Style } from "../io.ts";
import { dotted, paint, paragraph } from "../layout.ts";
import type { Kept, Leftover } from "../leftovers.ts";
import { plural, size } from "./text.ts";

const KINDS = {
  tree: "tree",
  branch: "merged branch",
  run: "folder of a run",
  rescue: "old rescue",
  checkpoint: "run with checkpoints",
} as const;

const LISTED_MAX = 10;

export function renderLeftovers(found: readonly Leftover[], style: Style): string {
  if (found.length === 0) return "nothing is left over";
  return Object.entries(KINDS)
    .flatMap(([kind, word]) => {
      const some = found.filter((one) => one.kind === kind);
      if (some.length === 0) return [];
      const bytes = some.reduce((sum, one) => sum + one.bytes, 0);
      const head = dotted([counted(some.length, word), bytes === 0 ? null : size(bytes)]);
      const more = some.length - LISTED_MAX;
      return [
        paint(style, "strong", head),
        ...some.slice(0, LISTED_MAX).map((one) => row(one, style)),
        ...(more > 0 ? [`  … and ${more} more`] : []),
      ];
    })
    .join("\n");
}

function row({ name, why, bytes }: Leftover, style: Style): string {
  const text = `${name}: ${dotted([why, bytes === 0 ? null : size(bytes)])}`;
  return paragraph(style, text, { lead: "  ", hanging: "    " });
}

export function renderCleaned(
  gone: readonly Leftover[],
  kept: readonly Kept[],
  style: Style,
): string {
  const bytes = gone.reduce((sum, one) => sum + one.bytes, 0);
  const counts = Object.entries(KINDS).map(([kind, word]) => {
    const count = gone.filter((one) => one.kind === kind).length;
    return count === 0 ? null : counted(count, word);
  });
  const freed = bytes === 0 ? null : `${size(bytes)} freed`;
  return [
    paragraph(style, `removed: ${dotted([...counts, freed]) || "nothing"}`, { hanging: "  " }),
    ...kept.map(({ name, why }) =>
      paragraph(style, `kept: ${name}: ${why}`, { tone: "attention", hanging: "  " }),
    ),
  ].join("\n");
}

function counted(count: number, word: string): string {
  if (word === "merged branch") return count === 1 ? `1 ${word}` : `${count} merged branches`;
  if (word === KINDS.run) return count === 1 ? `1 ${word}` : `${count} folders of runs`;
  if (word === KINDS.checkpoint) return `checkpoints of ${plural(count, "run")}`;
  return plural(count, word);
}
