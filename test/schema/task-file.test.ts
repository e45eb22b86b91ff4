import { describe, expect, test } from "vitest";
import { NO_TASK_SETTINGS } from "../../src/core/model/settings.ts";
import { parseTaskFile, TASK_BYTES_MAX, titleOf } from "../../src/schema/task-file.ts";
import type { TaskFile } from "../../src/schema/task-file.ts";
import { golden } from "../support/seen.ts";

function read(text: string): Omit<TaskFile, "lineOf" | "fields"> {
  const parsed = parseTaskFile(text, "t.md");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { title, body, settings } = parsed.value;
  return { title, body, settings };
}

function refusals(text: string): readonly string[] {
  const parsed = parseTaskFile(text, "t.md");
  if (parsed.ok) throw new Error("the task was accepted");
  return parsed.problems.map(
    ({ where, message, suggestion }) => `${where}: ${message} | ${suggestion}`,
  );
}

describe("a task file", () => {
  test("needs no front matter", () => {
    expect(read("# Add login\n\nMust work.\n")).toEqual({
      title: "Add login",
      body: "# Add login\n\nMust work.",
      settings: NO_TASK_SETTINGS,
    });
  });

  test("may set everything a task can set", () => {
    const text = `---
pipeline: careful
interactionThreshold: 0
agent: claude-code
model: opus
bestOf: [codex, claude-code]
gates: [test, lint]
scope: ["src/auth/**", "test/auth/**"]
dependsOn: [01-schema]
needs: [gpu, os=linux]
budget: { attempts: 5, costUsd: 10, time: 2h, tokens: null }
allow: ["checks-lost: test/legacy/**", push]
proof: nothing-broke
---
# Add login
text`;
    expect(read(text).settings).toEqual({
      pipeline: "careful",
      level: 0,
      agent: ["claude-code"],
      model: "opus",
      bestOf: ["codex", "claude-code"],
      gates: { kind: "these", gates: ["test", "lint"] },
      scope: ["src/auth/**", "test/auth/**"],
      dependsOn: ["01-schema"],
      needs: ["gpu", "os=linux"],
      limits: { attempts: 5, costUsd: 10, timeMs: 7_200_000, tokens: null },
      allow: ["checks-lost: test/legacy/**", "push"],
      enough: "nothing-broke",
    });
  });

  test("may say that nothing proves it", () => {
    expect(read("---\ngates: none\n---\nx").settings.gates).toEqual({ kind: "none" });
  });
});

describe("the title", () => {
  test.each<[string, string, string | null]>([
    ["is the first heading", "intro\n\n## Second level first\n# Later", "Second level first"],
    ["loses closing marks", "# Add login ##", "Add login"],
    ["is never a comment in code", "```sh\n# not this\n```\n# This", "This"],
    ["is never a comment in a longer fence", "````\n```\n# not this\n````\n# This", "This"],
    ["is the first line where there is no heading", "\n\n  Make it fast.\nmore", "Make it fast."],
    ["is not a hashtag", "#tag is no heading", "#tag is no heading"],
    ["is not a line of dashes", "----\n\nWords", "Words"],
    ["is none where there are no words", "----\n", null],
    ["cannot move the cursor", "# a\u001b[2Jb", "ab"],
  ])("%s", (_name, body, title) => {
    expect(titleOf(body)).toBe(title);
  });

  test("is cut where it is long", () => {
    expect(titleOf(`# ${"x".repeat(500)}`)?.length).toBe(200);
  });
});

describe("a mistake in a task file is named with its line", () => {
  const mistakes: readonly (readonly [what: string, yaml: string])[] = [
    ["a misspelt key", "interactionThreshhold: 2"],
    ["a misspelt key further down", "model: opus\nbudget:\n  time: 2h\n  atempts: 3"],
    ["one gate without brackets", "gates: test"],
    ["a dependency that YAML takes for a number", "model: m\ndependsOn:\n  - x\n  - 01"],
    ["a scope that leaves the tree", 'scope: ["../**"]'],
    ["a scope that excludes", 'scope: ["!src/**"]'],
    ["an exception of no known kind", 'allow: ["checks-last: x"]'],
    ["an exception for files outside", 'allow: ["checks-lost: ../x"]'],
    ["not a number", "budget: { costUsd: .nan }"],
    ["a run's limits in a task", "budget: { run: { costUsd: 1 } }"],
    ["a prototype", "__proto__: { x: 1 }"],
  ];

  test("in the words of the golden file", async () => {
    const named = mistakes.map(([what, yaml]) =>
      [what, ...refusals(`---\n${yaml}\n---\ntext`)].join("\n  "),
    );
    await expect(`${named.join("\n")}\n`).toMatchFileSnapshot(golden("task-mistakes"));
  });

  test("and all of them at once", () => {
    expect(refusals("---\nx: 1\ninteractionThreshold: 9\ngates: 3\n---\ntext").length).toBe(3);
  });
});

describe("a task file is refused", () => {
  test.each<[string, string, string]>([
    ["without a word in it", "---\nmodel: opus\n---\n \n", "t.md: the task has no text"],
    ["when it is empty", "", "t.md: the task has no text"],
    ["when it is binary", "PNG\0\0", "t.md: expected Markdown, found binary content"],
    ["when it is 10 MB", "x".repeat(10_000_000), "bytes long"],
  ])("%s", (_name, text, message) => {
    expect(refusals(text)[0]).toContain(message);
  });

  test("a heading of spaces is none, and is read in no time", () => {
    expect(titleOf(`# ${" ".repeat(200_000)}\u00a0x\ntext`)).toBe("x");
    expect(titleOf(`# ${" ".repeat(200_000)}\ntext`)).toBe("text");
    expect(titleOf(`# Add ${"#".repeat(9)}\n`)).toBe("Add");
  });

  test("one byte above the limit, and read at the limit", () => {
    expect(read("x".repeat(TASK_BYTES_MAX)).body.length).toBe(TASK_BYTES_MAX);
    expect(refusals("x".repeat(TASK_BYTES_MAX + 1)).length).toBe(1);
  });
});
