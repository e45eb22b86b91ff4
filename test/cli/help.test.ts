import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";

import { COMMANDS } from "../../src/cli/command-line/command-table.ts";
import { runProgram } from "../../src/cli/command-line/program.ts";

/** What is printed where a window has so many columns. */
async function help(args: readonly string[], columns: number): Promise<string> {
  let output = "";
  const stdout = new PassThrough().on("data", (text: Buffer) => (output += text.toString("utf8")));
  await runProgram(args, {
    stdin: new PassThrough(),
    stdout,
    stderr: new PassThrough(),
    cwd: "/",
    env: { COLUMNS: String(columns) },
    readerGone: new AbortController().signal,
  });
  return output;
}

const COMMAND_LINES: readonly (readonly string[])[] = [
  ["--help"],
  ...COMMANDS.map(({ usage }) => [usage.split(" ", 1)[0] ?? "", "--help"]),
];

const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

describe("in a window of 79 columns", () => {
  const columns = 79;
  test.each(COMMAND_LINES)("the help of %s fits, and is broken at words only", async (...args) => {
    const [wide, narrow] = [await help(args, 110), await help(args, columns)];
    for (const line of narrow.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
    // A flag that is wider than the window is the only word that can be broken.
    const whole = words(wide).filter((word) => word.length <= columns - 6);
    expect(words(narrow)).toEqual(expect.arrayContaining([...new Set(whole)]));
  });
});

describe("help", () => {
  test.each<[readonly string[], string, string]>([
    [["help", "nope"], "nope", "`orch --help` lists the commands"],
    [["help", "--", "nope"], "nope", "`orch --help` lists the commands"],
    [["help", "statuz"], "statuz", "did you mean status?"],
  ])("for what is no command is refused like the command: %j", async (args, name, hint) => {
    await expect(help(args, 80)).rejects.toMatchObject({
      code: "usage",
      message: `unknown command '${name}'`,
      hint: expect.stringContaining(hint),
    });
  });

  test.each<[readonly (readonly string[])[], string]>([
    [[["help"], ["help", "help"]], "Usage: orch [options] [command]"],
    [[["help", "run"]], "Usage: orch run [options]"],
  ])("for %j is printed", async (lines, usage) => {
    for (const args of lines) expect(await help(args, 80)).toContain(usage);
  });
});
