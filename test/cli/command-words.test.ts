import { expect, test } from "vitest";

import { COMMAND_WORDS, commandMeant } from "../../src/cli/command-words.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { runProgram } from "../../src/cli/program.ts";
import { OrchError } from "../../src/errors.ts";
import { processIo } from "../../src/cli/io.ts";

const names = COMMANDS.filter(({ hidden }) => hidden !== true).map(({ usage }) =>
  usage.replace(/ .*/, ""),
);

test("every command has its row of other words, and no word means two", () => {
  expect(Object.keys(COMMAND_WORDS).toSorted()).toEqual(names.toSorted());
  const words = [...Object.keys(COMMAND_WORDS), ...Object.values(COMMAND_WORDS).flat()];
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  expect(commandMeant("constructor")).toBeNull();
});

test.each([
  ["start", "run"],
  ["continue", "resume"],
  ["Retry", "resume"],
  ["kill", "stop"],
  ["tail", "log"],
  ["ls", "list"],
  ["ps", "status"],
  ["undo", "rescue"],
  ["statsu", "status"],
  ["tasks/a.md", 'run "tasks/a.md"'],
  ["fix the bug", 'run "fix the bug"'],
])("orch %j is told that %j was meant", async (word, command) => {
  const error: unknown = await runProgram([word], processIo()).catch((thrown: unknown) => thrown);
  expect(error instanceof OrchError && error.hint).toBe(`did you mean ${command}?`);
});
