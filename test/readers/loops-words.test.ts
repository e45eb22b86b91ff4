import { describe, expect, test } from "vitest";

import { detectLoop } from "../../src/readers/loops/detect-loop.ts";
import type { Step } from "../../src/readers/loops/step.ts";

const ruleOf = (steps: readonly Step[]) => detectLoop(steps, "headless")?.rule ?? null;
const said = (text: string) => ruleOf([{ kind: "message", text }]);
/** As a stream brings it: cut after every `size` characters, and not complete. */
const streamed = (text: string, size: number): readonly Step[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, at) => ({
    kind: "text",
    text: text.slice(at * size, (at + 1) * size),
  }));

const SENTENCE = "I will look at the parser once more. ";
const LONG = Array.from({ length: 20 }, (_, n) => `This is sentence ${n} of mine.`).join(" ");
const WORKED: Step = { kind: "tool", tool: "Edit", args: "{}", result: null };

describe("one passage again and again", () => {
  test.each([
    ["a sentence, seven times", SENTENCE.repeat(7), null],
    ["a sentence, eight times", SENTENCE.repeat(8), "chanting"],
    ["on lines of its own", `${SENTENCE}\n`.repeat(8), "chanting"],
    ["after other words", `Now it is clear. ${SENTENCE.repeat(8)}`, "chanting"],
    ["before other words", `${SENTENCE.repeat(9)}${"That was my plan. ".repeat(3)}`, "chanting"],
    ["two sentences in turn", "Wait, it is wrong. Let me see again now. ".repeat(8), "chanting"],
    ["without a full stop", "let me check the log and then ".repeat(9), "chanting"],
    ["without spaces", "我需要再检查一次配置文件。".repeat(9), "chanting"],
    [
      "a long paragraph",
      `${"One thing leads to the other, as ever. ".repeat(2)}So it goes.\n\n`.repeat(9),
      "chanting",
    ],
    ["a very long paragraph", `${LONG}\n`.repeat(8), "chanting"],
    ["a very long paragraph, seven times", `${LONG}\n`.repeat(7), null],
    ["a short word, a few times", "no, ".repeat(10), null],
    ["a short word, very often", "no, ".repeat(60), "chanting"],
    ["a divider", "=".repeat(500), null],
    ["rows of dots", ". . . ".repeat(99), null],
    [
      "sentences about other things",
      Array.from({ length: 20 }, (_, i) => `I moved part ${i} over.`).join(" "),
      null,
    ],
    [
      "a refrain among news",
      Array.from(
        { length: 9 },
        (_, i) => `Part ${i} is new to me and has ${i} notes. All of it passes now.`,
      ).join(" "),
      null,
    ],
  ])("%s", (_name, text, rule) => {
    expect(said(text)).toBe(rule);
  });

  test.each([
    ["a fenced block", `\`\`\`ts\n${"return handler(event, context)\n".repeat(20)}\`\`\``],
    ["a block that is not closed", `~~~\n${"return handler(event, context)\n".repeat(20)}`],
    ["an indented block", "    return handler(event, context)\n".repeat(20)],
    ["statements", "return handler(event, context);\n".repeat(20)],
    ["a table", "| unit | all of them have passed |\n".repeat(20)],
    ["a table without edges", "unit | all of them | have passed\n".repeat(20)],
    ["a list", "- nothing to change in this file\n".repeat(20)],
    ["a numbered list", "1. nothing to change in this file\n".repeat(20)],
    ["headings", "## Nothing to change in this file\n".repeat(20)],
    ["a quotation", "> nothing to change in this file\n".repeat(20)],
    ["markup", "<li>nothing to change in this file</li>\n".repeat(20)],
    ["words between blocks of code", "Here is what the next one says:\n```\nabc\n```\n".repeat(12)],
  ])("is no chanting in %s", (_name, text) => {
    expect(said(text)).toBeNull();
  });

  test("is chanting again behind a block of code", () => {
    expect(said(`\`\`\`\nabc\n\`\`\`\n${SENTENCE.repeat(9)}`)).toBe("chanting");
  });
});

describe("a text that arrives in pieces", () => {
  test.each([1, 3, 7, 14, 64, 1_000])("is heard when it is cut every %i characters", (size) => {
    expect(ruleOf(streamed(SENTENCE.repeat(40), size))).toBe("chanting");
    expect(ruleOf(streamed(`\`\`\`\n${SENTENCE.repeat(40)}\n`, size))).toBeNull();
  });

  test("is heard while it goes on without an end or a line break", () => {
    const steps = streamed("and then once more ".repeat(400), 11);
    expect(ruleOf(steps.slice(0, 100))).toBe("chanting");
  });

  test("is one message, however often it is cut", () => {
    const message: readonly Step[] = [...streamed("All is done.", 5), { kind: "message-end" }];
    expect(ruleOf([...message, ...message])).toBeNull();
    expect(ruleOf([...message, ...message, ...message])).toBe("monologue");
  });

  test("is over when something is done", () => {
    expect(ruleOf([...streamed(SENTENCE.repeat(9), 50), { kind: "message-end" }])).toBe("chanting");
    expect(ruleOf([...streamed(SENTENCE.repeat(9), 50), WORKED])).toBeNull();
    expect(
      ruleOf([
        { kind: "text", text: SENTENCE.repeat(5) },
        WORKED,
        { kind: "text", text: SENTENCE.repeat(5) },
      ]),
    ).toBeNull();
  });
});
