// How well does the decision core do on labelled records of your own?

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { evaluate } from "./evaluate.ts";
import { renderEval } from "./render.ts";
import { EVAL_SETS } from "./sets.ts";

const USAGE = `npm run bench -- eval <${EVAL_SETS.join("|")}> <file> [--predictions <file>] [--all] [--json]`;

/** The first argument is the built program, which has no part in this. */
const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: {
    /** Also write what was decided for each record. */
    predictions: { type: "string" },
    /** Every miss. */
    all: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const [named, file] = positionals;
const set = EVAL_SETS.find((one) => one === named);

try {
  if (set === undefined || file === undefined) throw new Error(USAGE);
  const input = inFolderOfCaller(file);
  const output = values.predictions === undefined ? null : inFolderOfCaller(values.predictions);
  if (output === input) throw new Error("the predictions would replace their records");
  const { evaluation, predictions } = evaluate(set, readFileSync(input, "utf8"), Date.now());
  if (output !== null)
    writeFileSync(output, predictions.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const text = values.json
    ? JSON.stringify(evaluation, null, 2)
    : renderEval({ ...evaluation, all: values.all }, { columns: 100, color: false, wraps: true });
  process.stdout.write(`${text}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}

/** npm runs its scripts in the package's folder, whatever folder it was called from. */
function inFolderOfCaller(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? process.cwd(), path);
}
