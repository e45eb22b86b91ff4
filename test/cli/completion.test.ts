import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { COMMANDS } from "../../src/cli/command-table.ts";
import { RUN } from "../support/builders.ts";
import { emptyProject, writeRun } from "../support/run-files.ts";
import { orch } from "../support/run-orch.ts";
import { paused } from "../support/stories.ts";

/** Names of files that a shell would obey, and what else a repository can hold. */
const HOSTILE = ["$(touch pwned)", "`touch pwned`", "a;touch pwned", "two words", "quo\"te's", "*"];
const UNSEEN = [
  "new\nline",
  "tab\tbed",
  "esc\u001b]0;title\u0007",
  "right\u202eleft",
  "-dash",
  "_context",
];

function project(...tasks: readonly string[]): string {
  const root = emptyProject();
  mkdirSync(join(root, "tasks"));
  for (const task of tasks) writeFileSync(join(root, "tasks", `${task}.md`), "# Task\n");
  return root;
}

async function offered(words: readonly string[], root = project(), shell = "zsh") {
  const { stdout, exitCode } = await orch(["complete", shell, "--", ...words], { cwd: root });
  expect(exitCode).toBe(0);
  const [kind, ...lines] = stdout.trimEnd().split("\n");
  return { kind, names: lines.map((line) => line.split("\t", 1)[0]), lines };
}

const LEVELS = ["0", "1", "2", "3", "4", "5"];

test.each<[string, readonly string[], readonly string[]]>([
  ["commands", ["re"], ["resume", "rescue", "replay"]],
  ["commands of which help is wanted", ["help", "li"], ["list"]],
  ["options", ["run", "--iso"], ["--isolation"]],
  ["options that were not given yet", ["list", "--all", "--s"], ["--status", "--since"]],
  ["a value behind its option", ["run", "--threshold", ""], LEVELS],
  ["a value in one word with it", ["run", "--isolation=n"], ["--isolation=none"]],
  ["agents that come with orch", ["run", "--agent", ""], ["claude-code"]],
  ["words that an argument can be", ["rescue", ""], ["list", "show", "restore"]],
  ["shells", ["completion", ""], ["bash", "zsh", "fish"]],
  ["nothing behind what is no command", ["nope", ""], []],
  ["nothing where nothing more may stand", ["list", ""], []],
  ["nothing hidden", ["mc"], []],
])("completed are %s", async (_what, words, expected) => {
  expect((await offered(words)).names).toEqual(expected);
});

test("every command and every option can be completed", async () => {
  const shown = COMMANDS.filter(({ hidden }) => hidden !== true);
  const commands = shown.map(({ usage }) => usage.replace(/ .*/, ""));
  expect((await offered([""])).names).toEqual(commands);
  for (const [at, command] of commands.entries()) {
    const { names } = await offered([command, "-"]);
    const flags = shown[at]?.options.map(([flag]) => /--[\w-]+/.exec(flag)?.[0]) ?? [];
    expect(names).toEqual([...flags, "--help"]);
  }
});

test("names of runs, of their tasks and of open questions are looked up", async () => {
  const root = project("other");
  const question = "Which\u001b[31m table\nis meant?";
  writeRun(
    root,
    paused.map((event) =>
      event.type === "question-asked"
        ? { ...event, question: { ...event.question, question } }
        : event,
    ),
  );
  expect((await offered(["resume", "k"], root)).lines).toEqual([`k3f9\t${RUN}`]);
  expect((await offered(["resume", "2026"], root)).names).toEqual([RUN]);
  expect((await offered(["show", "k"], root)).names).toEqual(["k3f9"]);
  expect((await offered(["show", "a"], root)).names).toEqual(["add-login"]);
  expect((await offered(["show", "k3f9", "01"], root)).names).toEqual(["01-schema"]);
  expect((await offered(["answer", ""], root)).lines).toEqual(["q1\tWhich table is meant?"]);
});

test("tasks are offered by name where a terminal shows it as it is, with files besides", async () => {
  const { kind, names } = await offered(["run", ""], project(...HOSTILE, ...UNSEEN));
  expect(kind).toBe("files");
  expect(new Set(names)).toEqual(new Set(HOSTILE));
});

test("no code of the repository runs for it", async () => {
  const root = project("a");
  const config = 'require("fs").writeFileSync("pwned", ""); module.exports = {};';
  writeFileSync(join(root, ".orchestrator.config.cjs"), config);
  expect((await offered(["run", "--agent", ""], root)).names).toEqual(["claude-code"]);
  expect((await offered(["run", ""], root)).names).toEqual(["a"]);
  expect(existsSync(join(root, "pwned"))).toBe(false);
});

describe("what bash inserts", () => {
  /** The words of the line as bash has them before it completes the last one, and reads them after. */
  async function inserted(word: string, names: readonly string[]): Promise<readonly string[]> {
    const root = project(...names);
    const { stdout: script } = await orch(["completion", "bash"], { cwd: root });
    const lines = [
      `orch() { "${process.execPath}" "$ORCH" "$@"; }`,
      script.replace("command orch", "orch"),
      'COMP_WORDS=(orch run "$1"); COMP_CWORD=2; quote=$2; compopt() { :; }; _orch',
      'for word in "${COMPREPLY[@]}"; do eval "set -- $quote$word$quote"; printf "%s\\0" "$@"; done',
    ];
    const quote = /^["']/.exec(word)?.[0] ?? "";
    const said = execFileSync("bash", ["--norc", "-c", lines.join("\n"), "bash", word, quote], {
      cwd: root,
      env: { PATH: process.env["PATH"], ORCH: join(import.meta.dirname, "../../dist/cli.cjs") },
      encoding: "utf8",
    });
    expect(existsSync(join(root, "pwned"))).toBe(false);
    return said.split("\0").slice(0, -1);
  }

  test.each(["", "'", '"'])("is one word, and runs nothing, behind %j", async (quote) => {
    expect(new Set(await inserted(quote, HOSTILE))).toEqual(new Set(HOSTILE));
  });

  test.each([["two\\ w"], ['"two w'], ["'two w"]])("goes on with what stands: %s", async (word) => {
    expect(await inserted(word, HOSTILE)).toEqual(["two words"]);
  });
});

test("bash replaces what stands behind its own breaks only", async () => {
  const root = project("a:b=c");
  expect((await offered(["run", "a", ":", "b"], root, "bash")).names).toEqual(["b=c"]);
  expect((await offered(["run", "--threshold", "="], root, "bash")).names).toEqual(LEVELS);
});

test("a shell that orch knows nothing for is refused", async () => {
  const { exitCode, stderr } = await orch(["completion", "tcsh"], { cwd: project() });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("name one of bash, zsh, fish")]);
});
