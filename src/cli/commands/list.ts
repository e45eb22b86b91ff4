// Which runs are there?

import { openHead, requireRuns } from "../../adapters/log/run-reader.ts";
import { printResult } from "../io.ts";
import type { Command } from "../options.ts";
import { renderList } from "../render/list.ts";

const LISTED = 20;

export const listCommand: Command = async (_args, given, io) => {
  const { root, runs: all } = requireRuns(io.cwd);
  const wanted = given.all === true ? all : all.slice(0, LISTED);
  const heads = await Promise.all(wanted.map((run) => openHead(root, run)));
  const runs = heads.filter((head) => head !== null);
  const unreadable = wanted.filter((_run, index) => heads[index] === null);
  const listing = { total: all.length, runs, unreadable };
  printResult(io, given, listing, (style) => renderList(listing, style));
  return 0;
};
