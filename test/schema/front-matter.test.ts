import { describe, expect, test } from "vitest";
import { parseFrontMatter } from "../../src/schema/task-file.ts";

function read(text: string): { fields: unknown; body: string } {
  const parsed = parseFrontMatter(text, "t.md");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { fields: parsed.value.fields, body: parsed.value.body };
}

function refusal(text: string): { where: string; message: string; suggestion: string | null } {
  const parsed = parseFrontMatter(text, "t.md");
  if (parsed.ok) throw new Error(`accepted: ${JSON.stringify(parsed.value.fields).slice(0, 200)}`);
  const [first] = parsed.problems;
  if (first === undefined) throw new Error("refused without a problem");
  return first;
}

describe("front matter", () => {
  test.each<[string, string, unknown, string]>([
    ["is optional", "# Title\ntext", {}, "# Title\ntext"],
    ["ends where its line does", "---\na: 1\n---\nbody\n---\nmore", { a: 1 }, "body\n---\nmore"],
    ["may be empty", "---\n---\nbody", {}, "body"],
    ["may hold comments only", "---\n# a: 1\n---\nbody", {}, "body"],
    ["may come with Windows line ends", "---\r\na: 1\r\n---\r\nbody\r\n", { a: 1 }, "body\n"],
    ["may follow a byte order mark", "\uFEFF---\na: 1\n---\nbody", { a: 1 }, "body"],
    ["may end the file", "---\na: 1\n---", { a: 1 }, ""],
    [
      "keeps durations and dates as text",
      "---\nt: 2h\nd: 2026-01-01\n---\n",
      { t: "2h", d: "2026-01-01" },
      "",
    ],
    ["is not a rule further down", "text\n---\na: 1\n---\n", {}, "text\n---\na: 1\n---\n"],
  ])("%s", (_name, text, fields, body) => {
    expect(read(text)).toEqual({ fields, body });
  });

  test.each<[string, string, string, string]>([
    ["without an end", "---\na: 1\nbody", "t.md:1", "no closing line"],
    ["with a tab", "---\na:\n\tb: 1\n---\n", "t.md:3", "Tabs are not allowed"],
    ["with a key twice", "---\na: 1\nb: 2\na: 3\n---\n", "t.md:4", "Map keys must be unique"],
    ["with an open bracket", "---\na: 1\nb: [x\n---\n", "t.md:3", "not valid YAML"],
    ["that is a list", "---\n- a\n---\n", "t.md:2", 'expected lines like "key: value"'],
    ["that is a sentence", "---\nhello there\n---\n", "t.md:2", 'expected lines like "key: value"'],
  ])("%s names its line", (_name, text, where, message) => {
    const problem = refusal(text);
    expect(problem.where).toBe(where);
    expect(problem.message).toContain(message);
  });

  test.each<[string, string]>([
    ["a bomb of aliases", `---\na: &a [x,x]\n${bomb()}---\n`],
    ["10 MB", `---\na: ${"x".repeat(10_000_000)}\n---\n`],
  ])("refuses %s", (_name, text) => {
    expect(refusal(text).where).toMatch(/^t\.md:\d+$/);
  });

  test("is not brought down by depth", () => {
    const deep = `---\na: ${"[".repeat(5_000)}${"]".repeat(5_000)}\n---\n`;
    expect([true, false]).toContain(parseFrontMatter(deep, "t.md").ok);
  });

  test("runs no tag", () => {
    expect(read("---\na: !!js/function 'function(){}'\n---\n").fields).toEqual({
      a: "function(){}",
    });
  });
});

function bomb(): string {
  return Array.from("bcdefghij", (name, index) => {
    const before = "abcdefghij"[index];
    return `${name}: &${name} [*${before},*${before},*${before},*${before}]\n`;
  }).join("");
}
