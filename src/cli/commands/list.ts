// Which runs are there?

import { openHead, requireRuns } from "../../adapters/log/run-reader.ts";
import { shortener } from "../../core/model/ids.ts";
import type { RunHead } from "../../core/views/run-view.ts";
import { printResult, type Style } from "../io.ts";
import { dotted, hanging, paint, shorten, table } from "../layout.ts";
import type { Command } from "../command-line/options.ts";
import { costWords, dayAndTime, duration, phaseLook, plural } from "../render/text.ts";
import { progressWords } from "../render/text.ts";

const LISTED = 20;

export const listCommand: Command = async (_args, given, io) => {
  const { root, runs: all } = requireRuns(io.cwd);
  const wanted = given.all === true ? all : all.slice(0, LISTED);
  const heads = await Promise.all(wanted.map((run) => openHead(root, run)));
  const runs = heads.filter((head) => head !== null);
  const unreadable = wanted.filter((_run, index) => heads[index] === null);
  const idOf = shortener(all);
  const more = all.length - wanted.length;
  printResult(io, given, { total: all.length, runs, unreadable }, (style) =>
    [
      ...table(
        style,
        runs.map((head) => row(head, idOf(head.run), style)),
      ),
      ...unreadable.map((run) =>
        hanging(style, `! ${idOf(run)}  cannot be read: orch show ${idOf(run)}`),
      ),
      ...(more > 0 ? [paint(style, "quiet", `… and ${plural(more, "older run")}: --all`)] : []),
    ].join("\n"),
  );
  return 0;
};

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
