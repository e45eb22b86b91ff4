// Which runs are there, and which of them are like this?

import { openHead, requireRuns } from "../../adapters/log/run-reader.ts";
import { shortener } from "../../core/model/ids.ts";
import type { RunHead } from "../../core/views/run-view.ts";
import { DURATION_WORDS, parseDuration } from "../../schema/duration.ts";
import { printResult } from "../io.ts";
import { type Command, type Given, usage } from "../options.ts";
import { renderList } from "../render/list.ts";

const LISTED = 20;

export const listCommand: Command = async (_args, given, io) => {
  const { root, runs: all } = requireRuns(io.cwd);
  const isMeant = filterOf(given);
  const isFew = isMeant === null && given.all !== true;
  const wanted = isFew ? all.slice(0, LISTED) : all;
  const heads = await Promise.all(wanted.map((run) => openHead(root, run)));
  const found = heads.filter((head) => head !== null && (isMeant?.(head) ?? true));
  const runs = found.filter((head) => head !== null);
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
function filterOf({ status, since }: Given): ((head: RunHead) => boolean) | null {
  const sinceMs = since === undefined ? null : momentOf(since);
  if (status === undefined && sinceMs === null) return null;
  const isLike = ({ phase }: RunHead): boolean =>
    status === undefined || phase === status || phase.startsWith(`${status}_`);
  return (head) => isLike(head) && Date.parse(head.startedAt) >= (sinceMs ?? 0);
}

const DAY_MS = 86_400_000;

/** So long ago, or a date, with a time or without; both are those of the machine's zone. */
function momentOf(text: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  const ago = days === undefined ? parseDuration(text) : Number(days) * DAY_MS;
  if (ago !== null) return Date.now() - ago;
  const [, day, time = "00:00"] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}))?$/.exec(text) ?? [];
  const moment = Date.parse(`${day ?? ""}T${time}`);
  if (!Number.isNaN(moment)) return moment;
  throw usage(
    `--since takes a time or a date, not ${JSON.stringify(text)}`,
    `write ${DURATION_WORDS}, or a date like "2026-11-20" or "2026-11-20 18:00"`,
  );
}
