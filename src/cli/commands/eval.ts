// How well does the decision core do on labelled records?

import { resolve } from "node:path";

import { readRecords, writeRecords } from "../../adapters/log/record-file.ts";
import { scoreOf } from "../../eval/score.ts";
import { EVAL_SETS, predict } from "../../eval/sets.ts";
import { printResult } from "../io.ts";
import { type Command, usage } from "../options.ts";
import { renderEval } from "../render/eval.ts";

export const evalCommand: Command = async ([named = "", file = ""], given, io) => {
  const set = EVAL_SETS.find((one) => one === named);
  if (set === undefined)
    throw usage(`there is no set ${JSON.stringify(named)}`, `write one of ${EVAL_SETS.join(", ")}`);
  const input = resolve(io.cwd, file);
  const output = given.predictions === undefined ? null : resolve(io.cwd, given.predictions);
  if (output === input)
    throw usage(
      "the predictions would replace the records they are made from",
      "name another file behind --predictions",
    );
  const reading = { nowMs: Date.now(), isoOf: (ms: number) => new Date(ms).toISOString() };
  const rows = readRecords(input).map((record) => {
    return { record, prediction: predict(set, record, reading) };
  });
  if (output !== null)
    writeRecords(output, rows.map(({ prediction }) => `${JSON.stringify(prediction)}\n`).join(""));
  const shown = { set, records: rows.length, score: scoreOf(set, rows) };
  printResult(io, given, shown, (style) =>
    renderEval({ ...shown, all: given.all === true }, style),
  );
  return 0;
};
