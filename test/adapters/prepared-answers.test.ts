import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { createPreparedAnswers } from "../../src/adapters/people/prepared-answers.ts";
import type { Question } from "../../src/core/model/question.ts";
import { question } from "../support/builders.ts";
import { privateFolder } from "../support/private-folder.ts";

const NO_OPTIONS = { options: [], default: null } as const;
const asked = question();
const port = question({ question: "Which port?", ...NO_OPTIONS });
const guidance = question({ kind: "guidance", ...NO_OPTIONS });
const plan = question({ kind: "plan", ...NO_OPTIONS });
const cost = { limit: "cost", used: 10, most: 10, more: 5 } as const;
const budget = question({ kind: "budget", ...NO_OPTIONS, budget: cost });

function answersIn(content: string) {
  const cwd = privateFolder();
  writeFileSync(join(cwd, "answers.json"), content);
  const notices: string[] = [];
  const source = createPreparedAnswers("answers.json", cwd, (line) => notices.push(line));
  return { notices, source };
}

describe("an answer given in advance", () => {
  test.each<[string, Record<string, string>, Question, readonly [string, string]]>([
    [
      "is for its words",
      { "which  SESSION store should be used…": "memory" },
      asked,
      ["answer", "memory"],
    ],
    ["is read as if typed", { question: "2" }, asked, ["answer", "memory"]],
    ["takes the default where it is empty", { question: "" }, asked, ["answer", "redis"]],
    ["may be for a kind of question", { plan: "accept" }, plan, ["accept", ""]],
    [
      "is for the words before the kind",
      { question: "1", "Which port?": "2" },
      port,
      ["answer", "2"],
    ],
    ["may be one word of guidance", { guidance: "postgres" }, guidance, ["guidance", "postgres"]],
    ["extends a limit", { budget: "$5" }, budget, ["extend", "$5"]],
  ])("%s", (_name, answers, one, [action, text]) => {
    const { source } = answersIn(JSON.stringify(answers));
    expect(source(one)).toEqual({ action, text, by: "answers file" });
    expect(source(one)).not.toBeNull();
  });

  test("is for no other question, and stars stand for themselves", () => {
    const { source, notices } = answersIn('{ "Which port": "1", "*": "2", "plan": "accept" }');
    expect([source(asked), notices]).toEqual([null, []]);
  });

  test.each<[string, Record<string, string>, Question]>([
    ["there is no default", { guidance: "" }, guidance],
    ["there is no such option", { question: "7" }, asked],
    ["its words are missing", { plan: "amend" }, plan],
  ])("that does not fit because %s is told once", (_name, answers, one) => {
    const { source, notices } = answersIn(JSON.stringify(answers));
    expect([source(one), source(one)]).toEqual([null, null]);
    expect(notices).toEqual([expect.stringMatching(/^answers\.json does not answer q1: /)]);
  });
});

describe("a file of answers", () => {
  test.each<[string, (path: string) => void, string]>([
    ["is not there", () => {}, "does not exist"],
    ["is a folder", (path) => mkdirSync(path), "is a folder, and must be a file"],
    ["is a pipe", (path) => execFileSync("mkfifo", [path]), "must be a file"],
    ["is no table", (path) => writeFileSync(path, "[]"), "expected a table"],
  ])("that %s is refused before anything starts", (_name, make, message) => {
    const cwd = privateFolder();
    make(join(cwd, "answers.json"));
    expect(() => createPreparedAnswers("answers.json", cwd, () => {})).toThrow(
      expect.objectContaining({
        code: "answer-invalid",
        message: expect.stringContaining(message),
      }),
    );
  });
});
