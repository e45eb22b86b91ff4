// How is the decision core measured from the command line?

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { smallProject } from "../support/small-project.ts";

const PAIRS = [
  { id: "p1", a: "Error: no such file: a.txt", b: "Error: no such file: a.txt", same: true },
  { id: "p2", a: "Error: no such file: a.txt", b: "Error: no such file: b.txt", same: false },
  { id: "p3", a: "Error: no such file: a.txt", b: "Error: no such file: c.txt", same: true },
];
const lines = (records: readonly unknown[]) =>
  records.map((r) => `${JSON.stringify(r)}\n`).join("");
const project = (text: string) => smallProject({ files: { "records.jsonl": text } });

test("the figures, each label and each miss are shown", async () => {
  const { stdout, exitCode } = await project(lines(PAIRS)).inProcess([
    "eval",
    "error_pairs",
    "records.jsonl",
  ]);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`error_pairs: 3 records

same error, F1               66.7 %  of 3
same error, F1, uncontested  66.7 %  of 3
different errors merged       0.0 %  of 1  (lower is better)

           precision   recall
same         100.0 %   50.0 %  of 2
different     50.0 %  100.0 %  of 1

1 miss
  p3
    wanted same
    found different
`);
});

test("predictions are written in the form of scorers, whatever is to be compared with", async () => {
  const box = project(lines(PAIRS.map(({ id, a, b }) => ({ id, a, b }))));
  const { stdout } = await box.inProcess([
    "eval",
    "error_pairs",
    "records.jsonl",
    "--predictions",
    "out.jsonl",
  ]);
  expect(stdout).toContain("The records carry no labels");
  expect(readFileSync(join(box.root, "out.jsonl"), "utf8")).toBe(
    lines([
      { id: "p1", same: true },
      { id: "p2", same: false },
      { id: "p3", same: false },
    ]),
  );
});

test("predictions may go to what is no file", async () => {
  const args = ["eval", "error_pairs", "records.jsonl", "--predictions", "/dev/null", "--json"];
  const { stdout, exitCode } = await project(lines(PAIRS)).inProcess(args);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ set: "error_pairs", records: 3 });
});

test.each([
  [
    "a set there is not",
    ["eval", "errors", "records.jsonl"],
    "blockers, histories, error_pairs, closings",
  ],
  ["a file there is not", ["eval", "blockers", "none.jsonl"], "there is no such file"],
  [
    "predictions into the records",
    ["eval", "error_pairs", "records.jsonl", "--predictions", "./records.jsonl"],
    "would replace",
  ],
  ["a line that is no JSON", ["eval", "blockers", "task.md"], "line 1 of"],
  [
    "predictions into nowhere",
    ["eval", "error_pairs", "records.jsonl", "--predictions", "no/where"],
    "name a file in a folder that is there",
  ],
])("%s is told in two lines", async (_name, args, words) => {
  const { stderr, exitCode } = await project(lines(PAIRS)).inProcess(args);
  expect(exitCode).toBe(2);
  expect(stderr.trimEnd().split("\n")).toHaveLength(2);
  expect(stderr).toContain(words);
});
