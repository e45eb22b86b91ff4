// Which runs are there?

import { openHead, requireRuns } from "../../adapters/log/run-reader.ts";
import { shortener } from "../../core/model/ids.ts";
import type { RunHead } from "../../core/views/run-view.ts";
import { printResult, type Style } from "../io.ts";
import { dotted, paint, paragraph, shorten, table } from "../layout.ts";
import type { Command } from "../command-line/options.ts";
import { costWords, progressWords } from "../render/facts.ts";
import { dayAndTime, duration, phaseLook, plural } from "../render/text.ts";

const LISTED = 20;

export const listCommand: Command = async (_args, given, io) => {
  const { root, runs: all } = requireRuns(io.cwd);
  const wanted = given.all === true ? all : all.slice(0, LISTED);
  const heads = await Promise.all(wanted.map((run) => openHead(root, run)));
  const runs = heads.filter((head) => head !== null);
  const unreadable = wanted.filter((_run, index) => heads[index] === null);
  const listing = { total: all.length, runs, unreadable };
  printResult(io, given, listing, (style) => renderList(listing, shortener(all), style));
  return 0;
};

interface Listing {
  /** Newest first. */
  readonly runs: readonly RunHead[];
  /** Runs whose files cannot be read. */
  readonly unreadable: readonly string[];
  /** All runs there are. */
  readonly total: number;
}

/** `idOf`: the run as commands take it. */
function renderList(
  { runs, unreadable, total }: Listing,
  idOf: (run: string) => string,
  style: Style,
): string {
  const more = total - runs.length - unreadable.length;
  const rows = runs.map((head) => row(head, idOf(head.run), style));
  const lost = unreadable.map((run) => `! ${idOf(run)}  cannot be read: orch show ${idOf(run)}`);
  return [
    ...table(style, rows),
    ...lost.map((text) => paragraph(style, text, { hanging: "  " })),
    ...(more > 0 ? [paint(style, "quiet", `… and ${plural(more, "older run")}: --all`)] : []),
  ].join("\n");
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
