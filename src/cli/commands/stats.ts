// What do the runs of the last days say together?

import { readRecords } from "../../adapters/log/run-index.ts";
import { requireRuns } from "../../adapters/log/run-reader.ts";
import { parseDuration } from "../../core/model/duration.ts";
import { GROUPS, statsOf } from "../../core/views/stats.ts";
import { type Command, usage } from "../command-line/options.ts";
import { printResult } from "../io.ts";
import { facts, paint, table } from "../layout.ts";
import { statsFacts, statsHeading, statsRows } from "../render/stats.ts";

const DAY_MS = 86_400_000;

export const statsCommand: Command = async (_args, given, io) => {
  const here = requireRuns(io.cwd);
  const written = given.since ?? "30d";
  const by = GROUPS.find((one) => one === given.by) ?? null;
  const stats = statsOf(await readRecords(here, Date.now() - sinceMs(written)), by);
  const since = written === "all" ? "of all time" : `of the last ${written}`;
  printResult(io, given, { since: written, by, ...stats }, (style) =>
    [
      paint(style, "strong", `${since}: ${statsHeading(stats)}`),
      ...facts(style, stats.runs === 0 ? [] : statsFacts(stats)),
      ...(by === null ? [] : ["", ...table(style, statsRows(stats))]),
    ].join("\n"),
  );
  return 0;
};

/** How long ago that is; "all": since time began. */
export function sinceMs(written: string): number {
  if (written === "all") return Date.now();
  const days = /^(\d{1,5})d$/.exec(written)?.[1];
  const ms = days === undefined ? parseDuration(written) : Number(days) * DAY_MS;
  if (ms !== null && ms > 0) return ms;
  throw usage(`--since is ${JSON.stringify(written)}`, "say how long ago, like 7d or 12h, or all");
}
