// What does orch answer when Claude Code's hooks call it?

import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, describe, expect, test } from "vitest";

import { NO_FENCE } from "../../src/core/model/fence.ts";
import type { IrreversibleAction } from "../../src/core/model/irreversible.ts";
import { NOT_PERMITTED } from "../../src/core/decide/action-verdict.ts";
import type { Level } from "../../src/core/model/level.ts";
import { answerHook } from "../../src/drivers/claude-code/hooks.ts";
import {
  readPending,
  readUnasked,
  writeAnswer,
  writeAsking,
  writeHold,
} from "../../src/mcp/ask-files.ts";
import { privateFolder } from "../support/private-folder.ts";

let folder = "";

beforeEach(() => {
  folder = privateFolder();
});

const said = (text: string): unknown => (text === "" ? null : JSON.parse(text));

function ask(input: object): unknown {
  const given = { tool_use_id: "toolu_1", tool_input: { question: "Which port?" }, ...input };
  return said(answerHook("ask", folder, given));
}

function openChannel(level: Level, questionsLeft = 3): void {
  const answered = [{ question: "Which database?", answer: "SQLite" }];
  writeAsking(folder, { level, holdMs: 0, questionsLeft, answered, leftAlone: [] });
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
    openChannel(3);
    expect(ask({})).toEqual(permission("defer"));
    expect(ask({})).toEqual(permission("defer"));
    writeAnswer(folder, "toolu_1", "8080");
    expect(ask({})).toEqual(permission("allow"));
  });

  test("waits alone: a second one is sent back", () => {
    openChannel(3);
    ask({});
    expect(ask({ tool_use_id: "toolu_2" })).toEqual(
      permission("deny", expect.stringContaining("One question at a time")),
    );
  });

  test("that waits comes before any prompt", () => {
    openChannel(3);
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
    openChannel(level, left);
    expect(ask({ tool_input: input })).toEqual(permission("allow"));
  });

  test("of a sub-agent is sent back", () => {
    openChannel(5);
    expect(ask({ agent_id: "a1" })).toEqual(
      permission("deny", expect.stringContaining("Only the main agent")),
    );
  });

  test.each([{ question: "" }, { question: 7 }, {}, null])(
    "without words is sent back: %j",
    (input) => {
      openChannel(5);
      expect(ask({ tool_input: input })).toEqual(
        permission("deny", 'Give the question as text in "question".'),
      );
    },
  );

  test.each(["../../../etc/passwd", "a/b", "", ".", 7, null])(
    "whose id could leave the folder is sent back: %j",
    (id) => {
      openChannel(5);
      expect(ask({ tool_use_id: id })).toEqual(permission("deny", expect.stringContaining("id")));
    },
  );
});

describe("an act that cannot be undone", () => {
  const act = (input: object = {}): unknown =>
    said(
      answerHook("act", folder, {
        tool_use_id: "toolu_1",
        cwd: folder,
        tool_input: { command: "cd lib && npm publish" },
        ...input,
      }),
    );
  const question = (words: string): string =>
    `May the agent publish a package, an image or a release? ${words} (in ${folder}/lib)`;
  const guarded = (allowedActions: readonly IrreversibleAction[] = []): void => {
    const reportPath = join(folder, "report.json");
    writeHold(folder, { reportPath, asks: "defer", root: folder, allowedActions, fence: NO_FENCE });
  };

  test("is put off until a person has decided, and its question is kept", () => {
    guarded();
    openChannel(1);
    expect(act()).toEqual(permission("defer"));
    expect(readPending(folder)).toMatchObject({
      id: "toolu_1",
      asked: null,
      act: {
        question: question("npm publish"),
        options: ["Allow it", "Refuse it"],
        default: "Refuse it",
      },
    });
  });

  test.each(["Allow it", "yes", "Go ahead."])("is done where the person says %j", (answer) => {
    guarded();
    openChannel(3);
    writeAnswer(folder, "toolu_1", answer);
    expect(act()).toEqual(permission("allow"));
  });

  test("is not done where the person says anything else, and the agent gets the words", () => {
    guarded();
    openChannel(3);
    writeAnswer(folder, "toolu_1", "Only with --dry-run, please");
    expect(act()).toEqual(
      permission(
        "deny",
        expect.stringContaining('The answer was: "Only with --dry-run, please". Leave'),
      ),
    );
  });

  test("is refused at level 0, and that goes on record", () => {
    guarded();
    openChannel(0);
    expect(act()).toEqual(permission("deny", NOT_PERMITTED));
    expect(readUnasked(folder)).toEqual([
      {
        question: question("npm publish"),
        impact: "blocking",
        why: "level",
        answer: "refused: no one was available to allow it",
      },
    ]);
  });

  test("is refused where the task has no question left, and that goes on record", () => {
    guarded();
    openChannel(3, 0);
    expect(act()).toEqual(permission("deny", NOT_PERMITTED));
    expect(readUnasked(folder)).toMatchObject([{ why: "too-many" }]);
  });

  test("that was decided on in this task is not asked again; one that is like it is", () => {
    guarded();
    const answered = [
      { question: question("npm publish"), answer: "Allow it" },
      { question: question("npm publish --tag old"), answer: "No" },
    ];
    writeAsking(folder, { level: 3, holdMs: 0, questionsLeft: 3, answered, leftAlone: [] });
    expect(act()).toEqual(permission("allow"));
    const calls = (command: string): unknown =>
      act({ tool_use_id: "toolu_2", tool_input: { command } });
    expect(calls("cd lib && npm publish --tag old")).toEqual(
      permission("deny", expect.stringContaining("not allowed")),
    );
    expect(calls("npm publish")).toEqual(permission("defer"));
    expect(readPending(folder)?.act?.question).not.toContain("lib");
  });

  test("that the task allows is none of the hook's business", () => {
    guarded(["publish"]);
    openChannel(0);
    expect(act()).toBeNull();
    expect(act({ tool_input: { command: "git push origin main" } })).toEqual(
      permission("deny", NOT_PERMITTED),
    );
  });

  test("is not carried along by the leave for another one", () => {
    guarded(["push"]);
    openChannel(3);
    const both = { command: "git push && npm publish; rm -rf /srv/data" };
    expect(act({ tool_input: both })).toEqual(permission("defer"));
    expect(readPending(folder)?.act?.question).toBe(
      "May the agent do all of this? publish a package, an image or a release: npm publish; delete files outside the repository: rm -rf /srv/data",
    );
  });

  test("is refused beside many others: nobody reads them all", () => {
    guarded();
    openChannel(3);
    const command = [1, 2, 3, 4].map((n) => `git push origin b${n}`).join(";");
    expect(act({ tool_input: { command } })).toEqual(
      permission("deny", expect.stringContaining("Make a call of its own for each")),
    );
  });

  test.each<[string, Level, string]>([
    ["what goes on record cannot be written", 0, "unasked.jsonl"],
    ["the question cannot be kept", 3, "asked.json"],
  ])("is refused where %s", (_name, level, file) => {
    guarded();
    openChannel(level);
    mkdirSync(join(folder, file));
    expect(act()).toEqual(permission("deny", expect.any(String)));
  });

  test("may stand in what cannot be read, so that is refused", () => {
    const unread = permission("deny", expect.stringContaining("could not be looked at"));
    expect(said(answerHook("act", folder, null))).toEqual(unread);
    guarded();
    expect(act({ tool_input: { command: "echo $(".repeat(1_000) } })).toEqual(unread);
  });

  test("of a sub-agent is refused: only the main agent can be asked for", () => {
    guarded();
    openChannel(3);
    expect(act({ agent_id: "a1" })).toEqual(
      permission("deny", expect.stringContaining("Only the main agent")),
    );
  });

  test("of a sub-agent is refused at level 0 as any other, and goes on record", () => {
    guarded();
    openChannel(0);
    expect(act({ agent_id: "a1" })).toEqual(permission("deny", NOT_PERMITTED));
    expect(readUnasked(folder)).toMatchObject([{ why: "level" }]);
  });

  test.each(["../x", "", 7, null])("whose id could leave the folder is refused: %j", (id) => {
    guarded();
    openChannel(3);
    expect(act({ tool_use_id: id })).toEqual(permission("deny", expect.stringContaining("id")));
  });

  test("is refused where orch's own files are gone", () => {
    expect(act()).toEqual(permission("deny", NOT_PERMITTED));
  });

  test("waits alone", () => {
    guarded();
    openChannel(3);
    ask({});
    expect(act({ tool_use_id: "toolu_2" })).toEqual(
      permission("deny", expect.stringContaining("One question at a time")),
    );
  });

  test.each([
    { command: "npm test" },
    { command: "echo npm publish" },
    { command: 7 },
    {},
    null,
    "npm publish",
  ])("is not seen in %j", (input) => {
    guarded();
    openChannel(3);
    expect(act({ tool_input: input })).toBeNull();
  });
});

describe("an agent that wants to stop", () => {
  const report = (): string => join(folder, "report.json");
  const stop = (): unknown => said(answerHook("stop", folder, { stop_hook_active: false }));
  const refused = (reason: string) => ({
    decision: "block",
    reason: expect.stringContaining(reason),
  });

  beforeEach(() => {
    writeHold(folder, {
      reportPath: report(),
      asks: "defer",
      root: folder,
      allowedActions: [],
      fence: NO_FENCE,
    });
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
