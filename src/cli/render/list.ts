// Which runs are there, one line each?

import { excerpt } from "../../core/model/excerpt.ts";
import type { RunHead } from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { cells, cost, dotted, pad, paint, phaseLook, plural, shorten, wrap } from "./text.ts";

const COLUMNS_FOR_ROWS = 70;
/** "1 of 3 done · $1.26", with the mark and the gaps. */
const FACTS_COLUMNS = 27;

export interface Listing {
  /** Newest first. */
  readonly heads: readonly RunHead[];
  /** Runs whose files cannot be read. */
  readonly unreadable: readonly string[];
  /** All runs there are. */
  readonly total: number;
}

export function renderList({ heads, unreadable, total }: Listing, style: Style): string {
  const phaseColumns = Math.max(0, ...heads.map((head) => cells(phaseLook(head.phase).words)));
  const rows = heads.map((head) => row(head, phaseColumns, style));
  for (const run of unreadable)
    rows.push(wrap(`! ${run}  cannot be read`, style.columns, "", "  "));
  const more = total - heads.length - unreadable.length;
  if (more > 0)
    rows.push(paint(style, "quiet", `… and ${plural(more, "older run")}: orch list --all`));
  return rows.join("\n");
}

function row(head: RunHead, phaseColumns: number, style: Style): string {
  const look = phaseLook(head.phase);
  const tasks = Object.values(head.counts).reduce((sum, count) => sum + count, 0);
  const done = head.counts.done ?? 0;
  const facts = dotted([`${done} of ${tasks} done`, cost(head.spent)]);
  const mark = paint(style, look.tone, look.mark);
  if (style.columns < COLUMNS_FOR_ROWS) {
    const below = paint(style, "quiet", wrap(dotted([look.words, facts]), style.columns, "  "));
    return `${mark} ${shorten(head.run, style.columns - 2)}\n${below}`;
  }
  const words = paint(style, look.tone, pad(look.words, phaseColumns));
  const nameColumns = Math.max(20, Math.min(64, style.columns - phaseColumns - FACTS_COLUMNS));
  const name = pad(shorten(head.run, nameColumns), nameColumns);
  return `${mark} ${name}  ${words}  ${paint(style, "quiet", facts)}`;
}

/** What the run was asked to do, in a few words. */
export function sourceWords(head: Pick<RunHead, "source">): string {
  return head.source.kind === "words" ? excerpt(head.source.text, 100) : head.source.path;
}
