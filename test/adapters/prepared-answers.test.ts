import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

import { createPreparedAnswers } from "../../src/adapters/people/prepared-answers.ts";
import { idOf, type QuestionId } from "../../src/core/model/ids.ts";
import { OrchError } from "../../src/errors.ts";
import { question } from "../support/builders.ts";

const asked = question();
const second = question({ id: idOf<QuestionId>("q2") });
const port = question({ id: idOf<QuestionId>("q3"), question: "Which port?", options: [] });

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "orch-answers-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function source(named: string, cwd: string) {
  const told: string[] = [];
  const answers = createPreparedAnswers(named, cwd, (line) => void told.push(line));
  return { answers, told };
}

function fromFile(content: string) {
  const cwd = folder();
  writeFileSync(join(cwd, "answers.json"), content);
  return source("answers.json", cwd);
}

describe("a file of answers", () => {
  test("answers what it has words for, as often as it is asked", () => {
    const { answers } = fromFile('{ "which session store*": "2" }');
    const taken = { action: "answer", text: "memory", by: "answers file" };
    expect([answers.take(asked), answers.take(second), answers.take(port)]).toEqual([
      taken,
      taken,
      null,
    ]);
  });

  test("answers by id once, and by the first entry that fits", () => {
    const entries = [
      { id: "q1", text: "first" },
      { question: "*store*", text: "second" },
      { question: "*", text: "third" },
    ];
    const { answers } = fromFile(JSON.stringify(entries));
    const texts = [asked, asked, second, port].map((one) => answers.take(one)?.text);
    expect(texts).toEqual(["first", "second", "second", "third"]);
  });

  test("says once what does not fit, and goes on with the next entry", () => {
    const { answers, told } = fromFile(
      JSON.stringify([
        { question: "*", option: 7 },
        { question: "*", text: "redis" },
      ]),
    );
    expect([answers.take(asked)?.text, answers.take(asked)?.text]).toEqual(["redis", "redis"]);
    expect(told).toEqual([
      "answers.json, entry 1, does not answer q1: there is no option 7: choose 1 to 2",
    ]);
  });

  test("may be reached through a link, and be as large as a mebibyte", () => {
    const cwd = folder();
    const full = `{ "*": "1" }${" ".repeat(1024 * 1024 - 12)}`;
    writeFileSync(join(cwd, "real.json"), full);
    symlinkSync("real.json", join(cwd, "answers.json"));
    expect(source("answers.json", cwd).answers.take(asked)?.text).toBe("redis");
    expect(() => fromFile(`${full} `)).toThrow(OrchError);
  });

  test.each<[string, (cwd: string) => void, string]>([
    ["is not there", () => {}, "does not exist"],
    [
      "is a folder",
      (cwd) => mkdirSync(join(cwd, "answers.json")),
      "is expected to be a file, and is a folder",
    ],
    [
      "is a pipe",
      (cwd) => execFileSync("mkfifo", [join(cwd, "answers.json")]),
      "is expected to be a file",
    ],
    [
      "is broken",
      (cwd) => writeFileSync(join(cwd, "answers.json"), '{\n"a": }'),
      "answers.json: not valid JSON",
    ],
    [
      "has a wrong entry",
      (cwd) => writeFileSync(join(cwd, "answers.json"), '[{"id":"q1","text":"x"},{"txt":"x"}]'),
      'answers.json: entry 2: unknown key "txt"',
    ],
  ])("that %s is refused before anything starts", (_name, make, message) => {
    const cwd = folder();
    make(cwd);
    expect(() => source("answers.json", cwd)).toThrow(
      expect.objectContaining({
        name: "OrchError",
        code: "answer-invalid",
        message: expect.stringContaining(message),
      }),
    );
  });
});
