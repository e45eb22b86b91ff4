// Which runs are there?

import { openHead, requireRuns } from "../../adapters/log/run-reader.ts";
import { type CliIo, printJson, printOut, styleOf } from "../io.ts";
import { type Given, isOn } from "../options.ts";
import { jsonText } from "../render/json.ts";
import { renderList } from "../render/list.ts";

const LISTED = 20;

export async function listCommand(
  _args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const here = requireRuns(io.cwd);
  const wanted = isOn(given, "all") ? here.runs : here.runs.slice(0, LISTED);
  const heads = await Promise.all(wanted.map((run) => openHead(here.root, run)));
  const readable = heads.filter((head) => head !== null);
  const unreadable = wanted.filter((_run, index) => heads[index] === null);
  if (isOn(given, "json")) {
    printJson(io, jsonText({ total: here.runs.length, runs: readable, unreadable }));
    return 0;
  }
  printOut(
    io,
    renderList({ heads: readable, unreadable, total: here.runs.length }, styleOf(io, "stdout")),
  );
  return 0;
}
