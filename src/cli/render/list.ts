// Which runs are there, one row each?

import type { RunHead } from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { dotted, paint, paragraph, shorten, table } from "../layout.ts";
import { costWords, progressWords } from "./facts.ts";
import { dayAndTime, duration, phaseLook, plural } from "./text.ts";

export interface Listing {
  /** Newest first. */
  readonly runs: readonly RunHead[];
  /** Runs whose files cannot be read. */
  readonly unreadable: readonly string[];
  /** All runs there are, or all that were asked for. */
  readonly total: number;
}

/** `idOf`: the run as commands take it. */
export function renderList(
  { runs, unreadable, total }: Listing,
  idOf: (run: string) => string,
  style: Style,
): string {
  const more = total - runs.length - unreadable.length;
  const rows = runs.map((head) => row(head, idOf(head.run), style));
  const lost = unreadable.map((run) => `! ${idOf(run)}  cannot be read: orch show ${idOf(run)}`);
  const lines = [
    ...table(style, rows),
    ...lost.map((text) => paragraph(style, text, { hanging: "  " })),
    ...(more > 0 ? [paint(style, "quiet", `… and ${plural(more, "older run")}: --all`)] : []),
  ];
  return lines.length === 0 ? "no run is like that" : lines.join("\n");
}

function row(head: RunHead, id: string, style: Style): readonly string[] {
  const { mark, tone } = phaseLook(head.phase);
  const { spent } = head;
  const facts = dotted([
    progressWords(head),
    dayAndTime(head.startedAt),
    spent.elapsedMs === 0 ? null : duration(spent.elapsedMs),
    costWords(spent),
  ]);
  return [
    `${paint(style, tone, mark)} ${id}`,
    shorten(head.title, Math.max(20, Math.floor(style.columns / 3))),
    facts,
  ];
}
