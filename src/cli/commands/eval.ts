// How well does the decision core do on labelled records?

import { resolve } from "node:path";

import { readRecords, writeRecords } from "../../adapters/log/record-file.ts";
import { scoreOf } from "../../eval/score.ts";
import { EVAL_SETS, predict } from "../../eval/sets.ts";
import type { EvalSet, Reading } from "../../eval/sets.ts";
import { OrchError } from "../../errors.ts";
import { printJson, printOut, styleOf } from "../io.ts";
import type { CliIo } from "../io.ts";
import { type Given, isOn, textGiven } from "../options.ts";
import { renderEval } from "../render/eval.ts";
import { jsonText } from "../render/json.ts";

export async function evalCommand(
  args: readonly string[],
  given: Given,
  io: CliIo,
): Promise<number> {
  const [named = "", file = ""] = args;
  const set = setNamed(named);
  const predictions = textGiven(given, "predictions");
  if (predictions !== null && resolve(io.cwd, predictions) === resolve(io.cwd, file))
    throw new OrchError(
      "usage",
      "the predictions would replace the records they are made from",
      "name another file behind --predictions",
    );
  const reading: Reading = { nowMs: Date.now(), isoOf: (ms) => new Date(ms).toISOString() };
  const records = readRecords(resolve(io.cwd, file));
  const rows = records.map((record) => ({ record, prediction: predict(set, record, reading) }));
  if (predictions !== null) {
    const lines = rows.map(({ prediction }) => `${JSON.stringify(prediction)}\n`);
    writeRecords(resolve(io.cwd, predictions), lines.join(""));
  }
  const score = scoreOf(set, rows);
  if (isOn(given, "json")) printJson(io, jsonText({ set, records: rows.length, score }));
  else
    printOut(
      io,
      renderEval(
        { set, records: rows.length, score, all: isOn(given, "all") },
        styleOf(io, "stdout"),
      ),
    );
  return 0;
}

function setNamed(name: string): EvalSet {
  const set = EVAL_SETS.find((one) => one === name);
  if (set !== undefined) return set;
  throw new OrchError(
    "usage",
    `there is no set ${JSON.stringify(name)}`,
    `write one of ${EVAL_SETS.join(", ")}`,
  );
}
