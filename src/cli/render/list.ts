// Which runs are there, one row each?

import { excerpt } from "../../core/model/excerpt.ts";
import type { RunHead } from "../../core/views/run-view.ts";
import type { Style } from "../io.ts";
import { dotted, paint, paragraph, shorten, table } from "../layout.ts";
import { cost, phaseLook, plural } from "./text.ts";

const NAME_COLUMNS_MAX = 44;
const COLUMNS_FOR_ROWS = 70;
/** "waiting for input  1 of 3 done · $1.26", with the gaps. */
const FACTS_COLUMNS = 42;

export interface Listing {
  /** Newest first. */
  readonly runs: readonly RunHead[];
  /** Runs whose files cannot be read. */
  readonly unreadable: readonly string[];
  /** All runs there are. */
  readonly total: number;
}

export function renderList({ runs, unreadable, total }: Listing, style: Style): string {
  const more = total - runs.length - unreadable.length;
  return [
    ...table(
      style,
      runs.map((head) => row(head, style)),
    ),
    ...unreadable.map((run) => paragraph(style, `! ${run}  cannot be read`, { hanging: "  " })),
    ...(more > 0
      ? [paint(style, "quiet", `… and ${plural(more, "older run")}: orch list --all`)]
      : []),
  ].join("\n");
}

function row(head: RunHead, style: Style): readonly string[] {
  const look = phaseLook(head.phase);
  const tasks = Object.values(head.counts).reduce((sum, count) => sum + count, 0);
  const room = style.columns < COLUMNS_FOR_ROWS ? style.columns : style.columns - FACTS_COLUMNS;
  const name = shorten(head.run, Math.min(NAME_COLUMNS_MAX, room - 2));
  return [
    `${paint(style, look.tone, look.mark)} ${name}`,
    paint(style, look.tone, look.words),
    dotted([`${head.counts.done ?? 0} of ${tasks} done`, cost(head.spent)]),
  ];
}

/** What the run was asked to do, in a few words. */
export function sourceWords(head: Pick<RunHead, "source">): string {
  const { source } = head;
  if (source.kind === "words") return excerpt(source.text, WORDS_MAX);
  return source.kind === "files" ? excerpt(source.names.join(", "), WORDS_MAX) : source.path;
}

const WORDS_MAX = 100;
