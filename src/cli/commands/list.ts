// Which runs are there, and which of them are like this?

import { openHead, requireRuns } from "../../adapters/log/run-reader.ts";
import { shortener } from "../../core/model/ids.ts";
import type { RunHead } from "../../core/views/run-view.ts";
import { printResult } from "../io.ts";
import type { Command, Given } from "../options.ts";
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
function filterOf({ status }: Given): ((head: RunHead) => boolean) | null {
  if (status === undefined) return null;
  return ({ phase }) => phase === status || phase.startsWith(`${status}_`);
}
