// Which runs are there, and which of them are like this?

import { openHead, requireRuns } from "../../adapters/log/run-reader.ts";
import { shortener } from "../../core/model/ids.ts";
import type { RunHead } from "../../core/views/run-view.ts";
import { printResult, type Style } from "../io.ts";
import { dotted, paint, paragraph, shorten, table } from "../layout.ts";
import type { Command, Given } from "../command-line/options.ts";
import { costWords, progressWords } from "../render/facts.ts";
import { dayAndTime, duration, phaseLook, plural } from "../render/text.ts";

const LISTED = 20;

export const listCommand: Command = async (_args, given, io) => {
  const { root, runs: all } = requireRuns(io.cwd);
  const isMeant = filterOf(given);
  const isFew = isMeant === null && given.all !== true;
  const wanted = isFew ? all.slice(0, LISTED) : all;
  const heads = await Promise.all(wanted.map((run) => openHead(root, run)));
  const matching = heads.filter((head) => head !== null && (isMeant?.(head) ?? true));
  const runs = matching.filter((head) => head !== null);
  const lost = wanted.filter((_run, index) => heads[index] === null);
  // Nobody can say whether a run that cannot be read is one of those.
  const unreadable = isMeant === null ? lost : [];
  const shown = given.all === true ? runs : runs.slice(0, LISTED);
  const total = isMeant === null ? all.length : runs.length;
  const listing = { total, runs: shown, unreadable };
  printResult(io, given, listing, (style) => renderList(listing, shortener(all), style));
  return 0;
};

/** null: all of them are meant. */
function filterOf({ status }: Given): ((head: RunHead) => boolean) | null {
  if (status === undefined) return null;
  return ({ phase }) => phase === status || phase.startsWith(`${status}_`);
}

interface Listing {
  /** Newest first. */
  readonly runs: readonly RunHead[];
  /** Runs whose files cannot be read. */
  readonly unreadable: readonly string[];
  /** All runs there are, or all that were asked for. */
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
