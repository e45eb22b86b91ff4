import { describe, expect, test } from "vitest";

import { ANSWER_ACTIONS } from "../../src/core/model/question.ts";
import { inboxFile, parseInboxFile } from "../../src/schema/inbox-file.ts";

const answer = (over: object) => parseInboxFile("r1", { id: "q1", ...over });

describe("an answer in the inbox", () => {
  test("may be as short as an id and a text", () => {
    expect(answer({ text: "left" })).toEqual({
      ok: true,
      value: {
        kind: "answer",
        id: "r1",
        answer: { question: "q1", action: "answer", text: "left", by: "inbox" },
      },
    });
  });

  const actions = ANSWER_ACTIONS.filter((action) => action !== "expire");
  test.each(actions)(
    "may be to %s, and is the same when it is written and read again",
    (action) => {
      const read = answer({ action, text: "5 USD", by: "an editor" });
      expect(read).toMatchObject({ ok: true, value: { answer: { action } } });
      if (read.ok) expect(parseInboxFile("r1", inboxFile(read.value))).toEqual(read);
    },
  );

  test.each<[string, object]>([
    ["is orch's own", { action: "expire" }],
    ["is nothing anybody does", { action: "approve" }],
    ["is for a path", { id: "../q1" }],
    ["is of another version", { version: 2 }],
    ["is longer than 100,000 characters", { text: "x".repeat(100_001) }],
    ["is by nobody in particular, at length", { by: "x".repeat(201) }],
    ["has a number for its text", { text: 5 }],
  ])("that %s is refused", (_name, over) => {
    expect(answer(over)).toMatchObject({ ok: false });
  });

  test("keeps what a terminal would obey as it was given", () => {
    const text = "left\u0000\u001b[2J\u202e\r\n";
    expect(answer({ text })).toMatchObject({ ok: true, value: { answer: { text } } });
    expect(answer({ text: "x".repeat(100_000) })).toMatchObject({ ok: true });
  });
});
