import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";

import { createPreparedAnswers } from "../../src/adapters/people/prepared-answers.ts";
import { idOf, type QuestionId } from "../../src/core/model/ids.ts";
import { OrchError } from "../../src/errors.ts";
import { question } from "../support/builders.ts";
import { privateFolder } from "../support/private-folder.ts";
import { testProgram } from "../support/run-orch.ts";

const asked = question();
const second = question({ id: idOf<QuestionId>("q2") });
const port = question({ id: idOf<QuestionId>("q3"), question: "Which port?", options: [] });
const NEVER = new AbortController().signal;

function source(named: string, cwd: string) {
  const told: string[] = [];
  const stdin = new PassThrough();
  const answers = createPreparedAnswers(named, {
    cwd,
    stdin,
    onProblem: (line) => told.push(line),
  });
  return { answers, stdin, told };
}

function fromFile(content: string) {
  const cwd = privateFolder();
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

  test("is closed from the beginning: nothing more will come", async () => {
    const { answers } = fromFile("{}");
    expect(answers.isOpen()).toBe(false);
    await answers.changed(NEVER);
    answers.stop();
  });

  test("may be reached through a link, and be as large as a mebibyte", () => {
    const cwd = privateFolder();
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
      "is a folder, and must be a file",
    ],
    ["is a pipe", (cwd) => execFileSync("mkfifo", [join(cwd, "answers.json")]), "must be a file"],
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
    const cwd = privateFolder();
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

const LEFT = '{"question":"*store*","text":"left"}';

describe("answers on standard input", () => {
  test("count from the moment their line is whole, however it arrives", async () => {
    const { answers, stdin } = source("-", "/");
    expect(answers.take(asked)).toBeNull();
    const changed = answers.changed(NEVER);
    for (const byte of Buffer.from('{"id":"q1","text":"läßt sich 🙂"}\n'))
      stdin.write(Buffer.of(byte));
    await changed;
    expect(answers.take(asked)).toEqual({
      action: "answer",
      text: "läßt sich 🙂",
      by: "standard input",
    });
    expect(answers.take(asked)).toBeNull();
  });

  test("need no newline at the end, and then the source is closed", async () => {
    const { answers, stdin } = source("-", "/");
    stdin.end(`\r\n\n${LEFT}`);
    await expect.poll(() => answers.isOpen()).toBe(false);
    await answers.changed(NEVER);
    expect(answers.take(asked)?.text).toBe("left");
  });

  test("that nobody can read are told and passed over", async () => {
    const { answers, stdin, told } = source("-", "/");
    stdin.end(`yes\n{"id":"q1"}\n${"x".repeat(64 * 1024 + 1)}\n\u001b[2J\n${LEFT}\n`);
    await expect.poll(() => answers.isOpen()).toBe(false);
    expect(answers.take(asked)?.text).toBe("left");
    expect(told.map((line) => line.split(": ")[0])).toEqual([
      "standard input, line 1",
      "standard input, line 2",
      "standard input, line 3",
      "standard input, line 4",
    ]);
    expect(told[2]).toContain("longer than 65536 bytes");
    expect(told.join("")).not.toContain("\u001b");
  });

  test("may be a line of 64 KiB", async () => {
    const { answers, stdin, told } = source("-", "/");
    stdin.end(`${LEFT}${" ".repeat(64 * 1024 - LEFT.length)}\n`);
    await expect.poll(() => answers.isOpen()).toBe(false);
    expect([answers.take(asked)?.text, told]).toEqual(["left", []]);
  });

  test("end with an error of the stream, and the run goes on", async () => {
    const { answers, stdin, told } = source("-", "/");
    const changed = answers.changed(NEVER);
    stdin.destroy(new Error("read EIO"));
    await changed;
    expect([answers.isOpen(), told]).toEqual([false, ["standard input: read EIO"]]);
  });

  test("are not waited for after an abort", async () => {
    const { answers } = source("-", "/");
    const over = new AbortController();
    const changed = answers.changed(over.signal);
    over.abort();
    await changed;
    await answers.changed(over.signal);
    expect(answers.isOpen()).toBe(true);
  });

  test("that came since the last look are not slept through", async () => {
    const { answers, stdin } = source("-", "/");
    expect(answers.take(asked)).toBeNull();
    const changed = answers.changed(NEVER);
    stdin.write(`${LEFT}\n`);
    await changed;
    await answers.changed(NEVER);
    expect(answers.take(asked)?.text).toBe("left");
  });

  test("do not keep the process once they are stopped", async () => {
    const program = testProgram("prepared-entry");
    const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stdin.write(`${LEFT}\n`);
    const exitCode = await new Promise((resolve) => child.on("close", resolve));
    expect([exitCode, out]).toEqual([0, "left"]);
  });
});
