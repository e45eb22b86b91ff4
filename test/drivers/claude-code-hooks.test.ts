// What does orch answer when Claude Code's hooks call it?

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Level } from "../../src/core/level.ts";
import { answerHook } from "../../src/drivers/claude-code/hooks.ts";
import { writeAnswer, writeAsking } from "../../src/mcp/ask-files.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orch-hooks-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const said = (text: string): unknown => (text === "" ? null : JSON.parse(text));

function ask(input: object): unknown {
  const given = { tool_use_id: "toolu_1", tool_input: { question: "Which port?" }, ...input };
  return said(answerHook("ask", folder, given));
}

function desk(level: Level, questionsLeft = 3): void {
  const answered = [{ question: "Which database?", answer: "SQLite" }];
  writeAsking(folder, { level, holdMs: 0, questionsLeft, answered });
}

const permission = (permissionDecision: string, reason?: unknown) => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision,
    ...(reason !== undefined && { permissionDecisionReason: reason }),
  },
});

describe("a question", () => {
  test("is put off until a person has answered it", () => {
    desk(3);
    expect(ask({})).toEqual(permission("defer"));
    expect(ask({})).toEqual(permission("defer"));
    writeAnswer(folder, "toolu_1", "8080");
    expect(ask({})).toEqual(permission("allow"));
  });

  test("waits alone: a second one is sent back", () => {
    desk(3);
    ask({});
    expect(ask({ tool_use_id: "toolu_2" })).toEqual(
      permission("deny", expect.stringContaining("One question at a time")),
    );
  });

  test("that waits comes before any prompt", () => {
    desk(3);
    expect(answerHook("prompt", folder, { prompt: "Go on." })).toBe("");
    ask({});
    expect(said(answerHook("prompt", folder, { prompt: "Go on." }))).toEqual({
      decision: "block",
      reason: "a question waits for its answer first",
    });
  });

  test.each<[string, Level, object, number]>([
    ["below the level's weight is not put off", 2, { question: "Which port?", default: "80" }, 3],
    ["asked before is not put off", 5, { question: " which DATABASE " }, 3],
    ["beyond the task's number is not put off", 5, { question: "Which port?" }, 0],
  ])("%s", (_name, level, input, left) => {
    desk(level, left);
    expect(ask({ tool_input: input })).toEqual(permission("allow"));
  });

  test("of a sub-agent is sent back", () => {
    desk(5);
    expect(ask({ agent_id: "a1" })).toEqual(
      permission("deny", expect.stringContaining("Only the main agent")),
    );
  });

  test.each([{ question: "" }, { question: 7 }, {}, null])(
    "without words is sent back: %j",
    (input) => {
      desk(5);
      expect(ask({ tool_input: input })).toEqual(
        permission("deny", 'Give the question as text in "question".'),
      );
    },
  );

  test.each(["../../../etc/passwd", "a/b", "", ".", 7, null])(
    "whose id could leave the folder is sent back: %j",
    (id) => {
      desk(5);
      expect(ask({ tool_use_id: id })).toEqual(permission("deny", expect.stringContaining("id")));
    },
  );
});

describe("an agent that wants to stop", () => {
  const report = (): string => join(folder, "report.json");
  const stop = (): unknown => said(answerHook("stop", folder, { stop_hook_active: false }));
  const refused = (reason: string) => ({
    decision: "block",
    reason: expect.stringContaining(reason),
  });

  beforeEach(() => {
    writeFileSync(join(folder, "hold.json"), JSON.stringify({ reportPath: report() }));
  });

  test("may, with a valid report", () => {
    writeFileSync(report(), '{"version":1,"status":"completed","summary":"Did it."}');
    expect(stop()).toBeNull();
  });

  test.each<[string, string, string]>([
    ["no JSON", "I am done!", "not valid JSON"],
    ["no state", '{"summary":"x"}', '"status" must be one of'],
    ["still in progress", '{"status":"in_progress","summary":"x"}', '"status" must say'],
    ["blocked by nothing", '{"status":"blocked","summary":"x"}', '"blockers" must name'],
    ["too long", JSON.stringify({ summary: "x".repeat(300_000) }), "at most 262144 are read"],
  ])("is sent back with a report that is %s", (_name, text, problem) => {
    writeFileSync(report(), text);
    expect(stop()).toEqual(refused(problem));
  });

  test("is told what is wrong and where to write, twice, and is then let go", () => {
    expect(stop()).toEqual({
      decision: "block",
      reason: [
        "Your report is not in order yet:",
        "- there is no report file there yet",
        `Write it as one JSON object to ${report()}, then stop. At least:`,
        '{"version": 1, "status": "completed | partial | failed | blocked", "summary": "what you did and what is left"}',
      ].join("\n"),
    });
    expect(stop()).toEqual(refused("no report file"));
    expect(stop()).toBeNull();
  });

  test("cannot pass a link or a folder off as a report", () => {
    writeFileSync(join(folder, "real"), '{"version":1,"status":"completed","summary":"x"}');
    symlinkSync(join(folder, "real"), report());
    expect(stop()).toEqual(refused("no report file"));
    rmSync(report());
    mkdirSync(report());
    expect(stop()).toEqual(refused("no report file"));
  });

  test("is let go when orch's own file is gone", () => {
    rmSync(join(folder, "hold.json"));
    expect(stop()).toBeNull();
  });
});

test("a hook nobody knows says nothing", () => {
  expect(answerHook("later", folder, null)).toBe("");
});
